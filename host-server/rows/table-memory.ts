import type { Bus, GroupFigures } from '@trellis/sdk/server';
import type { RowSet } from '../sql/unit.ts';
import { PageAnchors } from './page-anchors.ts';
import { RememberedAnswers } from './remembered-answers.ts';

interface KnownSize {
  readonly at: number;
  readonly rows: number;
}

/** Milliseconds for which a size is believed: what goes by it does not need it exact. */
const sizeLife = 60_000;
const mostCounts = 500;
/** Answers with groups that are remembered, and groups of each at the most: as many as a board has stacks or a month pairs of days. */
const mostGroupings = 100;
const mostGroups = 1000;

/** The groups of rows: first those by the first column alone, last those by all of them. */
export type GroupLevels = readonly (readonly GroupFigures[])[];

/** What is remembered of the tables' rows between calls: counts, groups, and which key stands at which offset. */
export class TableMemory {
  readonly anchors = new PageAnchors();
  readonly #versions = new Map<string, number>();
  /** How often writes of other servers may have gone unheard. */
  #gaps = 0;
  readonly #counts = new RememberedAnswers<number>({ most: mostCounts });
  readonly #groups = new RememberedAnswers<GroupLevels>({
    most: mostGroupings,
    keeps: (levels) => levels.flat().length <= mostGroups,
  });
  /** Pages may be as large as an answer may be, so none is kept: callers share only a read that is running. */
  readonly #rows = new RememberedAnswers<RowSet>({ most: 0, keeps: () => false });
  /** Grows with every write through this server. */
  #writes = 0;
  readonly #sizes = new Map<string, KnownSize>();

  /** @param bus tells of rows that other servers wrote; the writes of this one touch their tables themselves. */
  constructor(bus: Bus) {
    bus.subscribe('rows.changed', {
      message: ({ tableId }, origin) => {
        if (origin === 'elsewhere') this.touch(tableId);
      },
      gap: () => this.#touchAll(),
    });
  }

  /** Grows with every write to the table of which this server knows, and whenever there may be others. */
  version(tableId: string): number {
    return (this.#versions.get(tableId) ?? 0) + this.#gaps;
  }

  /** Forgets what is known of a table after a write to it. */
  touch(tableId: string): void {
    this.#versions.set(tableId, (this.#versions.get(tableId) ?? 0) + 1);
    this.#writes += 1;
  }

  /** Forgets what is known of all tables, those among them of which nobody here knew a write. */
  #touchAll(): void {
    this.#gaps += 1;
    this.#writes += 1;
    this.#counts.clear();
    this.#groups.clear();
    this.anchors.clear();
  }

  /** About how many rows the table has, where that is known. */
  size(tableId: string): number | undefined {
    const known = this.#sizes.get(tableId);
    return known !== undefined && performance.now() - known.at < sizeLife ? known.rows : undefined;
  }

  learnSize(tableId: string, rows: number): void {
    if (this.#sizes.size >= mostCounts) this.#sizes.clear();
    this.#sizes.set(tableId, { at: performance.now(), rows });
  }

  /** The count of a query by its shape. */
  count(tableId: string, shape: string, ask: () => Promise<number>): Promise<number> {
    // Two external databases may each have a table of this name.
    return this.#counts.get(`${tableId} ${shape}`, this.version(tableId), ask);
  }

  /** The groups of a query by its shape. They may show values of linked rows, so any write here makes them unknown. */
  groups(tableId: string, shape: string, ask: () => Promise<GroupLevels>): Promise<GroupLevels> {
    return this.#groups.get(`${tableId} ${shape}`, this.#writes, ask);
  }

  /** The rows of a costly query by its shape: those who ask for the same at the same time, as strangers with one link do, have one answer. */
  rows(tableId: string, shape: string, ask: () => Promise<RowSet>): Promise<RowSet> {
    return this.#rows.get(`${tableId} ${shape}`, this.#writes, ask);
  }
}
