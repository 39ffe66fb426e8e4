import { mayRead, type RowDeletion, type RowReads, type SchemaStore } from '@trellis/sdk/server';
import { changeAt, type LogEntry } from '../changes/log-entry.ts';
import { deletionsIn, rowHistory } from '../changes/read-log.ts';
import type { Metadata } from '../metadata/metadata.ts';

const mostDeletions = 100;
/** Rows of a deletion that are named. */
const mostNames = 3;

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
      scope.require('bulkDataInsert');
      const { tables } = await schema.snapshot(scope);
      const open = [...tables.values()].filter(
        ({ id, readOnlyReason }) => readOnlyReason === undefined && scope.rowPredicate(id) === undefined,
      );
      const entries = await deletionsIn(
        metadata,
        { projectId: scope.projectId ?? '', tableIds: open.map(({ id }) => id) },
        Math.min(limit, mostDeletions),
      );
      const found: RowDeletion[] = [];
      for (const entry of entries) {
        const table = tables.get(entry.tableId);
        if (table === undefined || !(await isGone(entry))) continue;
        const { displayColumn: named } = table;
        const isNamed = named !== undefined && mayRead(scope, named);
        const names = entry.rows
          .slice(0, isNamed ? mostNames : 0)
          .map((_, at) => changeAt(entry, at).before?.[named?.id ?? ''] ?? null);
        found.push({
          operationId: entry.operationId,
          table,
          count: entry.total,
          names,
          actor: { id: entry.actorId, email: entry.actorEmail },
          at: entry.at,
        });
      }
      return found;
    },
  };
}
