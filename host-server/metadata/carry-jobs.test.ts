import { expect, test } from '@jest/globals';
import { describeEachDatabase } from '../databases/testing.ts';
import { createLeases } from '../runtime/leases.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';

describeEachDatabase('the metadata of the version before', (open) => {
  test('keeps its unfinished schema changes as tasks, and the answers of calls under their keys', async () => {
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
    const call = { key: 'k', method: 'POST', path: '/rows', body_hash: 'h', state: 'done', created_at: 5 };
    await database.write(async (unit) => {
      await unit.run(unit.knex('trellis_job').insert(jobs));
      await unit.run(unit.knex('trellis_idempotency').insert(call));
    });

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
    const held = { key: 'k', claim_id: '' };
    expect(
      await database.read((unit) => unit.first(unit.knex('trellis_idempotency').where(held).select('state'))),
    ).toEqual({ state: 'done' });
  });
});
