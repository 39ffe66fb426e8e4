import type { HookRegistry } from '@trellis/core';
import {
  mayRead,
  type AccessScope,
  type Bus,
  type RowDeletion,
  type RowReads,
  type RowWrites,
  type SchemaStore,
  type ServerHooks,
  type TableSchema,
} from '@trellis/sdk/server';
import { hostObjectKinds } from '@trellis/sdk/shared';
import type { ChangeLog } from '../changes/change-log.ts';
import { keysDeletedBy } from '../changes/keys-in-log.ts';
import { changeAt, type LogEntry } from '../changes/log-entry.ts';
import type { PendingChanges } from '../changes/pending-changes.ts';
import { deletionsIn, doesAgain, isTakenBack } from '../changes/read-log.ts';
import { Purges } from '../changes/retention/purges.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { linkingRule } from '../schema/linking-rule.ts';
import type { Unit } from '../sql/unit.ts';
import { rowErrors } from './row-errors.ts';

const mostDeletions = 100;
/** Log entries that one call looks at, at the most. After so many undone deletions it gives up, and older deletions are not shown. */
const mostEntries = 2000;
/** Entries that are read at a time. */
const entriesOfPage = 50;
/** Rows of a deletion that are named. */
const mostNames = 3;

function toDeletion(scope: AccessScope, entry: LogEntry, table: TableSchema): RowDeletion {
  const { displayColumn: named } = table;
  const isNamed = named !== undefined && mayRead(scope, named);
  return {
    operationId: entry.operationId,
    table,
    count: entry.total,
    names: entry.rows
      .slice(0, isNamed ? mostNames : 0)
      .map((_, at) => changeAt(entry, at).before?.[named?.id ?? ''] ?? null),
    actor: { id: entry.actorId, email: entry.actorEmail },
    at: entry.at,
  };
}

interface DeletedRowsDependencies {
  readonly metadata: Metadata;
  readonly schema: Pick<SchemaStore, 'snapshot'>;
  readonly log: ChangeLog;
  readonly pending: PendingChanges;
  readonly bus: Pick<Bus, 'publish'>;
  readonly hooks: Pick<HookRegistry<ServerHooks>, 'tell'>;
}

/** Deleted rows that undo can bring back, read from the change log, until they are purged from it. */
export function createDeletedRows(
  deps: DeletedRowsDependencies,
): Pick<RowReads, 'deletions'> & Pick<RowWrites, 'purge'> {
  const { metadata, schema, log, pending, bus } = deps;
  const purges = new Purges(deps);

  /** Whether an operation counts as a deletion. An undo counts only where it removes again rows that an undo had brought back. */
  async function isDeletion(operationId: string, isUndo: boolean): Promise<boolean> {
    return !isUndo || metadata.database.read((unit) => doesAgain(unit, operationId));
  }

  /** Whether the rows of a deletion are still deleted. An operation is undone as a whole, so its first row tells. */
  async function isGone({ tableId, seq, operationId, rows: [first] }: LogEntry): Promise<boolean> {
    if (first === undefined) return true;
    const [key, , , , isPurged] = first;
    if (isPurged === true) return false;
    const { database } = metadata;
    const deletion = { tableId, key, seq, operationId };
    return !(await database.read((unit) => isTakenBack(unit, database.dialect, deletion)));
  }

  /** The tables in which a caller sees every row, and may do what it takes with what was deleted of them. */
  async function openTables(scope: AccessScope, permission: string): Promise<readonly TableSchema[]> {
    const snapshot = await schema.snapshot(scope);
    return [...snapshot.tables.values()].filter(
      (table) =>
        table.readOnlyReason === undefined &&
        scope.rowPredicate(table.id) === undefined &&
        linkingRule({ scope, snapshot, table }, 'seen') === undefined &&
        scope.inTable(table.id).may(permission),
    );
  }

  return {
    async deletions(scope, { limit }) {
      scope.require('deletionList');
      const open = await openTables(scope, 'deletionList');
      const tables = new Map(open.map((table) => [table.id, table]));
      const place = { projectId: scope.projectId ?? '', tableIds: open.map(({ id }) => id) };
      const most = Math.min(limit, mostDeletions);
      const found: RowDeletion[] = [];
      const marked = await purges.marked(place.projectId);
      const seen = new Set(marked.map(({ operationId }) => operationId));
      let before: number | undefined;
      for (let read = 0; read < mostEntries && found.length < most; read += entriesOfPage) {
        const entries = await deletionsIn(metadata, place, { limit: entriesOfPage, before });
        for (const entry of entries) {
          // Rows that were deleted by a cascade come before the row that caused it, and are no deletion of their own.
          if (found.length === most || seen.has(entry.operationId)) continue;
          seen.add(entry.operationId);
          const table = tables.get(entry.tableId);
          if (table === undefined || !(await isGone(entry))) continue;
          if (!(await isDeletion(entry.operationId, entry.origin === 'undo'))) continue;
          found.push(toDeletion(scope, entry, table));
        }
        before = entries.at(-1)?.seq;
        if (entries.length < entriesOfPage) break;
      }
      return found;
    },

    async purge(scope, operationId, audited) {
      scope.require('deletionPurge');
      const open = new Set((await openTables(scope, 'deletionPurge')).map(({ id }) => id));
      const projectId = scope.projectId ?? '';
      for (;;) {
        const count = await purges.count(projectId);
        const marked = await purges.marked(projectId);
        const deleted = await keysDeletedBy(metadata, { projectId, operationId });
        const isMarked = marked.some((purge) => purge.operationId === operationId);
        const isMeant = deleted.every(
          ({ tableId, purged }) => open.has(tableId) && (isMarked || purged === 0),
        );
        const isUndo = deleted.some((of) => of.isUndo);
        if (deleted.length === 0 || !isMeant || !(await isDeletion(operationId, isUndo)))
          throw rowErrors.create('OPERATION_UNKNOWN');
        const rows = deleted.reduce((sum, { keys }) => sum + keys.length, 0);
        const work = async (unit: Unit) => {
          // What is written to an external database stands in no transaction of ours: it is announced until the log tells of it, so
          // that it is looked for among what is announced first.
          if (await pending.takesBack(unit, new Set(deleted.map(({ tableId }) => tableId))))
            throw rowErrors.create('UNDO_CONFLICT');
          // Rows that were restored must not be purged.
          for (const { tableId, keys, first: seq } of deleted) {
            const deletion = { tableId, key: keys[0] ?? '', seq, operationId };
            if (await isTakenBack(unit, metadata.database.dialect, deletion))
              throw rowErrors.create('OPERATION_UNKNOWN');
          }
          if (audited !== undefined) await log.recordEventIn(unit, audited(rows));
        };
        if (!isMarked && !(await purges.mark({ projectId, operationId }, { count, work }))) continue;
        if (!isMarked && audited !== undefined)
          bus.publish('objects.changed', { projectId, objectKind: hostObjectKinds.audit, requestId: '' });
        await purges.finishOne({ projectId, operationId });
        return rows;
      }
    },
  };
}
