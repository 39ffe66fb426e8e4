import type { Database } from '../databases/database.ts';

interface FormerJob {
  readonly id: string;
  readonly project_id: string | null;
  readonly kind: string;
  readonly state: string;
  readonly payload: string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

/**
 * Converts the unfinished schema changes of the previous version to tasks, and drops their table. Finished ones are in the change
 * log.
 */
export async function carryJobs(database: Database): Promise<void> {
  const isThere = await database.schema((changer) => changer.hasTable('trellis_job'));
  if (!isThere) return;
  await database.write(async (unit) => {
    const jobs = await unit.all<FormerJob>(
      unit.knex('trellis_job').whereIn('state', ['running', 'reverting']).select('*'),
    );
    for (const { kind, ...job } of jobs) {
      const task = {
        id: job.id,
        project_id: job.project_id,
        kind: `schema.${kind}`,
        title: 'A change of the schema',
        state: job.state,
        payload: job.payload,
        done: 0,
        cancelling: false,
        fence: 0,
        lease_until: 0,
        attempts: 0,
        created_at: job.created_at,
        updated_at: job.updated_at,
      };
      await unit.run(unit.knex('trellis_task').insert(task).onConflict('id').ignore());
    }
  });
  await database.schema((changer) => changer.dropTable('trellis_job'));
}
