/** What one client sent and received, with times; the last frames are kept. */
import type { Client } from "../client/client.js";
import { Emitter } from "../client/emitter.js";
import type { EventsFrame, ServerFrame } from "../client/frames.js";
import type { ToolRun } from "../registry/registry.js";

const KEPT = 500;

export interface Line {
  direction: "in" | "out";
  at: number;
  type: string;
  bytes: number;
  frame: unknown;
}

export interface RunTiming {
  run: string;
  message: string;
  began: number;
  firstText: number | null;
  last: number;
  events: number;
  characters: number;
}

export interface ToolTiming {
  name: string;
  began: number;
  ended: number | null;
  outcome: unknown;
}

export class Recording {
  readonly changed = new Emitter<void>();
  readonly client: Client;
  lines: Line[] = [];
  readonly runs = new Map<string, RunTiming>();
  readonly tools = new Map<string, ToolTiming>();
  readonly threads = new Set<string>();

  constructor(client: Client) {
    this.client = client;
    client.connection.sent.subscribe((text) => this.#add("out", JSON.parse(text) as ServerFrame, text.length));
    client.connection.frames.subscribe((frame) => {
      this.#add("in", frame, JSON.stringify(frame).length);
      if (frame.type === "events") this.#time(frame as EventsFrame);
      if (frame.type === "snapshot" && "thread" in frame) this.threads.add((frame.thread as { id: string }).id);
    });
    client.registry.runs.subscribe((run) => this.#tool(run));
  }

  #add(direction: Line["direction"], frame: { type: string }, bytes: number): void {
    this.lines = [...this.lines.slice(1 - KEPT), { direction, at: performance.now(), type: frame.type, bytes, frame }];
    this.changed.emit();
  }

  #time(frame: EventsFrame): void {
    const now = performance.now();
    const empty = { run: frame.run, message: frame.message, began: now, firstText: null, last: now, events: 0, characters: 0 };
    const timing: RunTiming = this.runs.get(frame.run) ?? empty;
    for (const event of frame.events) {
      timing.events++;
      if (event.type !== "text_delta") continue;
      timing.firstText ??= now;
      timing.characters += event.text_delta.length;
    }
    timing.last = now;
    this.runs.set(frame.run, timing);
  }

  #tool({ toolCall, outcome }: ToolRun): void {
    const known = this.tools.get(toolCall.id);
    const now = performance.now();
    this.tools.set(toolCall.id, { name: toolCall.name, began: known?.began ?? now, ended: outcome ? now : null, outcome });
    this.changed.emit();
  }
}
