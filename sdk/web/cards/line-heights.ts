/**
 * The heights of lines of which most have not been measured: those count with the average of the lines measured first. Sums are in
 * a Fenwick tree, so that a position among a million lines is found in about twenty steps. All heights are pixels.
 */
export class LineHeights {
  readonly #known = new Map<number, number>();
  /** Sums of the known lines' deviations from the average; as long as the last known line requires. */
  #tree = new Float64Array(1);
  #usual: number;

  constructor(usual: number) {
    this.#usual = usual;
  }

  heightOf(index: number): number {
    return this.#known.get(index) ?? this.#usual;
  }

  /** The top of a line; for the line after the last one, the end of all lines. */
  topOf(index: number): number {
    let more = 0;
    for (let at = Math.min(index, this.#tree.length - 1); at > 0; at -= at & -at) more += this.#tree[at] ?? 0;
    return index * this.#usual + more;
  }

  /** The line at a height, counted from the top of all. */
  lineAt(top: number): number {
    let [line, left] = [0, Math.max(0, top)];
    for (let step = this.#tree.length - 1; step > 0; step >>= 1) {
      const height = step * this.#usual + (this.#tree[line + step] ?? 0);
      if (line + step < this.#tree.length && height <= left) {
        line += step;
        left -= height;
      }
    }
    return line + (line < this.#tree.length - 1 ? 0 : Math.floor(left / this.#usual));
  }

  /** Stores measured heights, by line; returns whether any differs from the assumed one. */
  learn(heights: ReadonlyMap<number, number>): boolean {
    const changed = [...heights].filter(([index, height]) => this.heightOf(index) !== height);
    const isFirst = this.#known.size === 0 && changed.length > 0;
    const last = Math.max(0, ...heights.keys());
    for (const [index, height] of changed)
      if (!isFirst && last + 1 < this.#tree.length) this.#add(index, height - this.heightOf(index));
    for (const [index, height] of heights) this.#known.set(index, height);
    if (isFirst) this.#usual = sumOf(heights.values()) / heights.size;
    if (isFirst || last + 1 >= this.#tree.length) this.#sumUp();
    return changed.length > 0;
  }

  #add(index: number, more: number): void {
    for (let at = index + 1; at < this.#tree.length; at += at & -at)
      this.#tree[at] = (this.#tree[at] ?? 0) + more;
  }

  #sumUp(): void {
    let lines = 1;
    for (const index of this.#known.keys()) while (lines <= index + 1) lines *= 2;
    // One more than lines: the indexes of the tree start at one.
    this.#tree = new Float64Array(lines + 1);
    for (const [index, height] of this.#known) this.#add(index, height - this.#usual);
  }
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
