/** The keys of a list's lines for rendering: a line whose column is changed stays the same line. */
export class LineKeys {
  readonly #keys = new Map<string, number>();
  #next = 0;

  of(columnId: string): number {
    const known = this.#keys.get(columnId);
    if (known !== undefined) return known;
    this.#next += 1;
    this.#keys.set(columnId, this.#next);
    return this.#next;
  }

  /** Moves the key of one column to another. */
  move(from: string, to: string): void {
    this.#keys.set(to, this.of(from));
    this.#keys.delete(from);
  }
}
