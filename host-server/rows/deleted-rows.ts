import {
  mayRead,
  type AccessScope,
  type RowDeletion,
  type RowReads,
  type SchemaStore,
  type TableSchema,
} from '@trellis/sdk/server';
import { changeAt, type LogEntry } from '../changes/log-entry.ts';
import { deletionsIn, rowHistory } from '../changes/read-log.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { linkingRule } from '../schema/linking-rule.ts';

const mostDeletions = 100;
/** Entries of the log that one call looks at: past these, deletions that were undone hide older ones. */
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

/** Deleted rows that undo can bring back, read from the change log. */
export function createDeletedRows({
  metadata,
  schema,
}: {
  readonly metadata: Metadata;
  readonly schema: Pick<SchemaStore, 'snapshot'>;
}): Pick<RowReads, 'deletions'> {
  /** Nothing happens to a row that is gone, so the deletion is the newest of its entries. */
  async function isGone({ tableId, seq, rows: [first] }: LogEntry): Promise<boolean> {
    if (first === undefined) return true;
    const [newest] = await rowHistory(metadata, { tableId, key: first[0] }, { limit: 1 });
    return newest === undefined || newest.seq === seq;
  }

  return {
    async deletions(scope, { limit }) {
      scope.require('deletionList');
      const snapshot = await schema.snapshot(scope);
      const { tables } = snapshot;
      const open = [...tables.values()].filter(
        (table) =>
          table.readOnlyReason === undefined &&
          scope.rowPredicate(table.id) === undefined &&
          linkingRule({ scope, snapshot, table }, 'seen') === undefined &&
          scope.inTable(table.id).may('deletionList'),
      );
      const place = { projectId: scope.projectId ?? '', tableIds: open.map(({ id }) => id) };
      const most = Math.min(limit, mostDeletions);
      const found: RowDeletion[] = [];
      const seen = new Set<string>();
      let before: number | undefined;
      for (let read = 0; read < mostEntries && found.length < most; read += entriesOfPage) {
        const entries = await deletionsIn(metadata, place, { limit: entriesOfPage, before });
        for (const entry of entries) {
          // What went along comes before the row that took it, and is no deletion of its own.
          if (found.length === most || seen.has(entry.operationId)) continue;
          seen.add(entry.operationId);
          const table = tables.get(entry.tableId);
          if (table === undefined || !(await isGone(entry))) continue;
          found.push(toDeletion(scope, entry, table));
        }
        before = entries.at(-1)?.seq;
        if (entries.length < entriesOfPage) break;
      }
      return found;
    },
  };
}
