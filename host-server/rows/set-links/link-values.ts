import type { CellValue } from '@trellis/sdk/shared';
import type { Cells } from '../../databases/database.ts';
import { columnIn } from '../../query/compile-related.ts';
import type { Binding } from '../../sql/session.ts';
import type { OpenTable } from '../open-table.ts';
import type { TablePlan } from '../table-plan.ts';

/** The values of some columns of a row, as the database holds them. */
export function bindingsIn(
  { plan }: Pick<OpenTable, 'plan'>,
  cells: Cells,
  columnIds: readonly string[],
): readonly Binding[] {
  return columnIds.map(
    (id) => (cells[plan.columns.findIndex(({ column }) => column.id === id)] ?? null) as Binding,
  );
}

/** The values of some columns of a row, decoded as people and clients write them. */
export function cellsIn(
  { plan }: OpenTable,
  cells: Cells,
  columnIds: readonly string[],
): readonly CellValue[] {
  return decoded({ plan }, columnIds, bindingsIn({ plan }, cells, columnIds));
}

/** Encodes values of some columns as the database holds them. */
export function encoded(
  { plan }: Pick<OpenTable, 'plan'>,
  columnIds: readonly string[],
  values: readonly CellValue[],
): readonly Binding[] {
  return columnIds.map((id, index) => plan.byId.get(id)?.encode(values[index] ?? null) ?? null);
}

/** Decodes what `encoded` encodes. */
export function decoded(
  { plan }: Pick<OpenTable, 'plan'>,
  columnIds: readonly string[],
  cells: Cells,
): readonly CellValue[] {
  return columnIds.map((id, index) => plan.byId.get(id)?.decode(cells[index]) ?? null);
}

export function sameCells(one: readonly CellValue[], other: readonly CellValue[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function byTitle(
  { table }: Pick<TablePlan, 'table'>,
  columnIds: readonly string[],
  values: readonly CellValue[],
): Readonly<Record<string, CellValue>> {
  return Object.fromEntries(columnIds.map((id, index) => [columnIn(table, id).title, values[index] ?? null]));
}
