import type { ColumnSchema } from '@trellis/sdk/server';
import type { Binding } from '../sql/session.ts';
import type { CompiledQuery } from '../query/select.ts';

interface Anchor {
  readonly offset: number;
  /** The row's values in the columns of `PageAnchors.columnsOf`. */
  readonly at: readonly Binding[];
}

interface Shape {
  readonly version: number;
  readonly madeAt: number;
  /** Sorted by offset. */
  anchors: Anchor[];
}

const mostShapes = 200;
const mostAnchors = 500;
/** Other programs may write to the table as well, so anchors expire soon. Milliseconds. */
const life = 5000;

/**
 * Remembers which row is at which offset, for pages ordered by a single ascending key or by the rows' own order, so that a deep
 * page can seek instead of skip. Every write to the table through this server clears them.
 */
export class PageAnchors {
  readonly #shapes = new Map<string, Shape>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * The columns whose values give a row's position: the single whole-number key, or the manual row order before it. Undefined for
   * pages in another order. Texts and decimals are sorted by the product's rules, which differ from the database's comparison of
   * keys.
   */
  static columnsOf({ order, table }: CompiledQuery): readonly ColumnSchema[] | undefined {
    const [key, ...others] = table.primaryKey;
    if (order === 'random' || key === undefined || others.length > 0) return undefined;
    if (key.storage !== 'integer' && key.storage !== 'bigint') return undefined;
    const { rowOrder } = table;
    const columns = order[0]?.column === rowOrder && rowOrder !== undefined ? [rowOrder, key] : [key];
    const isOrder =
      order.length === columns.length &&
      order.every(({ column, direction }, at) => column === columns[at] && direction === 'asc');
    return isOrder ? columns : undefined;
  }

  /** The nearest known row at or before an offset. */
  nearest(shape: string, version: number, offset: number): Anchor | undefined {
    const known = this.#shapes.get(shape);
    if (known === undefined || known.version !== version || this.#now() - known.madeAt > life)
      return undefined;
    return known.anchors.findLast((anchor) => anchor.offset <= offset);
  }

  clear(): void {
    this.#shapes.clear();
  }

  learn(shape: string, version: number, offset: number, at: readonly Binding[]): void {
    let known = this.#shapes.get(shape);
    if (known === undefined || known.version !== version || this.#now() - known.madeAt > life) {
      if (this.#shapes.size >= mostShapes) this.#shapes.clear();
      known = { version, madeAt: this.#now(), anchors: [] };
      this.#shapes.set(shape, known);
    }
    if (known.anchors.some((anchor) => anchor.offset === offset)) return;
    if (known.anchors.length >= mostAnchors)
      known.anchors = known.anchors.filter((_, index) => index % 2 === 0);
    known.anchors = [...known.anchors, { offset, at }].sort((a, b) => a.offset - b.offset);
  }
}
