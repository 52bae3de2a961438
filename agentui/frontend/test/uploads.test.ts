import { describe, expect, it, vi } from "vitest";
import { AgentUIError, Uploads } from "../src/client/index.js";
import type { Api } from "../src/client/api.js";
import { settled } from "./page.js";

const LIMITS = { bytes: 1000, types: ["image/png", "text/plain"] };

function file(name: string, type: string, size = 10): File {
  return new File(["x".repeat(size)], name, { type });
}

function open(upload: Api["upload"]): { uploads: Uploads; deleted: string[] } {
  const deleted: string[] = [];
  const api = { upload, deleteAttachment: async (id: string) => void deleted.push(id) } as unknown as Api;
  return { uploads: new Uploads(api, () => LIMITS), deleted };
}

const row = (id: string) => ({ id, thread: null, filename: "a", mime_type: "image/png", size: 1 });

describe("files on their way", () => {
  it("are sent as they are chosen, and become parts of the message", async () => {
    let report = (_share: number): void => {};
    let finish = (_row: ReturnType<typeof row>): void => {};
    const { uploads } = open((_file, onProgress) => {
      report = onProgress;
      return new Promise((resolve) => (finish = resolve));
    });
    uploads.add([file("cup.png", "image/png")]);
    expect(uploads.isBusy).toBe(true);
    report(0.5);
    expect(uploads.list[0]).toMatchObject({ name: "cup.png", progress: 0.5, id: null });
    finish(row("f1"));
    await settled();
    expect(uploads.isBusy).toBe(false);
    expect(uploads.take()).toEqual([{ type: "file", attachment: "f1", filename: "cup.png", mime_type: "image/png" }]);
    expect(uploads.list).toEqual([]);
  });

  it("that the server would not take are refused before they are sent", () => {
    const upload = vi.fn();
    const { uploads } = open(upload);
    uploads.add([file("big.png", "image/png", 1001), file("x.svg", "image/svg+xml"), file("x.exe", "application/x-msdownload")]);
    expect(uploads.list.map(({ error }) => error?.code)).toEqual(["too_large", "file_type", "file_type"]);
    expect(upload).not.toHaveBeenCalled();
    expect(uploads.take()).toEqual([]);
    expect(uploads.list).toHaveLength(3);
  });

  it("of text go by many names", () => {
    const { uploads } = open(() => new Promise(() => {}));
    uploads.add([file("a.md", "text/markdown"), file("a.log", ""), file("a.txt", "text/plain")]);
    expect(uploads.list.map(({ error }) => error)).toEqual([null, null, null]);
  });

  it("that fail can be sent again, and are taken away when nobody wants them", async () => {
    let fails = true;
    const { uploads, deleted } = open(async () => {
      if (fails) throw new AgentUIError("network", "The server cannot be reached.");
      return row("f1");
    });
    uploads.add([file("a.png", "image/png")]);
    await settled();
    expect(uploads.list[0]?.error).toMatchObject({ code: "network" });
    fails = false;
    uploads.retry(uploads.list[0] as never);
    await settled();
    expect(uploads.list[0]).toMatchObject({ id: "f1", error: null });
    uploads.remove(uploads.list[0] as never);
    expect(deleted).toEqual(["f1"]);
    expect(uploads.list).toEqual([]);
  });

  it("are stopped when they are taken away on their way", () => {
    let signal: AbortSignal | null = null;
    const { uploads } = open((_file, _onProgress, given) => {
      signal = given;
      return new Promise(() => {});
    });
    uploads.add([file("a.png", "image/png")]);
    uploads.remove(uploads.list[0] as never);
    expect((signal as AbortSignal | null)?.aborted).toBe(true);
  });

  it("of a message that was refused come back, once, also after a reload", async () => {
    const { uploads, deleted } = open(async () => row("f1"));
    uploads.add([file("cup.png", "image/png")]);
    await settled();
    const parts = uploads.take();
    uploads.restore([{ type: "text", text: "hello" }, ...parts, ...parts]);
    expect(uploads.list).toMatchObject([{ id: "f1", name: "cup.png", error: null }]);
    expect(uploads.list[0]?.file?.type).toBe("image/png");
    expect(uploads.take()).toEqual(parts);

    const { uploads: next } = open(async () => row("f2"));
    next.restore(parts);
    expect(next.list).toMatchObject([{ id: "f1", name: "cup.png", file: null }]);
    expect(next.take()).toMatchObject([{ type: "file", attachment: "f1", filename: "cup.png" }]);
    expect(deleted).toEqual([]);
  });
});
