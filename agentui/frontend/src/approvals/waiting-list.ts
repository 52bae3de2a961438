/**
 * What waits for this person, kept up to date by asking again. An entry keeps its place while it is
 * shown, so that nothing moves under a pointer: what is new comes last, what is decided becomes a line.
 */
import type { Verdict } from "../client/api.js";
import type { ApprovalRow, WaitingPage, WaitingRow } from "../client/rows.js";

/** Milliseconds between two looks while the list is seen, and while only its number is. */
const SEEN = 4_000;
const UNSEEN = 20_000;
const LONGEST = 60_000;
/** Lines of what was decided that stay. */
const MOST_LINES = 5;

export interface Entry {
  row: WaitingRow;
  /** How it ended; null while it waits. */
  ended: Ending | null;
}

export interface Ending {
  status: ApprovalRow["status"];
  /** Who decided; empty for this person and where nobody did. */
  by: string;
}

/** The part of the REST client that is used. */
export interface Source {
  waiting(): Promise<WaitingPage>;
  approval(id: string): Promise<ApprovalRow>;
  decide(approval: ApprovalRow, verdict: Verdict): Promise<ApprovalRow>;
}

export class WaitingList {
  entries: Entry[] = [];
  /** Null until the first answer. */
  page: Omit<WaitingPage, "approvals"> | null = null;
  hasFailed = false;
  /** What came in with the last look, after the first. */
  news: WaitingRow[] = [];
  /** The one that this person has just decided. */
  decided: string | null = null;
  readonly #source: Source;
  readonly #changed: () => void;
  #isSeen: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause = SEEN;
  #stopped = true;
  /** The look under way; a decision meanwhile makes its answer an old one. */
  #look = 0;

  constructor(source: Source, changed: () => void, isSeen = true) {
    this.#source = source;
    this.#changed = changed;
    this.#isSeen = isSeen;
  }

  start(): void {
    this.#stopped = false;
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#soon(0);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#onVisibility);
  }

  /** The list is opened, or closed; whoever opens it finds what waits, the most urgent first. */
  set isSeen(isSeen: boolean) {
    if (this.#isSeen === isSeen) return;
    this.#isSeen = isSeen;
    if (!isSeen) return;
    this.entries = [];
    this.#soon(0);
  }

  /** Decide one. Throws the refusal; the entry says how it stands either way. */
  async decide(approval: ApprovalRow, verdict: Verdict): Promise<void> {
    try {
      const row = await this.#source.decide(approval, verdict);
      this.#look++;
      this.decided = approval.id;
      this.#end(approval.id, { status: row.status, by: "" });
    } finally {
      this.#soon(0);
    }
  }

  async #ask(): Promise<void> {
    if (this.#stopped || document.hidden) return;
    const look = ++this.#look;
    try {
      const { approvals, ...page } = await this.#source.waiting();
      const left = await this.#missing(approvals);
      if (look === this.#look) this.#take(approvals, page, left);
      this.#pause = this.#isSeen ? SEEN : UNSEEN;
      this.hasFailed = false;
      // Nobody asks for this person, and a reload finds out when that changes.
      if (!page.decides) this.stop();
    } catch (error) {
      // Signed out, or no longer let in: nothing more comes until the page is loaded again.
      if (/^(http_40[13]|not_(signed_in|permitted))/.test((error as { code?: string }).code ?? "")) this.stop();
      this.hasFailed = true;
      this.#pause = Math.min(this.#pause * 2, LONGEST);
    }
    this.#changed();
    this.#soon(this.#pause);
  }

  /** What became of the entries that the list no longer has. */
  async #missing(approvals: WaitingRow[]): Promise<Map<string, ApprovalRow | null>> {
    const listed = new Set(approvals.map(({ id }) => id));
    const gone = this.entries.filter(({ row, ended }) => ended === null && !listed.has(row.id));
    const found = await Promise.all(gone.map(({ row }) => this.#source.approval(row.id).catch(() => null)));
    return new Map(gone.map(({ row }, index) => [row.id, found[index] ?? null]));
  }

  #take(approvals: WaitingRow[], page: Omit<WaitingPage, "approvals">, left: Map<string, ApprovalRow | null>): void {
    const isFirst = this.entries.length === 0;
    const rows = new Map(approvals.map((row) => [row.id, row]));
    const known = new Set(this.entries.map(({ row }) => row.id));
    this.entries = this.entries.map((entry) => {
      const { id } = entry.row;
      if (entry.ended !== null) return entry;
      const row = rows.get(id);
      if (row) return { row, ended: null };
      const now = left.get(id);
      // It waits, and more urgent ones have taken its place on the page.
      if (now?.status === "pending" && now.may_decide) return { row: { ...entry.row, ...now }, ended: null };
      return { ...entry, ended: endingOf(now ?? null) };
    });
    this.decided = null;
    this.news = approvals.filter(({ id }) => !known.has(id));
    this.entries.push(...this.news.map((row) => ({ row, ended: null })));
    if (isFirst) this.news = [];
    this.page = page;
    this.#forget();
  }

  #end(id: string, ended: Ending): void {
    this.entries = this.entries.map((entry) => (entry.row.id === id ? { ...entry, ended } : entry));
    if (this.page) this.page = { ...this.page, waiting: Math.max(this.page.waiting - 1, 0) };
    this.#changed();
  }

  /** Of what has ended, the last few stay. */
  #forget(): void {
    const lines = this.entries.filter(({ ended }) => ended !== null);
    const old = new Set(lines.slice(0, -MOST_LINES));
    this.entries = this.entries.filter((entry) => !old.has(entry));
  }

  #soon(pause: number): void {
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#ask(), pause);
  }

  readonly #onVisibility = (): void => {
    if (!document.hidden) this.#soon(0);
  };
}

function endingOf(row: ApprovalRow | null): Ending {
  if (row === null) return { status: "cancelled", by: "" };
  return { status: row.status, by: row.decisions.at(-1)?.user ?? "" };
}
