import { expect, test } from '@jest/globals';
import { describeEachDatabase } from '../databases/testing.ts';
import { createLeases } from '../runtime/leases.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';

describeEachDatabase('the metadata of the version before', (open) => {
  test('keeps its unfinished schema changes as tasks', async () => {
    const database = await open();
    const leases = createLeases(database);
    const former = migrations.filter(({ id }) => id < '006');
    await migrate(database, leases, { migrations: former });
    const job = (id: string, state: string) => ({
      id,
      project_id: 'p_1',
      kind: 'createColumn',
      state,
      step: 0,
      payload: '{"payload":{}}',
      created_at: 5,
      updated_at: 6,
    });
    const jobs = [job('jb_1', 'running'), job('jb_2', 'reverting'), job('jb_3', 'done')];
    await database.write((unit) => unit.run(unit.knex('trellis_job').insert(jobs)));

    await migrate(database, leases);

    const tasks = await database.read((unit) =>
      unit.all<Record<string, unknown>>(unit.knex('trellis_task').select('*').orderBy('id')),
    );
    expect(tasks.map(({ id, kind, state }) => [id, kind, state])).toEqual([
      ['jb_1', 'schema.createColumn', 'running'],
      ['jb_2', 'schema.createColumn', 'reverting'],
    ]);
    expect(tasks[0]).toMatchObject({ project_id: 'p_1', payload: '{"payload":{}}' });
    expect(await database.schema((changer) => changer.hasTable('trellis_job'))).toBe(false);
  });
});
