import type { RowInput, ValuesByColumn } from '@trellis/sdk/server';
import { formatRowKey, type CellValue, type Row, type RowKey } from '@trellis/sdk/shared';
import type { RowChange } from '../changes/change-recorder.ts';
import type { Binding } from '../sql/session.ts';
import type { OpenTable } from './row-reader.ts';
import type { ColumnPlan, Values } from './table-plan.ts';

/** Columns with the values that name rows, as the database holds them. */
export type Where = readonly (readonly [ColumnPlan, Binding])[];

/** The cells of a row, in the order of the plan's columns, as the database gave them. */
export type Cells = readonly unknown[];

export function whereOf({ plan }: OpenTable, cells: Cells): Where {
  return plan.key.map((of) => [of, cells[plan.columns.indexOf(of)] as Binding] as const);
}

/** The same rows for the query compiler. */
export function columnsOf(where: Where) {
  return where.map(([of, value]) => [of.column, value] as const);
}

export function keyOf({ plan }: OpenTable, cells: Cells): RowKey {
  return formatRowKey(plan.key.map((of) => of.decode(cells[plan.columns.indexOf(of)])));
}

/** The key alone, as a row by titles. */
export function keyObject({ plan }: OpenTable, { after }: RowChange): Row {
  return Object.fromEntries(plan.key.map((of) => [of.column.title, after?.[of.column.id] ?? null]));
}

export function insertionOf(open: OpenTable, cells: Cells): RowChange {
  return { op: 'insert', rowKey: keyOf(open, cells), before: undefined, after: recordOf(open, cells) };
}

export function deletionOf(open: OpenTable, cells: Cells): RowChange {
  return { op: 'delete', rowKey: keyOf(open, cells), before: recordOf(open, cells), after: undefined };
}

/** What an update changed; undefined when the row is as it was. */
export function differenceOf(open: OpenTable, before: Cells, after: Cells): RowChange | undefined {
  const from = recordOf(open, before);
  const to = recordOf(open, after);
  const changed = open.plan.columns
    .map((of) => of.column.id)
    .filter((id) => !isSame(from[id] ?? null, to[id] ?? null));
  if (changed.length === 0) return undefined;
  const pick = (record: ValuesByColumn) => Object.fromEntries(changed.map((id) => [id, record[id] ?? null]));
  return { op: 'update', rowKey: keyOf(open, after), before: pick(from), after: pick(to) };
}

/** Whether a row still holds what a change left in it. Stamps that the product sets itself do not count. */
export function isAsLeft({ plan }: OpenTable, cells: Cells, after: ValuesByColumn): boolean {
  return plan.columns.every((of, index) => {
    const left = after[of.column.id];
    return left === undefined || of.column.autoUpdate || isSame(of.decode(cells[index]), left);
  });
}

/** The values of a change record that can be written again. */
export function valuesOf({ plan }: OpenTable, record: ValuesByColumn): Values {
  return new Map(
    Object.entries(record).flatMap(([id, value]) => {
      const of = plan.byId.get(id);
      return of === undefined || of.column.generated ? [] : [[of, value] as const];
    }),
  );
}

export function byColumnId(values: Values): ValuesByColumn {
  return Object.fromEntries([...values].map(([of, value]) => [of.column.id, value]));
}

export function byTitle(values: Values): RowInput {
  return Object.fromEntries([...values].map(([of, value]) => [of.column.title, value]));
}

function recordOf({ plan }: OpenTable, cells: Cells): ValuesByColumn {
  const record: Record<string, CellValue> = {};
  for (const [index, of] of plan.columns.entries()) record[of.column.id] = of.decode(cells[index]);
  return record;
}

function isSame(left: CellValue, right: CellValue): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
