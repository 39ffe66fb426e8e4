import type { EveryRow, RowQuery, RowWrites, TableHandle } from '@trellis/sdk/server';
import type { RowChange } from '../changes/row-change.ts';
import type { CompiledQuery } from '../query/select.ts';
import { deleteMatching, updateMatching } from '../query/write.ts';
import { admitCells } from './admit-cells.ts';
import { deleteRows, updateRows } from './change-matching.ts';
import { matchingKeys, matchingRows } from './matching-rows.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import type { RecordedWrites } from './recorded-writes.ts';
import { createResolve } from './resolve-query.ts';
import { rowErrors } from './row-errors.ts';
import { keyOf, whereOfCells } from './row-keys.ts';
import { countRows, type RowReaderDependencies } from './row-reader.ts';
import { byColumnId } from './row-values.ts';
import { endsOfSet } from './set-ends.ts';
import { deletingSetAlong } from './sets-along.ts';
import { deletingAlong } from './taken-along.ts';
import type { WriteInput } from './write-input.ts';
import type { OnTable } from './writes-on-table.ts';

interface MatchingWritesDependencies extends RowReaderDependencies {
  readonly onTable: OnTable;
  readonly tables: OpenTables;
  readonly asked: WriteInput;
  readonly writes: RecordedWrites;
}

/** Writes to all rows of a query: one by one where they are few, else by one statement that is logged as a whole. */
export function createMatchingWrites(
  deps: MatchingWritesDependencies,
): Pick<RowWrites, 'updateAll' | 'deleteAll'> {
  const { tables, asked, writes, onTable } = deps;
  const resolve = createResolve(deps);

  /** @throws TrellisError 400 `CONFIRM_ALL` for a query that asks nothing, unless the caller says that every row is meant. */
  async function resolveSome(
    open: OpenTable,
    query: RowQuery,
    consent: EveryRow = {},
  ): Promise<CompiledQuery> {
    const { compiled, asksNothing } = resolve(open, query);
    if (asksNothing && consent.everyRow !== true)
      throw rowErrors.create('CONFIRM_ALL', {
        count: await countRows(deps.memory, { open, compiled }),
      });
    return compiled;
  }

  return {
    updateAll: (handle, query, input, consent) =>
      onTable(handle, 'bulkDataUpdate', async (open) => {
        const { plan } = open;
        const read = asked.read(open, input);
        // The v1 API promises that a body which holds a key updates nothing: it means a row, not all of them.
        if ([...read.keys()].some(({ column }) => column.primaryKey))
          return { result: 0, operationId: undefined };
        if (read.size === 0) throw rowErrors.create('NOTHING_TO_UPDATE');
        const [{ values } = { values: read }] = await admitCells(open, [{ values: read }]);
        const compiled = await resolveSome(open, query, consent);
        const keys = await matchingKeys(deps.memory, open, compiled);
        return writes.run(open, [{ op: 'update', values }], async (write) => {
          const rows = await matchingRows(write, compiled, keys);
          assertMeant(rows?.length, consent);
          if (rows === undefined) {
            asked.assertUnasked('rows.willUpdate', open);
            write.assertStaysWithin(values);
            const ends = await endsOfSet(write, compiled, values);
            const { changes } = await write.unit.run(updateMatching(compiled, write.assignments(values)));
            assertMeant(changes, consent);
            const set = { op: 'update', predicate: predicateText(handle, query), count: changes } as const;
            return { result: changes, changes: [], set: { ...set, ends, patch: byColumnId(values) } };
          }
          const patches = await asked.willUpdate(
            open,
            rows.map((cells) => ({ key: keyOf(plan, cells), values })),
            { within: open.database },
          );
          if (patches.every((patch) => patch.values === values))
            return { result: rows.length, changes: await updateRows(write, rows, values) };
          const changes: RowChange[] = [];
          for (const [index, cells] of rows.entries()) {
            const patch = patches[index]?.values ?? values;
            const updated = await write.update(whereOfCells(plan, cells), patch);
            if (updated?.change) changes.push(updated.change);
          }
          return { result: rows.length, changes };
        });
      }),

    deleteAll: (handle, query, consent) =>
      onTable(handle, 'bulkDataDelete', async (open) => {
        const compiled = await resolveSome(open, query, consent);
        const keys = await matchingKeys(deps.memory, open, compiled);
        return writes.run(open, [{ op: 'delete' }], async (write) => {
          const rows = await matchingRows(write, compiled, keys);
          assertMeant(rows?.length, consent);
          if (rows === undefined) {
            asked.assertUnasked('rows.willDelete', open);
            const done = await deletingSetAlong(write, tables, async () => {
              const ends = await endsOfSet(write, compiled);
              const { changes: count } = await write.unit.run(deleteMatching(compiled));
              assertMeant(count, consent);
              return { op: 'delete', predicate: predicateText(handle, query), patch: {}, count, ends };
            });
            return { result: done.set.count, changes: [], ...done };
          }
          await asked.willDelete(
            open,
            rows.map((cells) => keyOf(open.plan, cells)),
            { within: open.database },
          );
          const done = await deletingAlong(write, tables, rows, () => deleteRows(write, rows));
          return { result: done.changes.length, ...done };
        });
      }),
  };
}

/** Called within the transaction; an error that it throws rolls the transaction back. */
function assertMeant(count: number | undefined, { most = Infinity }: EveryRow = {}): void {
  if (count !== undefined && count > most) throw rowErrors.create('MORE_THAN_MEANT', { limit: most });
}

/** The condition of a write to many rows, as the log keeps it. */
function predicateText({ view }: TableHandle, { where, filters }: RowQuery): string {
  return JSON.stringify({ viewId: view?.id, where, filters });
}
