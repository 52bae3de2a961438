/** Values by a tool's name, and by the agent where one is for a single agent. */
export class ByAgent<T> {
  readonly #values = new Map<string, T>();

  /** Exactly this one; without an agent, the one that is for all. */
  get(name: string, agent: string | undefined): T | undefined {
    return this.#values.get(key(name, agent));
  }

  /** The one for this agent, else the one for all. */
  find(name: string, agent: string | undefined): T | undefined {
    return this.get(name, agent) ?? this.get(name, undefined);
  }

  set(name: string, agent: string | undefined, value: T): void {
    this.#values.set(key(name, agent), value);
  }

  delete(name: string, agent: string | undefined): boolean {
    return this.#values.delete(key(name, agent));
  }

  values(): T[] {
    return [...this.#values.values()];
  }
}

function key(name: string, agent: string | undefined): string {
  return JSON.stringify(agent === undefined ? [name] : [name, agent]);
}
