import type { Binding } from '../sql/session.ts';
import type { CompiledQuery } from '../query/select.ts';

interface Anchor {
  readonly offset: number;
  readonly key: Binding;
}

interface Shape {
  readonly version: number;
  readonly madeAt: number;
  /** Sorted by offset. */
  anchors: Anchor[];
}

const mostShapes = 200;
const mostAnchors = 500;
/** Other programs may write to the table as well; what was learnt is soon forgotten. */
const life = 5000;

/**
 * Remembers which key stands at which offset, for pages in the order of a single ascending key, so that a deep page can seek
 * instead of skip. Every write to the table through this server forgets them.
 */
export class PageAnchors {
  readonly #shapes = new Map<string, Shape>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Whether pages of this query are ordered by one ascending whole-number key alone. Texts and decimals are ordered by the
   * product's rules, which are not those by which the database compares keys.
   */
  static fits(query: CompiledQuery): boolean {
    const { order, table } = query;
    if (order === 'random' || order.length !== 1 || table.primaryKey.length !== 1) return false;
    const [first] = order;
    if (first === undefined || first.column !== table.primaryKey[0] || first.direction !== 'asc')
      return false;
    return first.column.storage === 'integer' || first.column.storage === 'bigint';
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

  learn(shape: string, version: number, offset: number, key: Binding): void {
    let known = this.#shapes.get(shape);
    if (known === undefined || known.version !== version || this.#now() - known.madeAt > life) {
      if (this.#shapes.size >= mostShapes) this.#shapes.clear();
      known = { version, madeAt: this.#now(), anchors: [] };
      this.#shapes.set(shape, known);
    }
    if (known.anchors.some((anchor) => anchor.offset === offset)) return;
    if (known.anchors.length >= mostAnchors)
      known.anchors = known.anchors.filter((_, index) => index % 2 === 0);
    known.anchors = [...known.anchors, { offset, key }].sort((a, b) => a.offset - b.offset);
  }
}
