/**
 * Files on their way to the server, each with how far it has come. What the server does not take is
 * said before it is sent. Kept by the composer until the message goes.
 */
import type { Api } from "./api.js";
import { Emitter } from "./emitter.js";
import { AgentUIError } from "./errors.js";
import type { UploadPart, UserPart } from "./frames.js";

export interface UploadLimits {
  bytes: number;
  types: readonly string[];
}

export interface Upload {
  /** Null for one that is known by its name only, from before a reload. */
  readonly file: File | null;
  readonly name: string;
  /** From 0 to 1. */
  progress: number;
  /** Of the server, once it has the file. */
  id: string | null;
  error: AgentUIError | null;
}

export class Uploads {
  readonly changed = new Emitter<void>();
  #list: Upload[] = [];
  /** The last that were sent, by their ids: their message may come back. */
  #taken: ReadonlyMap<string | null, Upload> = new Map();
  readonly #ends = new Map<Upload, AbortController>();
  readonly #api: Api;
  readonly #limits: () => UploadLimits;

  constructor(api: Api, limits: () => UploadLimits) {
    this.#api = api;
    this.#limits = limits;
  }

  get list(): readonly Upload[] {
    return this.#list;
  }

  get isBusy(): boolean {
    return this.#list.some((upload) => upload.id === null && upload.error === null);
  }

  add(files: Iterable<File>): void {
    for (const file of files) {
      const upload: Upload = { file, name: file.name, progress: 0, id: null, error: this.#refusal(file) };
      this.#list = [...this.#list, upload];
      if (upload.error === null) void this.#send(upload);
    }
    this.changed.emit();
  }

  remove(upload: Upload): void {
    this.#ends.get(upload)?.abort();
    this.#list = this.#list.filter((other) => other !== upload);
    if (upload.id !== null) void this.#api.deleteAttachment(upload.id).catch(() => {});
    this.changed.emit();
  }

  retry(upload: Upload): void {
    if (upload.file === null) return;
    upload.error = this.#refusal(upload.file);
    if (upload.error === null) void this.#send(upload);
    this.changed.emit();
  }

  /** The parts of the message that is sent now; those that were refused stay. */
  take(): UploadPart[] {
    const done = this.#list.filter((upload) => upload.id !== null);
    this.#taken = new Map(done.map((upload) => [upload.id, upload]));
    this.#list = this.#list.filter((upload) => upload.id === null);
    this.changed.emit();
    return done.map(({ id, name, file }) => ({
      type: "file",
      attachment: id as string,
      filename: name,
      mime_type: file?.type ?? "",
    }));
  }

  /** The files of a message that the server did not take are to be sent with another. */
  restore(parts: readonly UserPart[]): void {
    for (const part of parts) {
      if (part.type !== "file" || !("attachment" in part)) continue;
      const { attachment: id, filename } = part;
      if (this.#list.some((upload) => upload.id === id)) continue;
      this.#list = [...this.#list, this.#taken.get(id) ?? { file: null, name: filename ?? "", progress: 1, id, error: null }];
    }
    this.changed.emit();
  }

  #refusal({ size, type }: File): AgentUIError | null {
    const { bytes, types } = this.#limits();
    if (size > bytes) return new AgentUIError("too_large", megabytes(bytes));
    // Browsers know few kinds of text; what it is, the server sees in the bytes.
    const isText = (type === "" || type.startsWith("text/")) && types.includes("text/plain");
    if (types.includes(type) || isText) return null;
    return new AgentUIError("file_type", type || "?");
  }

  async #send(upload: Upload): Promise<void> {
    if (upload.file === null) return;
    const end = new AbortController();
    this.#ends.set(upload, end);
    try {
      const onProgress = (share: number): void => {
        upload.progress = share;
        this.changed.emit();
      };
      const row = await this.#api.upload(upload.file, onProgress, end.signal);
      upload.id = row.id;
    } catch (error) {
      upload.error = error instanceof AgentUIError ? error : new AgentUIError("unknown", String(error));
    } finally {
      this.#ends.delete(upload);
      this.changed.emit();
    }
  }
}

function megabytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;
}
