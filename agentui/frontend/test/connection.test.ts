import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AgentUIError, Connection } from "../src/client/index.js";
import { FakeRefusal, FakeServer } from "../dev/fake-server.js";

let server: FakeServer;
let connection: Connection;

function connect(options: { isSignedIn?: () => Promise<boolean> } = {}): Connection {
  connection = new Connection({ url: "ws://x/", WebSocket: server.WebSocket, random: () => 1, ...options });
  connection.connect();
  return connection;
}

const flush = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => {});

function visibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
});

afterEach(() => {
  connection.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("a connection", () => {
  it("is open from the server's hello on", async () => {
    server.greets = false;
    connect();
    await flush();
    expect(connection.state).toBe("connecting");
    [...server.sockets][0]?.push({ type: "hello", protocol: 1, user: "1" });
    await flush();
    expect(connection.state).toBe("open");
  });

  it("comes back after it was lost, waiting longer each time", async () => {
    connect();
    await flush();
    server.refuse = 1006;
    server.drop();
    await flush();
    expect(connection.state).toBe("waiting");
    await vi.advanceTimersByTimeAsync(499);
    expect(connection.state).toBe("waiting");
    await vi.advanceTimersByTimeAsync(2); // the second try fails too
    expect(connection.state).toBe("waiting");
    server.refuse = null;
    await vi.advanceTimersByTimeAsync(990);
    expect(connection.state).toBe("waiting");
    await vi.advanceTimersByTimeAsync(20);
    expect(connection.state).toBe("open");
  });

  it("stops when it is closed with 4401", async () => {
    connect();
    await flush();
    const answer = connection.command("send_message", {});
    server.drop(4401);
    await expect(answer).rejects.toMatchObject({ code: "not_signed_in" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connection.state).toBe("denied");
    expect(server.sockets.size).toBe(0);
    await expect(connection.command("send_message", {})).rejects.toBeInstanceOf(AgentUIError);
  });

  it("asks over HTTP why it cannot be opened, and stops for somebody who is signed out", async () => {
    server.refuse = 1006;
    connect({ isSignedIn: async () => false });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(connection.state).toBe("denied");
  });

  it("tries at once when the browser is online again", async () => {
    connect();
    await flush();
    server.refuse = 1006;
    server.drop();
    await vi.advanceTimersByTimeAsync(20_000);
    server.refuse = null;
    dispatchEvent(new Event("online"));
    await flush();
    expect(connection.state).toBe("open");
  });
});

describe("a command", () => {
  it("that was not answered is sent again under the same id", async () => {
    connect();
    await flush();
    let silent = true;
    server.on("send_message", () => {
      if (silent) server.drop();
      return { thread: "t1" };
    });
    const answer = connection.command("send_message", { parts: [] });
    await flush();
    silent = false;
    await vi.advanceTimersByTimeAsync(600);
    await expect(answer).resolves.toMatchObject({ thread: "t1" });
    const sent = server.of("send_message");
    expect(sent).toHaveLength(2);
    expect(sent[0]?.id).toBe(sent[1]?.id);
  });

  it("made before the connection is there is sent once it is", async () => {
    const answer = connect().command("cancel_run", { run: "r1" });
    await flush();
    await expect(answer).resolves.toMatchObject({ type: "ack" });
  });

  it("that is refused rejects with the server's code and words", async () => {
    connect();
    await flush();
    server.on("cancel_run", () => {
      throw new FakeRefusal("conflict", "Too late.");
    });
    await expect(connection.command("cancel_run", {})).rejects.toMatchObject({ code: "conflict", message: "Too late." });
    expect(connection.state).toBe("open");
  });

  it("that is too big is refused before it is sent", async () => {
    server.limits.frame_bytes = 200;
    connect();
    await flush();
    const answer = connection.command("send_message", { text: "é".repeat(100) });
    await expect(answer).rejects.toMatchObject({ code: "frame_too_big" });
    expect(server.of("send_message")).toHaveLength(0);
  });

  it("whose size closed the socket is not sent again, the others are", async () => {
    connect();
    await flush();
    server.on("send_message", () => {
      server.drop(1009);
    });
    const big = connection.command("send_message", { text: "x".repeat(5000) });
    const small = connection.command("set_state", {});
    await Promise.all([
      expect(big).rejects.toMatchObject({ code: "frame_too_big" }),
      expect(small).resolves.toBeTruthy(),
      vi.advanceTimersByTimeAsync(3_000),
    ]);
    expect(server.of("send_message")).toHaveLength(1);
    expect(connection.state).toBe("open");
  });
});

describe("a page that is sent much", () => {
  const long = (id: string): void => [...server.sockets][0]?.push({ type: "thread_deleted", thread_id: id.repeat(300) });

  it.each(["visible", "hidden"] as const)("says that it has read half a window, while %s", async (state) => {
    server.limits.window_bytes = 2_000;
    connect();
    await flush();
    visibility(state);
    await flush();
    const before = server.of("ping").length;
    long("a");
    long("b");
    await flush();
    expect(server.of("ping").length).toBe(before);
    long("c");
    await flush();
    expect(server.of("ping").length).toBe(before + 1);
    for (const id of ["d", "e", "f", "g", "h", "i"]) long(id);
    await flush();
    expect(server.of("ping").length).toBe(before + 3);
  });

  it("needs to say nothing when it has sent a command anyway", async () => {
    server.limits.window_bytes = 2_000;
    connect();
    await flush();
    long("a");
    long("b");
    await flush();
    await connection.command("cancel_run", {});
    long("c");
    await flush();
    expect(server.of("ping")).toHaveLength(0);
  });
});

describe("the heartbeat", () => {
  it("finds a socket that is silently dead", async () => {
    connect();
    await flush();
    server.on("ping", () => {
      throw new Error("unreachable");
    });
    vi.spyOn(server, "receive").mockImplementation(() => {}); // packets get lost
    await vi.advanceTimersByTimeAsync(25_000 + 9_000);
    expect(connection.state).toBe("open");
    await vi.advanceTimersByTimeAsync(1_100);
    expect(connection.state).toBe("waiting");
  });

  it("rests while the page is hidden, and asks at once when it is back", async () => {
    connect();
    await flush();
    visibility("hidden");
    vi.spyOn(server, "receive").mockImplementation(() => {});
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(connection.state).toBe("open");
    expect(server.receive).not.toHaveBeenCalled();
    visibility("visible");
    await flush();
    expect(server.receive).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(10_001);
    expect(connection.state).not.toBe("open");
  });
});
