import { isDeepStrictEqual } from 'node:util';
import type { RowWrites, WriteAnswer } from '@trellis/sdk/server';
import type { CellValue, Row, RowKey } from '@trellis/sdk/shared';
import { heldCell } from './held-cell.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import type { RecordedWrites, Written } from './recorded-writes.ts';
import { rowErrors } from './row-errors.ts';
import { whereOfKey } from './row-keys.ts';
import { shownRow } from './row-values.ts';
import type { ColumnCodec } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';
import type { WriteInput } from './write-input.ts';
import { assertUnseen, type OnTable } from './writes-on-table.ts';

/** Of concurrent writers of a cell, one always succeeds per try, so this many can be served. */
const mostTries = 200;

interface ReviseDependencies {
  readonly tables: OpenTables;
  readonly asked: WriteInput;
  readonly writes: RecordedWrites;
  readonly onTable: OnTable;
}

/** A cell that exists for the caller. */
interface Place {
  readonly open: OpenTable;
  readonly of: ColumnCodec;
  readonly key: RowKey;
}

type Revised = Row | 'changed' | undefined;

const nowhere: WriteAnswer<undefined> = { result: undefined, operationId: undefined };

/**
 * Writes of one cell that are computed from its value. Types and hooks run before the transaction; it then locks the row, and
 * writes only if the cell still has the value that was read. Otherwise everything is repeated with the new value.
 */
export function createRevise({ tables, asked, writes, onTable }: ReviseDependencies): RowWrites['revise'] {
  async function reviseFrom(
    { open, of, key }: Place,
    held: CellValue,
    value: CellValue,
  ): Promise<WriteAnswer<Revised>> {
    const values = asked.read(open, { [of.column.title]: value });
    if (values.size === 0) throw rowErrors.create('NOTHING_TO_UPDATE');
    const [patch = { key, values }] = await asked.willUpdate(open, [{ key, values }]);
    const where = whereOfKey(open.plan, key) ?? [];
    const place = open.plan.columns.indexOf(of);
    const update = async (write: TableWrite): Promise<Written<Revised>> => {
      const cells = await write.lockCells(where);
      if (cells !== undefined && !isDeepStrictEqual(of.decode(cells[place]), held))
        return { result: 'changed', changes: [] };
      const updated = cells && (await write.update(where, patch.values));
      if (updated === undefined) return { result: undefined, changes: [] };
      return { result: shownRow(open, updated.cells), changes: updated.change ? [updated.change] : [] };
    };
    return writes.run(open, [{ op: 'update', key, values: patch.values }], update);
  }

  return async (handle, { key, column: title }, make) => {
    const answer = await onTable(handle, 'dataUpdate', async (open) => {
      const column = open.plan.table.columnByTitle.get(title);
      const of = column && open.plan.byId.get(column.id);
      if (of === undefined) return nowhere;
      for (let tries = 0; tries < mostTries; tries += 1) {
        const held = await heldCell(open, of, key);
        if (held === undefined) return nowhere;
        const { result, operationId } = await reviseFrom({ open, of, key }, held, make(held));
        if (result !== 'changed') return { result, operationId };
      }
      throw rowErrors.create('CELL_CONTENDED', { column: title });
    });
    if (answer.result === undefined) await assertUnseen(tables, handle, key);
    return answer;
  };
}
