import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { askUntil, createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

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

/** How many rows each table of the metadata has. */
async function rows(): Promise<Readonly<Record<string, number>>> {
  const { database } = server.host.container.get(MetadataToken);
  return database.read(async (unit) => {
    const tables = await unit.all(unit.knex('sqlite_master').where({ type: 'table' }).select('name'));
    const counts: Record<string, number> = {};
    for (const { name } of tables as readonly { readonly name: string }[])
      counts[name] = (await unit.all(unit.knex(name).select(unit.knex.raw('1')))).length;
    return counts;
  });
}

/** What comes and goes at any time: connections that are kept alive, ports to threads while a statement is on its way, and what is next. */
const passing = /^(?:Timeout$|Immediate$|MessagePort$|TCPSocket)/;

/** Open handles of the process by kind, but for those. */
function handles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo())
    if (!passing.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}

/** Everything that could grow by a switch, and must not. */
async function belongings() {
  const { registries, hooks, routes, container } = server.host;
  return {
    items: Object.fromEntries(registries.ids().map((id) => [id, registries.get(id as 'jobs').size])),
    taps: hooks.size,
    routes: routes.list().length,
    services: container.size,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    handles: handles(),
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
    await switchOffAndOn(id, dependents);
    const rowsAtFirst = await rows();
    await switchOffAndOn(id, dependents);
    const rowsBefore = await rows();
    // Who switched what is written down, and is not forgotten by the next switch.
    const audited = (counts: Readonly<Record<string, number>>) => counts['trellis_log_entry'] ?? 0;
    const perSwitch = audited(rowsBefore) - audited(rowsAtFirst);
    const before = await belongings();
    const timersBefore = countTimers();
    const bytes = await heap();
    for (let at = 0; at < switches; at += 1) await switchOffAndOn(id, dependents);
    const grown = (await heap()) - bytes;
    expect(await belongings()).toEqual(before);
    // Which jobs were due meanwhile is a matter of the clock.
    const ofJobs = { trellis_lease: expect.any(Number), trellis_periodic_run: expect.any(Number) };
    expect(await rows()).toEqual({
      ...rowsBefore,
      ...ofJobs,
      trellis_log_entry: audited(rowsBefore) + perSwitch * switches,
    });
    // A connection that is kept alive may come at any time; what waits for something goes again.
    const timers = await askUntil(
      async () => countTimers(),
      (count) => count <= timersBefore + 2,
    );
    expect(grown).toBeLessThan(restless + mostPerSwitch * switches);
    if (switches >= 100)
      console.log(
        `${id}: ${Math.round(grown / switches)} bytes a switch, timers ${timersBefore} -> ${timers}`,
      );
  },
  120_000 + switches * 3000,
);
