import { mayRead, type RowInput, type ValuesByColumn } from '@trellis/sdk/server';
import { formatRowKey, type CellValue, type Row } from '@trellis/sdk/shared';
import { isSameCell, type LoggedRow } from '../changes/log-entry.ts';
import type { AlikeChanges, RowChange } from '../changes/row-change.ts';
import type { Cells } from '../databases/database.ts';
import { keyOf } from './row-keys.ts';
import type { OpenTable } from './open-table.ts';
import { rowBuilder, type TablePlan, type Values } from './table-plan.ts';

/** A written row with the columns that the caller may see. */
export function shownRow({ handle, plan }: Pick<OpenTable, 'handle' | 'plan'>, cells: Cells): Row {
  const shown = plan.columns.flatMap((codec, index) =>
    codec !== plan.rowOrder && mayRead(handle.scope, codec.column) ? [{ codec, cell: cells[index] }] : [],
  );
  return rowBuilder(shown.map(({ codec }) => codec))(shown.map(({ cell }) => cell));
}

/** The keys, as rows by titles, of rows with all columns of the plan. */
export function keyRows(plan: TablePlan, rows: readonly Cells[]): readonly Row[] {
  const build = rowBuilder(plan.key);
  return rows.map((cells) => build(plan.keyIndexes.map((index) => cells[index])));
}

/** Rows with all columns of the plan, in the form of the log. */
export function insertionsOf(plan: TablePlan, rows: readonly Cells[]): AlikeChanges {
  const decoders = plan.columns.map(({ decode }) => decode);
  const [only, ...others] = plan.keyIndexes;
  // Without closures: it runs for each row of a bulk write.
  const logged: LoggedRow[] = [];
  for (const cells of rows) {
    const values: CellValue[] = [];
    for (let place = 0; place < decoders.length; place += 1)
      values.push(decoders[place]?.(cells[place]) ?? null);
    const key = only !== undefined && others.length === 0 ? values[only] : undefined;
    const name =
      typeof key === 'number' || typeof key === 'string'
        ? String(key)
        : formatRowKey(plan.keyIndexes.map((index) => values[index] ?? null));
    logged.push([name, null, values]);
  }
  return { op: 'insert', columns: plan.columns.map(({ column }) => column.id), rows: logged };
}

export function insertionOf(plan: TablePlan, cells: Cells): RowChange {
  return { op: 'insert', rowKey: keyOf(plan, cells), before: undefined, after: loggedValues(plan, cells) };
}

export function deletionOf(plan: TablePlan, cells: Cells): RowChange {
  return { op: 'delete', rowKey: keyOf(plan, cells), before: loggedValues(plan, cells), after: undefined };
}

/**
 * The changes of an update, with the remaining columns of foreign keys that it changed in part; undefined if the row is unchanged.
 */
export function differenceOf(plan: TablePlan, before: Cells, after: Cells): RowChange | undefined {
  const from = loggedValues(plan, before);
  const to = loggedValues(plan, after);
  const changed = plan.columns
    .map((of) => of.column.id)
    .filter((id) => !isSameCell(from[id] ?? null, to[id] ?? null));
  if (changed.length === 0) return undefined;
  const told = new Set(changed);
  for (const ids of plan.compositeKeys)
    if (ids.some((id) => changed.includes(id))) for (const id of ids) told.add(id);
  const pick = (values: ValuesByColumn) =>
    Object.fromEntries(Array.from(told, (id) => [id, values[id] ?? null]));
  return { op: 'update', rowKey: keyOf(plan, after), before: pick(from), after: pick(to) };
}

/** Whether a row still has the values that a change left. The product's own stamps and the row's position are ignored. */
export function isAsLeft(plan: TablePlan, cells: Cells, after: ValuesByColumn): boolean {
  return plan.columns.every((of, index) => {
    const left = after[of.column.id];
    return (
      left === undefined ||
      of.column.autoUpdate ||
      of === plan.rowOrder ||
      isSameCell(of.decode(cells[index]), left)
    );
  });
}

/** The logged values of a row that can be written again. */
export function valuesOf(plan: TablePlan, logged: ValuesByColumn): Values {
  return new Map(
    Object.entries(logged).flatMap(([id, value]) => {
      const of = plan.byId.get(id);
      return of === undefined || of.column.generated ? [] : [[of, value] as const];
    }),
  );
}

/** The logged values of a row that undo writes, without stamps: the time of the change is that of the undo. */
export function restoredValues(plan: TablePlan, logged: ValuesByColumn): Values {
  return new Map([...valuesOf(plan, logged)].filter(([of]) => !of.column.autoUpdate));
}

export function byColumnId(values: Values): ValuesByColumn {
  return Object.fromEntries([...values].map(([of, value]) => [of.column.id, value]));
}

/** The logged values of a row, or those of a staged row, in the form that a client would send. */
export function inputOf({ byId }: TablePlan, values: ValuesByColumn): RowInput {
  return Object.fromEntries(
    Object.entries(values).flatMap(([id, value]) => {
      const of = byId.get(id);
      return of === undefined ? [] : [[of.column.title, value] as const];
    }),
  );
}

export function byTitle(values: Values): RowInput {
  return Object.fromEntries([...values].map(([of, value]) => [of.column.title, value]));
}

function loggedValues(plan: TablePlan, cells: Cells): ValuesByColumn {
  const values: Record<string, CellValue> = {};
  for (const [index, of] of plan.columns.entries()) values[of.column.id] = of.decode(cells[index]);
  return values;
}
