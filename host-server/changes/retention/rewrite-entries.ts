import type { Database } from '../../databases/index.ts';
import type { Query } from '../../sql/unit.ts';
import type { LogEntry } from '../log-entry.ts';
import { lockEntries, readEntries, type EntryPlace } from '../read-entries.ts';

/** Columns of an entry that are written again; undefined where the entry stays. */
export type RewriteEntry = (entry: LogEntry) => Readonly<Record<string, string>> | undefined;

/**
 * Changes what entries hold, in one transaction and in the order of their places. They are in memory together.
 *
 * @param begin gives what changes an entry; called again where the transaction is run again
 */
export async function rewriteEntries(
  database: Database,
  places: readonly EntryPlace[],
  begin: () => RewriteEntry,
): Promise<void> {
  if (places.length === 0) return;
  await database.write(
    async (unit) => {
      const rewrite = begin();
      // Entries are locked: others rewrite the same entries, and their changes would be lost.
      await lockEntries(unit, places);
      const updates: Query[] = [];
      for await (const entry of readEntries((read) => read(unit), places)) {
        const { seq } = entry;
        const changed = rewrite(entry);
        if (changed !== undefined)
          updates.push(unit.knex('trellis_log_entry').where({ seq }).update(changed));
      }
      await unit.batch(updates);
    },
    { retry: true },
  );
}
