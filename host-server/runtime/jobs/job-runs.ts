import { compileQuery } from '../../databases/compile-query.ts';
import type { Database } from '../../databases/database.ts';
import { ageOfRow, fromNow } from '../database-clock.ts';

/** When periodic jobs last began, over all servers and restarts, by the clock that the servers share. */
export interface JobRuns {
  /**
   * Milliseconds since the job last began; 0 for a job that never did, so that its first run comes after a whole interval.
   * Negative if the clock was set back since.
   */
  age(jobId: string): Promise<number>;
  begin(jobId: string): Promise<void>;
}

/** Begins of jobs in `trellis_periodic_run`, by the clock of the database. */
export function createJobRuns(database: Database): JobRuns {
  const { builder, dialect } = database;
  const { sql, bindings } = compileQuery(
    builder('trellis_periodic_run')
      .where({ id: '' })
      .select(ageOfRow({ knex: builder }, dialect, 'begun_at')),
  );
  return {
    async age(id) {
      // All jobs are checked at the same moment; as reads of a unit they would start another thread on SQLite.
      const read = () => database.get({ sql, bindings: [...bindings.slice(0, -1), id] });
      const known = await read();
      if (known !== undefined) return Number(known[0]);
      await database.write((unit) => {
        const first = { id, begun_at: fromNow(unit, dialect) };
        return unit.run(unit.knex('trellis_periodic_run').insert(first).onConflict('id').ignore());
      });
      // Another server may have inserted the row first.
      return Number((await read())?.[0] ?? 0);
    },
    async begin(id) {
      await database.write((unit) =>
        unit.run(
          unit
            .knex('trellis_periodic_run')
            .where({ id })
            .update({ begun_at: fromNow(unit, dialect) }),
        ),
      );
    },
  };
}
