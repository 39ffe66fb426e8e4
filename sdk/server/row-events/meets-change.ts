import { meets, NotDecided, type CellValue, type Predicate, type Row } from '../../shared/index.ts';
import type { OutboxEvent } from '../outbox.ts';
import type { RowStore } from '../row-store.ts';
import type { TableHandle } from '../table-handle.ts';

/** What `createMeetsChange` asks. @public */
export interface MeetsChangeServices {
  readonly rows: Pick<RowStore, 'exists'>;
}

/**
 * Says whether the row of a change meets a condition as `RowStore.conditionOf` makes them, or without one the rules by which rows exist for
 * the scope of the handle: the row right after the change, a deleted one as it was before. What cells alone do not tell, such as linked rows,
 * is asked for in the database in the name of that scope, as it is now; of a deleted row nobody knows it any more, and the answer is no. The
 * returned function takes the row right after the change, as `payloadOf` gives it in `data`.
 * @public
 */
export function createMeetsChange({ rows }: MeetsChangeServices) {
  return async (
    condition: Predicate | undefined,
    event: OutboxEvent,
    handle: TableHandle,
    rowThen: () => Promise<Row | undefined>,
  ): Promise<boolean> => {
    const { op, before, after, rowKey } = event.change;
    const told = Object.entries((op === 'delete' ? before : after) ?? {});
    const decisive = condition ?? handle.scope.rowPredicate(handle.table.id);
    if (decisive === undefined) return true;
    const isMetBy = decidedBy(decisive, handle);
    const isMet = isMetBy(new Map(told));
    // What only the database knows of a deleted row, such as the rows that it was linked to, nobody knows any more.
    if (isMet !== undefined || op === 'delete' || rowKey === undefined) return isMet ?? false;
    const row = await rowThen();
    const cells = row && new Map([...cellsOf(row, handle), ...told]);
    return (cells && isMetBy(cells)) ?? rows.exists(handle, rowKey, condition);
  };
}

/** Says whether cells, by the ids of their columns, meet a condition; undefined where they do not tell. */
function decidedBy(condition: Predicate, { table }: TableHandle) {
  const kindOf = (id: string) => table.columnById.get(id)?.storage;
  return (cells: ReadonlyMap<string, CellValue>): boolean | undefined => {
    try {
      return meets(condition, { kindOf, cells });
    } catch (error) {
      if (error instanceof NotDecided) return undefined;
      throw error;
    }
  };
}

/** The cells of a row but those that are made of others, of which the change tells. */
function cellsOf(row: Row, { table }: TableHandle): readonly (readonly [string, CellValue])[] {
  return table.columns.flatMap(({ id, storage, title }) => {
    const value = storage === 'virtual' ? undefined : row[title];
    return value === undefined ? [] : [[id, value] as const];
  });
}

/** Whether a change gave a cell another value; of a set of rows, whether it set the column. @public */
export function changesCell(columnId: string, { change: { before, after, set } }: OutboxEvent): boolean {
  if (set !== undefined) return set.columns.includes(columnId);
  return (
    after !== undefined &&
    Object.hasOwn(after, columnId) &&
    JSON.stringify(before?.[columnId] ?? null) !== JSON.stringify(after[columnId] ?? null)
  );
}

/**
 * Whether a condition can be decided by the cells that are stored in a row. Of a row as it was before a change nothing else is known: what is
 * computed, and the rows that are linked, are there only as they are now.
 * @public
 */
export function isOfStoredCells(condition: Predicate, { table }: Pick<TableHandle, 'table'>): boolean {
  const stored = table.columns.filter(({ storage }) => storage !== 'virtual');
  const kindOf = (id: string) => table.columnById.get(id)?.storage;
  try {
    meets(condition, { kindOf, cells: new Map(stored.map(({ id }) => [id, null])) });
    return true;
  } catch (error) {
    if (error instanceof NotDecided) return false;
    throw error;
  }
}
