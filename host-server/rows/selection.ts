import type { ColumnSchema } from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import type { Cells } from '../databases/database.ts';
import { columnIn } from '../query/compile-related.ts';
import type { JsonCell } from '../sql/json-rows.ts';
import {
  jsonCellsOf,
  rowBuilder,
  type ColumnCodec,
  type LinkedColumn,
  type TablePlan,
} from './table-plan.ts';

/** The columns of a read, with what is prepared once for all reads of these columns. */
export interface Selection {
  readonly codecs: readonly ColumnCodec[];
  /**
   * The columns that a statement reads: the same ones, except that cells of linked rows are replaced by the columns that find those
   * rows.
   */
  readonly read: readonly ColumnSchema[];
  /** The columns whose cells show linked rows; `build` leaves them empty. */
  readonly linked: readonly LinkedColumn[];
  build(cells: Cells): Row;
  /** How the database writes the rows as JSON; undefined if a cell takes code to decode, or rows of another table. */
  readonly json: readonly JsonCell[] | undefined;
  /** Whether all of them are stored in the database, so that none is computed over other rows. */
  readonly isStored: boolean;
}

const known = new WeakMap<TablePlan, WeakMap<readonly ColumnSchema[], Selection>>();

/** The selection of these columns; cached per array, since `ShownColumns` returns the same ones again. */
export function selectionOf(plan: TablePlan, columns: readonly ColumnSchema[]): Selection {
  let ofPlan = known.get(plan);
  if (ofPlan === undefined) {
    ofPlan = new WeakMap();
    known.set(plan, ofPlan);
  }
  let selection = ofPlan.get(columns);
  if (selection === undefined) {
    selection = select(plan, columns);
    ofPlan.set(columns, selection);
  }
  return selection;
}

function select(plan: TablePlan, columns: readonly ColumnSchema[]): Selection {
  const codecs = columns.flatMap(({ id }) => plan.readable.get(id) ?? []);
  const linked = columns.flatMap(({ id }) => plan.linked.get(id) ?? []);
  if (linked.length === 0)
    return {
      codecs,
      read: columns,
      linked,
      build: rowBuilder(codecs),
      json: jsonCellsOf(codecs),
      isStored: columns.every(({ id }) => plan.byId.has(id)),
    };
  const ends = linked.flatMap(({ link }) => link.columnIds.map((id) => columnIn(plan.table, id)));
  const read = [...new Set([...columns.filter(({ id }) => !plan.linked.has(id)), ...ends])];
  const build = rowBuilder(codecs);
  const places = codecs.map(({ column }) => (plan.linked.has(column.id) ? -1 : read.indexOf(column)));
  return {
    codecs,
    read,
    linked,
    build: (cells) => build(places.map((at) => (at === -1 ? null : cells[at]))),
    json: undefined,
    isStored: false,
  };
}
