/** A list of listeners. A listener that throws is reported and does not stop the others. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Returns the function that ends the subscription. */
  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        reportError(error);
      }
    }
  }
}
