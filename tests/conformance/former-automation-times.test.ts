import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SecretsToken } from '@trellis/sdk/server';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { openDesk, type Desk } from '../../plugins/automations/testing/desk.ts';
import type { AutomationDefinition, AutomationEntity } from '../../plugins/automations/shared/index.ts';

const base = '/api/v1/plugins/automations/automations';
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.close());

/** Keeps the settings of the trigger as a former release has. */
async function keepAsFormer({ id }: AutomationEntity, settings: object): Promise<void> {
  const { container } = desk.server.host;
  const secrets = container.get(SecretsToken);
  const { database } = container.get(MetadataToken);
  await database.write(async (unit) => {
    const version = () => unit.knex('p_automations_version').where({ rule_id: id });
    const row = await unit.first<{ sealed: string }>(version().select('sealed'));
    const kept = JSON.parse(secrets.decrypt('automation', row?.sealed ?? '')) as AutomationDefinition;
    const former = { ...kept, trigger: { ...kept.trigger, settings } };
    await unit.run(version().update({ sealed: secrets.encrypt('automation', JSON.stringify(former)) }));
  });
}

async function look(): Promise<void> {
  await desk.server.host.registries
    .get('jobs')
    .get('automation-times.look')
    ?.run({
      signal: AbortSignal.timeout(60_000),
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
}

const cells = () => ({ [desk.column(desk.tasks, 'Title')]: 'It is time' });

test('an automation whose time a former release has set reads as one of today, and is started by it', async () => {
  const made = await desk.make({
    trigger: { type: 'time.comes', settings: { time: { cron: '0 0 1 1 *', time_zone: 'UTC' } } },
    steps: [{ id: 'a', name: 'a', type: 'row.create', settings: { table: desk.tasks.id, cells: cells() } }],
  });
  await keepAsFormer(made, { every: 'cron', cron: '*/2 * * * *', timeZone: 'Europe/Berlin' });
  const time = { cron: '*/2 * * * *', time_zone: 'Europe/Berlin' };
  const { body } = await desk.ann.get<AutomationEntity>(`${base}/${made.id}`);
  expect(body).toMatchObject({ trigger: { settings: { time } }, version: 1 });
  expect(body.next_runs).toHaveLength(5);
  const versions = await desk.ann.get<{ list: object[] }>(`${base}/${made.id}/versions`);
  expect(versions.body.list).toMatchObject([{ trigger: { settings: { time } } }]);
  // Saved as it is shown, it is no other one.
  const saved = await desk.ann.patch<AutomationEntity>(`${base}/${made.id}`, { trigger: body.trigger });
  expect(saved).toMatchObject({ status: 200, body: { version: 1 } });
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 300_000);
  try {
    await look();
    await desk.runs(made.id, ([run]) => run?.state === 'done');
  } finally {
    clock.mockRestore();
  }
  expect(await desk.titles('Tasks')).toEqual(['It is time']);
});
