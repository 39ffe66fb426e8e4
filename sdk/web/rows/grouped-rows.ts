import { countWhile } from './count-while.ts';
import type { RowGroup } from './row-groups.ts';
import type { RowData, RowSource } from './row-source.ts';
import type { RowRange, RowWindow } from './row-window.ts';

/** The heading of a group, before its rows. @public */
export interface GroupHead {
  readonly group: RowGroup;
  /** The index of the row after it, among the shown ones. */
  readonly before: number;
  readonly isCollapsed: boolean;
}

/** A range of shown rows that are adjacent among all rows. */
interface Stretch {
  /** Index among the shown rows. */
  readonly shownFrom: number;
  /** Index among all rows. */
  readonly from: number;
  readonly count: number;
}

interface Arrangement {
  readonly heads: readonly GroupHead[];
  readonly stretches: readonly Stretch[];
  readonly shown: number;
}

/**
 * The rows of a window without those of collapsed groups: the index of a shown row differs from its index in the window. Rows that
 * were just added after the last one stay there.
 *
 * @public
 */
export class GroupedRows implements RowSource {
  readonly #window: RowWindow;
  readonly #arrangement: Arrangement;

  /** @param collapsed the keys of the groups whose rows are hidden */
  constructor(window: RowWindow, groups: readonly RowGroup[], collapsed: ReadonlySet<string>) {
    this.#window = window;
    this.#arrangement = arrangementOf(groups, collapsed);
  }

  /** In the order of display. */
  get heads(): readonly GroupHead[] {
    return this.#arrangement.heads;
  }

  get count(): number | undefined {
    const { count, total } = this.#window;
    if (count === undefined || total === undefined) return undefined;
    return this.#arrangement.shown + count - total;
  }

  get atLeast(): number {
    return this.#arrangement.shown;
  }

  get error(): Error | undefined {
    return this.#window.error;
  }

  get version(): number {
    return this.#window.version;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#window.subscribe(listener);

  rowAt(index: number): RowData | undefined {
    return this.#window.rowAt(this.#placeOf(index));
  }

  wasDeleted(key: string): boolean {
    return this.#window.wasDeleted(key);
  }

  indexOf(key: string): number | undefined {
    const place = this.#window.indexOf(key);
    return place === undefined ? undefined : this.shownAt(place);
  }

  ensure(start: number, end: number): void {
    this.#window.ensureAll(this.#rangesOf(start, end));
  }

  async load(start: number, end: number): Promise<void> {
    await Promise.all(this.#rangesOf(start, end).map((range) => this.#window.load(range.start, range.end)));
  }

  retry(): void {
    this.#window.retry();
  }

  /** The display index of a row of the window; undefined if its group is collapsed. */
  shownAt(place: number): number | undefined {
    const { total } = this.#window;
    const arrangement = this.#arrangement;
    if (total !== undefined && place >= total) return arrangement.shown + place - total;
    const stretch = arrangement.stretches.find(({ from, count }) => place >= from && place < from + count);
    return stretch && stretch.shownFrom + place - stretch.from;
  }

  /** The window's index of a shown row. */
  #placeOf(index: number): number {
    const arrangement = this.#arrangement;
    if (index >= arrangement.shown)
      return (this.#window.total ?? arrangement.shown) + index - arrangement.shown;
    const { stretches } = arrangement;
    const stretch = stretches[lastAtOrBefore(stretches, index)];
    return stretch === undefined ? index : stretch.from + index - stretch.shownFrom;
  }

  #rangesOf(start: number, end: number): readonly RowRange[] {
    const { stretches } = this.#arrangement;
    const ranges: RowRange[] = [];
    for (let at = Math.max(0, lastAtOrBefore(stretches, start)); at < stretches.length; at++) {
      const { shownFrom, from, count } = stretches[at] ?? { shownFrom: end, from: 0, count: 0 };
      if (shownFrom >= end) break;
      const [first, last] = [Math.max(start, shownFrom), Math.min(end, shownFrom + count)];
      if (first < last) ranges.push({ start: from + first - shownFrom, end: from + last - shownFrom });
    }
    // Only headings are visible, but the count is still needed.
    return ranges.length > 0 ? ranges : [{ start: 0, end: 1 }];
  }
}

/** The index of the stretch with a shown row; -1 before the first. */
function lastAtOrBefore(stretches: readonly Stretch[], index: number): number {
  return countWhile(stretches, ({ shownFrom }) => shownFrom <= index) - 1;
}

function arrangementOf(groups: readonly RowGroup[], collapsed: ReadonlySet<string>): Arrangement {
  const heads: GroupHead[] = [];
  const stretches: { shownFrom: number; from: number; count: number }[] = [];
  const deepest = groups.reduce((level, group) => Math.max(level, group.level), 0);
  let shown = 0;
  let closedAbove: number | undefined;
  for (const group of groups) {
    if (closedAbove !== undefined && group.level > closedAbove) continue;
    closedAbove = undefined;
    const isCollapsed = collapsed.has(group.key);
    heads.push({ group, before: shown, isCollapsed });
    if (isCollapsed) closedAbove = group.level;
    else if (group.level === deepest) {
      const last = stretches.at(-1);
      if (last !== undefined && last.from + last.count === group.start) last.count += group.count;
      else stretches.push({ shownFrom: shown, from: group.start, count: group.count });
      shown += group.count;
    }
  }
  return { heads, stretches, shown };
}
