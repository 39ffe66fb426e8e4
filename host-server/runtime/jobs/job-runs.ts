import { compileQuery } from '../../databases/compile-query.ts';
import type { Database } from '../../databases/database.ts';
import { ageOfRow, fromNow } from '../database-clock.ts';

/** When periodic jobs last began, over all servers and restarts, by the clock that all servers share. */
export interface JobRuns {
  /**
   * Milliseconds since the job last began; 0 for one that never did, so that it runs a whole interval from here. Less than 0 where the
   * clock was put back since.
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
      // All jobs are looked at in the same moment: as reads of a unit they would start a thread more on SQLite.
      const read = () => database.get({ sql, bindings: [...bindings.slice(0, -1), id] });
      const known = await read();
      if (known !== undefined) return Number(known[0]);
      await database.write((unit) => {
        const first = { id, begun_at: fromNow(unit, dialect) };
        return unit.run(unit.knex('trellis_periodic_run').insert(first).onConflict('id').ignore());
      });
      // Another server may have been quicker.
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
