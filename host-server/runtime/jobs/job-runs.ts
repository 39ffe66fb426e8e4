import { compileQuery } from '../../databases/compile-query.ts';
import type { Database } from '../../databases/database.ts';

/** When periodic jobs last began, over all servers and restarts. Times are milliseconds UTC. */
export interface JobRuns {
  /** When the job last began; now for one that never did, so that it runs a whole interval from here. */
  last(jobId: string, now: number): Promise<number>;
  begin(jobId: string, now: number): Promise<void>;
}

/** Begins of jobs in `trellis_periodic_run`. */
export function createJobRuns(database: Database): JobRuns {
  const { sql } = compileQuery(database.builder('trellis_periodic_run').where({ id: '' }).select('begun_at'));
  return {
    async last(id, now) {
      // All jobs are looked at in the same moment: as reads of a unit they would start a thread more on SQLite.
      const read = () => database.get({ sql, bindings: [id] });
      const known = await read();
      if (known !== undefined) return Number(known[0]);
      await database.write((unit) =>
        unit.run(unit.knex('trellis_periodic_run').insert({ id, begun_at: now }).onConflict('id').ignore()),
      );
      // Another server may have been quicker.
      return Number((await read())?.[0] ?? now);
    },
    async begin(id, now) {
      await database.write((unit) =>
        unit.run(unit.knex('trellis_periodic_run').where({ id }).update({ begun_at: now })),
      );
    },
  };
}
