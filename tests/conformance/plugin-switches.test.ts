import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

/** How often each plugin goes off and on again; a campaign asks for more. */
const switches = Number(process.env['TRELLIS_TEST_SWITCHES'] ?? 3);
/** Bytes that one switch may leave, on the average: what is kept of each would be more. */
const mostPerSwitch = 4096;
/** Bytes that the engine's own tables may grow by, whatever is done. */
const restless = 3 * 1024 * 1024;

let server: TestServer;
let boss: TestClient;

beforeAll(async () => {
  server = await createTestServer();
  boss = await server.signUp();
});
afterAll(() => server.dispose());

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that are in use once what finished is collected. */
async function heap(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed;
}

async function rows(): Promise<Readonly<Record<string, number>>> {
  const { database } = server.host.container.get(MetadataToken);
  return database.read(async (unit) => {
    const counts: Record<string, number> = {};
    for (const table of [
      'trellis_plugin',
      'trellis_plugin_migration',
      'trellis_plugin_kv',
      'trellis_generation',
    ])
      counts[table] = (await unit.all(unit.knex(table).select(unit.knex.raw('1')))).length;
    return counts;
  });
}

/** Everything that could grow by a switch, and must not. */
async function belongings() {
  const { registries, hooks, routes, container } = server.host;
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  return {
    items: Object.fromEntries(registries.ids().map((id) => [id, registries.get(id as 'jobs').size])),
    taps: hooks.size,
    routes: routes.list().length,
    services: container.size,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    rows: await rows(),
    timers,
  };
}

async function switchOffAndOn(id: string, dependents: readonly string[]): Promise<void> {
  const path = '/api/v1/app-store/plugins';
  expect((await boss.post(`${path}/${id}/disable`, { cascade: dependents })).status).toBe(200);
  for (const of of [id, ...dependents.toReversed()])
    expect((await boss.post(`${path}/${of}/enable`, {})).status).toBe(200);
}

/** Of those that can go off: some of each kind, since a switch of all together takes minutes. */
const examples = ['column-rating', 'columns-select', 'api-tokens', 'notification-center', 'shared-base'];

test.each(examples)(
  `%s leaves nothing of ${switches} switches: no timer, no listener, no row, no memory`,
  async (id) => {
    const running = server.host.plugins.list().filter(({ state }) => state === 'enabled');
    const dependents = (running.find((of) => of.id === id)?.dependents ?? []).filter((of) =>
      running.some((plugin) => plugin.id === of),
    );
    for (let warm = 0; warm < 2; warm += 1) await switchOffAndOn(id, dependents);
    const { timers: timersBefore, ...before } = await belongings();
    const bytes = await heap();
    for (let at = 0; at < switches; at += 1) await switchOffAndOn(id, dependents);
    const grown = (await heap()) - bytes;
    const { timers, ...after } = await belongings();
    expect(after).toEqual(before);
    // A connection that is kept alive may come or go at any time.
    expect(timers).toBeLessThanOrEqual(timersBefore + 3);
    expect(grown).toBeLessThan(restless + mostPerSwitch * switches);
    if (switches >= 100)
      console.log(
        `${id}: ${Math.round(grown / switches)} bytes a switch, timers ${timersBefore} -> ${timers}`,
      );
  },
  120_000 + switches * 3000,
);
