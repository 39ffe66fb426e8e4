import { meets, NotDecided, type CellValue, type Predicate, type Row } from '../../shared/index.ts';
import type { OutboxEvent } from '../outbox.ts';
import type { RowStore } from '../row-store.ts';
import type { TableHandle } from '../table-handle.ts';

/** The services that `createMeetsChange` uses. @public */
export interface MeetsChangeServices {
  readonly rows: Pick<RowStore, 'exists'>;
}

/**
 * Creates a function that tells whether the row of a change meets a condition from `RowStore.conditionOf`, or without one, whether
 * it exists for the handle's scope: the row right after the change, a deleted one as it was before. What cells alone cannot tell,
 * such as linked rows, is queried in the database in its current state with that scope; for a deleted row that is no longer known,
 * and the answer is no. The function takes the row right after the change, as in `data` of `payloadOf`.
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
    // What only the database knows about a deleted row, such as its linked rows, is lost.
    if (isMet !== undefined || op === 'delete' || rowKey === undefined) return isMet ?? false;
    const row = await rowThen();
    const cells = row && new Map([...cellsOf(row, handle), ...told]);
    return (cells && isMetBy(cells)) ?? rows.exists(handle, rowKey, condition);
  };
}

/** Whether cells, by column id, meet a condition; undefined if they do not decide it. */
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

/** The stored cells of a row, which the change contains. */
function cellsOf(row: Row, { table }: TableHandle): readonly (readonly [string, CellValue])[] {
  return table.columns.flatMap(({ id, storage, title }) => {
    const value = storage === 'virtual' ? undefined : row[title];
    return value === undefined ? [] : [[id, value] as const];
  });
}

/** Whether a change gave a cell another value; for a set of rows, whether it set the column. @public */
export function changesCell(columnId: string, { change: { before, after, set } }: OutboxEvent): boolean {
  if (set !== undefined) return set.columns.includes(columnId);
  return (
    after !== undefined &&
    Object.hasOwn(after, columnId) &&
    JSON.stringify(before?.[columnId] ?? null) !== JSON.stringify(after[columnId] ?? null)
  );
}

/**
 * Whether the stored cells of a row decide a condition. Of a row before a change nothing else is known: computed values and linked
 * rows are available only in their current state.
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
