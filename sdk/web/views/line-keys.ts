/** By what a list tells its lines apart when they are drawn: a line that is about another column from now on stays the same line. */
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

  /** The line of one column becomes that of another. */
  move(from: string, to: string): void {
    this.#keys.set(to, this.of(from));
    this.#keys.delete(from);
  }
}
