import type { ColumnSchema, PageRequest } from '@trellis/sdk/server';
import type { Cells } from '../databases/database.ts';
import { selectCount, type PageOf } from '../query/select.ts';
import type { Binding } from '../sql/session.ts';
import type { OpenTable } from './open-table.ts';
import { PageAnchors } from './page-anchors.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import type { TableMemory } from './table-memory.ts';

/** Where the reading of a page begins. */
export interface PageStart {
  readonly of: PageOf;
  /** Whether the row at the page's offset may be remembered and is not yet. */
  readonly isWorthLearning: boolean;
  /** Columns to read after those of the page, which `learn` needs. */
  readonly besides: readonly ColumnSchema[];
  /** Remembers the row at the offset, given the first row of the page. */
  learn(first: Cells | undefined): void;
}

/** Cells that are read and written as JSON within some tenths of a millisecond. */
const fewCells = 1000;
/** Rows that can be skipped equally fast. */
const fewRows = 200;

/**
 * Whether a page is a few neighbouring rows in the order of the key, so that it may be read in the server's process. With a
 * condition, any number of rows might be skipped.
 */
export function isShortPage({ compiled, columns }: ResolvedQuery, { limit, offset }: PageOf): boolean {
  const isFew = limit * Math.max(1, columns.length) <= fewCells && offset <= fewRows;
  const isStored = columns.every(({ columnName }) => columnName !== '');
  const isWhole = compiled.rule === undefined && compiled.predicate === undefined;
  return isFew && isStored && isWhole && PageAnchors.columnsOf(compiled) !== undefined;
}

/** A page begins at the nearest row with a remembered offset, or at the first row. */
export function pageStart(
  memory: TableMemory,
  { handle }: OpenTable,
  { compiled, columns }: Pick<ResolvedQuery, 'compiled' | 'columns'>,
  page: PageRequest,
): PageStart {
  const by = PageAnchors.columnsOf(compiled);
  const nothing = { of: page, isWorthLearning: false, besides: [], learn() {} };
  if (by === undefined || page.offset === 0) return nothing;
  const besides = by.filter((column) => column === handle.table.rowOrder);
  const read = [...columns, ...besides];
  const places = by.map((column) => read.indexOf(column));
  if (places.includes(-1)) return nothing;
  const tableId = handle.table.id;
  const version = memory.version(tableId);
  // Two external databases may each have a table of this name.
  const shape = `${tableId} ${selectCount(compiled).shape}`;
  const anchor = memory.anchors.nearest(shape, version, page.offset);
  const isWorthLearning = anchor?.offset !== page.offset;
  return {
    of: {
      limit: page.limit,
      offset: page.offset - (anchor?.offset ?? 0),
      ...(anchor && { from: by.map((column, index) => ({ column, value: anchor.at[index] ?? null })) }),
    },
    isWorthLearning,
    besides: isWorthLearning ? besides : [],
    learn(first) {
      if (first === undefined) return;
      const at = places.map((place) => first[place] as Binding);
      memory.anchors.learn(shape, version, page.offset, at);
    },
  };
}
