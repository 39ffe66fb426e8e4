import { meets, NotDecided, type CellValue, type Predicate, type Row } from '../../shared/index.ts';
import type { AccessService } from '../access.ts';
import type { OutboxEvent } from '../outbox.ts';
import type { RowStore } from '../row-store.ts';
import type { SchemaStore } from '../schema-store.ts';
import type { TableHandle } from '../table-handle.ts';

/** What `createMeetsChange` asks. @public */
export interface MeetsChangeServices {
  readonly access: Pick<AccessService, 'narrow'>;
  readonly schema: Pick<SchemaStore, 'open'>;
  readonly rows: Pick<RowStore, 'exists'>;
}

/**
 * Says whether the row of a change meets a condition as `RowStore.conditionOf` makes them: the row right after the change, a deleted one
 * as it was before. What cells alone do not tell, such as linked rows, is asked for in the database, as it is now; of a deleted row nobody
 * knows it any more, and the answer is no. The returned function takes the row right after the change, as `payloadOf` gives it in `data`.
 * @public
 */
export function createMeetsChange({ access, schema, rows }: MeetsChangeServices) {
  /** The cells that the change does not name are asked for in the database, and beside them what is made of others. */
  async function isMetInDatabase(
    condition: Predicate,
    { change }: OutboxEvent,
    handle: TableHandle,
    told: ReadonlyMap<string, CellValue>,
    rowThen: () => Promise<Row | undefined>,
  ): Promise<boolean> {
    if (change.rowKey === undefined) return false;
    const row = await rowThen();
    if (row !== undefined) {
      const cells = new Map<string, CellValue>();
      for (const column of handle.table.columns) {
        const value = told.get(column.id) ?? (column.storage === 'virtual' ? undefined : row[column.title]);
        if (value !== undefined) cells.set(column.id, value);
      }
      for (const [id, value] of told) cells.set(id, value);
      try {
        return meets(condition, { kindOf: (id) => handle.table.columnById.get(id)?.storage, cells });
      } catch (error) {
        if (!(error instanceof NotDecided)) throw error;
      }
    }
    const { id } = handle.table;
    const narrowed = access.narrow(handle.scope, { rows: new Map([[id, condition]]) });
    return rows.exists(await schema.open(narrowed, id), change.rowKey);
  }

  return async (
    condition: Predicate,
    event: OutboxEvent,
    handle: TableHandle,
    rowThen: () => Promise<Row | undefined>,
  ): Promise<boolean> => {
    const { op, before, after } = event.change;
    const kindOf = (id: string) => handle.table.columnById.get(id)?.storage;
    const told = new Map<string, CellValue>(Object.entries((op === 'delete' ? before : after) ?? {}));
    try {
      return meets(condition, { kindOf, cells: told });
    } catch (error) {
      if (!(error instanceof NotDecided)) throw error;
    }
    // What only the database knows of a deleted row, such as the rows that it was linked to, nobody knows any more.
    if (op === 'delete') return false;
    return isMetInDatabase(condition, event, handle, told, rowThen);
  };
}

/** Whether a change gave a cell another value. @public */
export function changesCell(columnId: string, { change: { before, after } }: OutboxEvent): boolean {
  return (
    after !== undefined &&
    Object.hasOwn(after, columnId) &&
    JSON.stringify(before?.[columnId] ?? null) !== JSON.stringify(after[columnId] ?? null)
  );
}
