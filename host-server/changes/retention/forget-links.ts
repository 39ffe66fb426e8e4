import type { Knex } from 'knex';
import type { Database } from '../../databases/index.ts';
import type { Unit } from '../../sql/unit.ts';

/** Links that one transaction looks up; all links of their entries are deleted with them. */
const linksAtOnce = 500;

/**
 * Deletes from the log which other rows were linked to some rows, which stands in the entries of the other rows. Uses short
 * transactions, since any number of entries may name one row.
 *
 * @param narrow selects these rows in `trellis_log_link`
 */
export async function forgetLinks(
  database: Pick<Database, 'write'>,
  narrow: (links: Knex.QueryBuilder, unit: Unit) => Knex.QueryBuilder,
  signal?: AbortSignal,
): Promise<void> {
  for (let deleted = -1; deleted !== 0;) {
    signal?.throwIfAborted();
    deleted = await database.write(async (unit) => {
      const links = () => narrow(unit.knex('trellis_log_link'), unit);
      // Without `distinct`: some databases would scan all of them for that.
      const rows = await unit.all<{ seq: number | string }>(links().limit(linksAtOnce).select('seq'));
      if (rows.length === 0) return 0;
      const seqs = [...new Set(rows.map(({ seq }) => Number(seq)))];
      return (await unit.run(links().whereIn('seq', seqs).delete())).changes;
    });
  }
}
