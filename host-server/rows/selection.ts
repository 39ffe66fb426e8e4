import type { ColumnSchema } from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import type { Cells } from '../databases/database.ts';
import type { JsonCell } from '../sql/json-rows.ts';
import { jsonCellsOf, rowBuilder, type ColumnCodec, type TablePlan } from './table-plan.ts';

/** The columns that a read shows, with what is prepared once for all reads that show them. */
export interface Selection {
  readonly codecs: readonly ColumnCodec[];
  build(cells: Cells): Row;
  /** How the database writes the rows as JSON; undefined where a cell takes code to decode. */
  readonly json: readonly JsonCell[] | undefined;
  /** Whether all of them have cells in the database, so that none is computed over other rows. */
  readonly isStored: boolean;
}

const known = new WeakMap<TablePlan, WeakMap<readonly ColumnSchema[], Selection>>();

/** The selection of these columns; kept for an array that comes again, as those of `ShownColumns` do. */
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
  return {
    codecs,
    build: rowBuilder(codecs),
    json: jsonCellsOf(codecs),
    isStored: columns.every(({ id }) => plan.byId.has(id)),
  };
}
