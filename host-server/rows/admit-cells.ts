import type { Admission, CellWrite } from '@trellis/sdk/server';
import type { CellValue, RowKey } from '@trellis/sdk/shared';
import { heldCell } from './held-cell.ts';
import type { OpenTable } from './open-table.ts';
import { rowErrors } from './row-errors.ts';
import type { ColumnCodec, Values } from './table-plan.ts';

/** Values for one row. */
interface WrittenRow {
  /** The row whose cells the values come from: the row itself when it exists already, or the row that it is a copy of. */
  readonly key?: RowKey;
  /** True when the cells held these values before, as in a row that undo puts back. */
  readonly isHeld?: boolean;
  readonly values: Values;
}

/**
 * Asks the types of columns that know more than their values about what is to be written, and gives the rows with the values that these
 * keep; most tables have no such column, and then nothing is asked. It must not run inside of a transaction: a type may read.
 *
 * @throws TrellisError 400 that names the first value which is refused, and what a type throws.
 */
export async function admitCells<Row extends WrittenRow>(
  open: OpenTable,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  let admitted = rows;
  for (const of of open.plan.admitting) admitted = await admitColumn(open, of, admitted);
  return admitted;
}

async function admitColumn<Row extends WrittenRow>(
  open: OpenTable,
  of: ColumnCodec,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const writes: CellWrite[] = [];
  const places: number[] = [];
  for (const [place, { key, isHeld, values }] of rows.entries()) {
    const value = values.get(of) ?? null;
    if (value === null) continue;
    const former = async () => (isHeld === true ? value : ((await heldCell(open, of, key)) ?? null));
    writes.push({ value, former });
    places.push(place);
  }
  if (writes.length === 0) return rows;
  const { scope, table } = open.handle;
  const answers = (await of.type?.server?.admit?.(writes, { scope, table, column: of.context })) ?? [];
  const kept = [...rows];
  for (const [index, place] of places.entries()) {
    const row = rows[place];
    const answer = answers[index];
    if (row === undefined || answer === undefined) continue;
    kept[place] = {
      ...row,
      values: new Map([...row.values, [of, admittedValue(of, answer, place, rows.length)]]),
    };
  }
  return kept;
}

function admittedValue(of: ColumnCodec, answer: Admission, place: number, rowCount: number): CellValue {
  if ('value' in answer) return answer.value;
  const refusal = { column: of.column.title, problem: answer.refused };
  throw rowCount === 1
    ? rowErrors.create('VALUE_REFUSED', refusal)
    : rowErrors.create('VALUE_REFUSED_IN_ROW', { ...refusal, row: place + 1 });
}
