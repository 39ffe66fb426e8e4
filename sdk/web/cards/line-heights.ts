/**
 * The heights of lines of which most have not been seen yet: those count as high as the ones that were seen first are on the average.
 * Sums are kept in a Fenwick tree, so that a place among a million lines is found in some twenty steps. All heights are pixels.
 */
export class LineHeights {
  readonly #known = new Map<number, number>();
  /** Sums of how much higher than usual the known lines are; as long as the last known line asks for. */
  #tree = new Float64Array(1);
  #usual: number;

  constructor(usual: number) {
    this.#usual = usual;
  }

  heightOf(index: number): number {
    return this.#known.get(index) ?? this.#usual;
  }

  /** Where a line begins; of the line after the last one, where all of them end. */
  topOf(index: number): number {
    let more = 0;
    for (let at = Math.min(index, this.#tree.length - 1); at > 0; at -= at & -at) more += this.#tree[at] ?? 0;
    return index * this.#usual + more;
  }

  /** The line that stands at a height, counted from the top of all. */
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

  /** Learns heights, by the places of their lines; tells whether any is another one than was thought. */
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
    // One more than lines: places in the tree are counted from one.
    this.#tree = new Float64Array(lines + 1);
    for (const [index, height] of this.#known) this.#add(index, height - this.#usual);
  }
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
