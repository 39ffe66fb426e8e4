import type { HookRegistry } from '@trellis/core';
import {
  isVisitor,
  type AccessScope,
  type Change,
  type SchemaStore,
  type ServerHooks,
  type TableSchema,
  type UndoAnswer,
} from '@trellis/sdk/server';
import { changesOfOperation } from '../changes/read-log.ts';
import { Purges } from '../changes/retention/purges.ts';
import type { RowChange, TableChanges } from '../changes/row-change.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { assertLinksSeen } from './links-seen.ts';
import { lockAll } from './lock-rows.ts';
import { requireWrite, type OpenTable, type OpenTables } from './open-table.ts';
import type { Intent, RecordedWrites } from './recorded-writes.ts';
import { hiddenValues, restorable } from './restorable.ts';
import { assertMayRestore, inverse, revertChange, type Reversal } from './revert-change.ts';
import { rowErrors } from './row-errors.ts';
import { whereOfKey } from './row-keys.ts';
import type { Values } from './table-plan.ts';
import { deletingAlong, takesAlong } from './taken-along.ts';
import { TableWrite } from './table-write.ts';
import type { WriteInput } from './write-input.ts';
import type { OnTable } from './writes-on-table.ts';

interface UndoDependencies {
  readonly metadata: Metadata;
  readonly hooks: Pick<HookRegistry<ServerHooks>, 'tell'>;
  readonly schema: SchemaStore;
  readonly tables: OpenTables;
  readonly asked: WriteInput;
  readonly writes: RecordedWrites;
  /** The permission without which nobody may do this to rows. */
  readonly permissionToDo: Readonly<Record<Change['op'], string>>;
  readonly onTable: OnTable;
}

/** One table of an operation, ready to be written. */
interface Reverted {
  readonly open: OpenTable;
  readonly changes: readonly Change[];
  readonly valuesOf: (change: Change) => Values;
}

/** Takes operations back: all rows of all of their tables in one transaction, or none. */
export function createUndo(deps: UndoDependencies) {
  const { metadata, schema, tables, asked, writes, permissionToDo, onTable } = deps;
  const purges = new Purges(deps);

  /** @throws TrellisError 403 or 409 where this caller may not, or nobody can, write these rows of the table again. */
  async function reverted(shown: OpenTable, recorded: readonly Change[]): Promise<Reverted> {
    requireWrite(shown.handle, 'bulkDataUpdate');
    const { open, changes } = await restorable(deps, shown, recorded);
    assertMayRestore(open, changes);
    const former = await asked.willRevert(shown, changes);
    const valuesOf = (change: Change) =>
      new Map([...hiddenValues(shown, open, change), ...(former.get(change) ?? [])]);
    return { open, changes, valuesOf };
  }

  /** Takes one change back. Who takes an insert back may take rows along that point to it by now. */
  async function revert(done: MadeChanges[], write: TableWrite, reversal: Reversal): Promise<void> {
    const { table } = write.plan;
    const run = () => revertChange(write, reversal);
    const where =
      reversal.change.op === 'insert' && takesAlong(write.open)
        ? whereOfKey(write.plan, reversal.change.rowKey ?? '')
        : undefined;
    const cells = where && (await write.lockCells(where));
    if (cells === undefined) return append(done, table, [await run()]);
    const made = await deletingAlong(write, tables, [cells], async () => [await run()]);
    for (const each of made.tables ?? [{ table, changes: made.changes }])
      append(done, each.table, each.changes);
  }

  /** Opens a further table of the operation beside the first one. */
  function beside({ handle }: OpenTable, tableId: string): OpenTable | Promise<OpenTable> {
    const table = handle.snapshot.tables.get(tableId);
    if (table === undefined) throw rowErrors.create('UNDO_TABLE_GONE');
    // A write to an external database does not share a transaction with its log entry, so only one table of it is undone at a time.
    if (table.baseId !== handle.table.baseId || handle.snapshot.bases.get(table.baseId)?.own !== true)
      throw rowErrors.create('UNDO_SEVERAL_TABLES');
    return tables.open(handle.linked(table).changing());
  }

  /** @throws PurgedMeanwhile where rows were deleted for good since it was read what they held. */
  async function assertNonePurged({ open: { own }, unit }: TableWrite, projectId: string, count: number) {
    // What is written to an external database is announced by now, which those who delete rows for good look for.
    const now = own
      ? await purges.hold(unit, projectId)
      : await metadata.database.write((held) => purges.hold(held, projectId));
    if (now !== count) throw new PurgedMeanwhile();
  }

  async function undo(scope: AccessScope, operationId: string): Promise<UndoAnswer> {
    scope.require('bulkDataUpdate');
    const projectId = scope.projectId ?? '';
    const count = await purges.count(projectId);
    // What is marked still has its values where somebody was cut off.
    const unfinished = await purges.finish(projectId);
    if (unfinished.some((purge) => purge.operationId === operationId)) throw rowErrors.create('UNDO_PURGED');
    const recorded = await changesOfOperation(metadata, { projectId, operationId });
    const known = recorded.filter(({ isPurged }) => isPurged !== true);
    if (recorded.length === 0 || !recorded.every((change) => mayTakeBack(scope, change)))
      throw rowErrors.create('OPERATION_UNKNOWN');
    // What takes an insert back deletes a row, and the other way round: the caller needs the right to that as well.
    for (const { op, tableId } of recorded) scope.inTable(tableId).require(permissionToDo[inverse[op]]);
    const { id: caller } = scope.principal;
    const isOwn = caller !== '' && recorded.every(({ actorId }) => actorId === caller);
    if (recorded.some(({ kind }) => kind === 'rowSet')) throw rowErrors.create('UNDO_TOO_LARGE');
    const purging = unfinished.find(({ mayHold }) => recorded.some(mayHold));
    if (purging !== undefined)
      throw rowErrors.create('UNDO_PURGE_UNFINISHED', { operation: purging.operationId });
    // What went along comes before the row that took it, so the last one is of the table that was meant.
    const meant = known.at(-1);
    if (meant === undefined) throw rowErrors.create('UNDO_PURGED');
    const answer = await onTable(await schema.open(scope, meant.tableId), 'bulkDataUpdate', async (main) => {
      const parts = new Map<string, Reverted>();
      for (const tableId of new Set(known.map((change) => change.tableId))) {
        const changes = known.filter((change) => change.tableId === tableId);
        const shown = tableId === meant.tableId ? main : await beside(main, tableId);
        parts.set(tableId, await reverted(shown, changes));
      }
      const all = [...parts.values()].flatMap(({ changes }) => changes);
      const intents = all.map((change): Intent => ({ op: inverse[change.op], key: change.rowKey }));
      const order = inOrder(known, parts);
      return writes.run(
        parts.get(meant.tableId)?.open ?? main,
        intents,
        async (write) => {
          await assertNonePurged(write, projectId, count);
          const done: MadeChanges[] = [];
          const writing = new Map<string, TableWrite>();
          // In the order of their ids, so that two that take back the same tables wait for each other in turn.
          for (const [tableId, { open, changes }] of [...parts].toSorted(byId)) {
            const of = tableId === meant.tableId ? write : new TableWrite(open, write.unit);
            writing.set(tableId, of);
            await lockAll(
              of,
              changes.map(({ rowKey }) => rowKey),
            );
          }
          for (const { tableId, change, values } of order) {
            const of = writing.get(tableId);
            if (of !== undefined) await revert(done, of, { change, values });
          }
          for (const of of writing.values()) {
            if (of === write) continue;
            const changes = done.flatMap((each) => (each.table === of.plan.table ? each.changes : []));
            if (!isOwn) await assertLinksSeen(of, { changes });
            await of.assertWithin({ changes });
          }
          return { result: order.length, changes: [], tables: done, givesLinksBack: isOwn };
        },
        { origin: 'undo', undoes: operationId },
      );
    });
    return { ...answer, purged: recorded.length - known.length };
  }

  return async function undoOrRepeat(scope: AccessScope, operationId: string): Promise<UndoAnswer> {
    for (;;) {
      try {
        return await undo(scope, operationId);
      } catch (error) {
        if (!(error instanceof PurgedMeanwhile)) throw error;
      }
    }
  };
}

/** Rows were deleted for good after it was read what they held. */
class PurgedMeanwhile extends Error {}

/** A visitor of a shared link takes back only what a visitor did, whose changes carry no account. */
function mayTakeBack({ principal }: AccessScope, { actorId }: Change): boolean {
  return !isVisitor(principal) || actorId === '';
}

interface Step {
  readonly tableId: string;
  readonly change: Change;
  readonly values: Values;
}

/** What is done, the last change first: rows that others point to are back before those that point to them. */
function inOrder(recorded: readonly Change[], parts: ReadonlyMap<string, Reverted>): readonly Step[] {
  const places = new Map<string, number>();
  const steps = recorded.flatMap(({ tableId }): Step[] => {
    const part = parts.get(tableId);
    const place = places.get(tableId) ?? 0;
    places.set(tableId, place + 1);
    const change = part?.changes[place];
    return part === undefined || change === undefined
      ? []
      : [{ tableId, change, values: part.valuesOf(change) }];
  });
  return steps.toReversed();
}

/** Changes that are being collected. */
interface MadeChanges extends TableChanges {
  readonly changes: RowChange[];
}

/** Changes of one table that follow one another are one part of the log, so that its order tells what came first. */
function append(done: MadeChanges[], table: TableSchema, changes: readonly RowChange[]): void {
  const last = done.at(-1);
  if (last?.table === table) last.changes.push(...changes);
  else done.push({ table, changes: [...changes] });
}

function byId([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
