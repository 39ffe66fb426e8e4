import type { Knex } from 'knex';
import type { Database } from '../../databases/index.ts';
import type { Unit } from '../../sql/unit.ts';

/** Links that are looked for in one transaction; all those of their entries go with them. */
const linksAtOnce = 500;

/**
 * Takes out of the log which other rows were linked to some rows: that stands in what the others held, which is theirs. In short
 * transactions, since one row may be named by as many entries as there are.
 *
 * @param narrow says which rows are meant, in `trellis_log_link`
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
      // Not each number once: some databases would go through all of them for that.
      const rows = await unit.all<{ seq: number | string }>(links().limit(linksAtOnce).select('seq'));
      if (rows.length === 0) return 0;
      const seqs = [...new Set(rows.map(({ seq }) => Number(seq)))];
      return (await unit.run(links().whereIn('seq', seqs).delete())).changes;
    });
  }
}
