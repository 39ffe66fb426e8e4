import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestClient } from '@trellis/sdk/testing/server';
import { shipToNewFolder, startBuiltServer, type BuiltServer, type ShippedPlugin } from './built-product.ts';

const plugins: readonly ShippedPlugin[] = [
  {
    id: 'throws-late',
    name: 'Late thrower',
    // A timer that throws for as long as the plugin is set up.
    server: `export default { setup(ctx) {
      const timer = setInterval(() => { throw new Error('the kettle is dry'); }, 100);
      ctx.own({ dispose: () => clearInterval(timer) });
    } };`,
  },
  {
    id: 'exits',
    name: 'Leaver',
    server: `export default { setup(ctx) {
      ctx.routes({ method: 'GET', path: 'leave', permission: 'public', summary: 'Leaves',
        async handle() { await undefined; process.exit(0); } });
    } };`,
  },
  {
    id: 'never-ends',
    name: 'Looper',
    server: `export default { setup(ctx) {
      ctx.routes({ method: 'GET', path: 'spin', permission: 'public', summary: 'Loops',
        async handle() { await undefined; spinForEver(); } });
    } };
    function spinForEver() { for (let turn = 0; ; turn += 1) JSON.stringify({ turn }); }`,
  },
];

/** Plugins that loop as soon as they are on, or as soon as they are called: off until a test enables them. */
const loops: readonly ShippedPlugin[] = [
  loopIn('setup', 'spinForEver();'),
  loopIn('hook', "ctx.tap('rows.willCreate', () => spinForEver());", {
    contributes: { hooks: ['rows.willCreate'] },
  }),
  loopIn('job', "ctx.register('jobs', { id: 'spin', every: 1, run: async () => spinForEver() });"),
];

function loopIn(place: string, setup: string, manifest: ShippedPlugin['manifest'] = {}): ShippedPlugin {
  return {
    manifest,
    id: `loops-in-${place}`,
    name: `Looper in ${place}`,
    server: `export default { setup(ctx) { ${setup} } };
    function spinForEver() { for (let turn = 0; ; turn += 1) JSON.stringify({ turn }); }`,
  };
}

/** Plugins that keep what they make, without end. */
const eaters: readonly ShippedPlugin[] = [
  eaterIn(
    'route',
    "ctx.routes({ method: 'GET', path: 'eat', permission: 'public', summary: 'Eats', handle: async () => eatAtOnce() });",
  ),
  eaterIn('job', "ctx.register('jobs', { id: 'eat', every: 1, run: () => eatByAndBy() });"),
];

function eaterIn(place: string, setup: string): ShippedPlugin {
  return {
    id: `eats-in-${place}`,
    name: `Eater in ${place}`,
    server: `export default { setup(ctx) { ${setup} } };
    const kept = [];
    function eat() { kept.push(Array.from({ length: 1000 }, (_, at) => kept.length + ' ' + at)); }
    function eatAtOnce() { for (;;) eat(); }
    async function eatByAndBy() {
      for (;;) {
        for (let bite = 0; bite < 50; bite += 1) eat();
        await new Promise((done) => setTimeout(done, 1));
      }
    }`,
  };
}

interface Card {
  readonly id: string;
  readonly state: string;
  readonly reason?: string;
  readonly errors: readonly { readonly message: string }[];
}

let dataDir = '';
let server: BuiltServer;
let boss: TestClient;

/** @param patience seconds that it may stand still */
async function start(patience = 2): Promise<string> {
  const TRELLIS_PLUGINS_ENABLED = plugins.map(({ id }) => id).join(',');
  server = startBuiltServer(dataDir, {
    TRELLIS_WATCHDOG_SECONDS: String(patience),
    TRELLIS_PLUGINS_ENABLED,
    // Filled sooner than what a large machine has.
    NODE_OPTIONS: '--max-old-space-size=500',
  });
  return server.listening();
}

async function cards(): Promise<ReadonlyMap<string, Card>> {
  const { body } = await boss.get<{ list: readonly Card[] }>('/api/v1/app-store/plugins');
  return new Map(body.list.map((card) => [card.id, card]));
}

/** The server listens before slow plugins have started. */
async function allStarted(): Promise<void> {
  while ([...(await cards()).values()].some(({ state }) => state === 'starting'));
}

beforeAll(async () => {
  dataDir = await shipToNewFolder([...plugins, ...loops, ...eaters]);
  const url = await start();
  const client = new TestClient(url);
  const credentials = { email: 'boss@example.com', password: 'Password-1' };
  const { body } = await client.post<{ token: string }>('/api/v1/auth/user/signup', credentials);
  boss = client.with({ token: body.token });
  await allStarted();
});

afterAll(async () => {
  await server.end('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

async function startAgain(patience?: number): Promise<void> {
  const client = new TestClient(await start(patience));
  const credentials = { email: 'boss@example.com', password: 'Password-1' };
  const { body } = await client.post<{ token: string }>('/api/v1/auth/user/signin', credentials);
  boss = client.with({ token: body.token });
  await allStarted();
}

test('a timer that throws again and again costs its plugin alone, and keeps it off after the next start', async () => {
  await server.said(/"plugin":"throws-late".*the kettle is dry/);
  let card = (await cards()).get('throws-late');
  while (card?.state !== 'disabled') card = (await cards()).get('throws-late');
  expect(card.reason).toContain('the kettle is dry');
  expect(card.errors.length).toBeGreaterThanOrEqual(2);
  expect(await server.end('SIGTERM')).toBe(0);
  await startAgain();
  expect((await cards()).get('throws-late')).toMatchObject({ state: 'disabled', reason: card.reason });
});

test('a loop in a route ends the process by name, and the next start leaves its plugin off', async () => {
  const spinning = boss.get('/api/v1/plugins/never-ends/spin').catch(() => undefined);
  expect(
    await server.said(/The plugin 'never-ends' has kept the server busy for 2 s in 'spinForEver'/),
  ).toBeDefined();
  await spinning;
  expect(await server.end('SIGTERM')).toBe(70);
  await startAgain();
  expect((await cards()).get('never-ends')).toMatchObject({
    state: 'disabled',
    reason: expect.stringContaining("in 'spinForEver' (dist/server/index.js:"),
  });
  expect((await boss.get('/api/v1/plugins/never-ends/spin')).status).toBe(501);
});

test.each(loops)(
  'A loop of $id ends the process by name, and the next start leaves it off',
  async ({ id }) => {
    const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: id });
    const columns = [{ title: 'Name', uidt: 'SingleLineText' }];
    const meta = `/api/v1/db/meta/projects/${project.body.id}/tables`;
    const table = await boss.post<{ id: string }>(meta, { title: 'Rows', columns });
    const said = server.said(
      new RegExp(`The plugin '${id}' has kept the server busy for 2 s in 'spinForEver'`),
    );
    const spinning = boss
      .post(`/api/v1/app-store/plugins/${id}/enable`, { consent: { hooks: ['rows.willCreate'] } })
      .then(() => boss.post(`/api/v1/db/data/noco/${project.body.id}/${table.body.id}`, { Name: 'a' }))
      .catch(() => undefined);
    expect(await said).toBeDefined();
    await spinning;
    expect(await server.end('SIGTERM')).toBe(70);
    await startAgain();
    expect((await cards()).get(id)).toMatchObject({
      state: 'disabled',
      reason: expect.stringContaining("in 'spinForEver' (dist/server/index.js:"),
    });
    expect((await boss.get(`/api/v1/plugins/${id}/x`)).status).toBe(501);
  },
);

test.each(eaters)(
  '$id fills the memory, which ends the process by its name, and the next start leaves it off',
  async ({ id }) => {
    // One that eats without a pause stands still besides.
    expect(await server.end('SIGTERM')).toBe(0);
    await startAgain(30);
    const said = server.said(new RegExp(`The plugin '${id}' has filled the memory of the server`));
    const eating = boss
      .post(`/api/v1/app-store/plugins/${id}/enable`, {})
      .then(() => boss.get(`/api/v1/plugins/${id}/eat`))
      .catch(() => undefined);
    expect(await said).toBeDefined();
    await eating;
    expect(await server.end('SIGTERM')).toBe(70);
    await startAgain();
    const reason = expect.stringMatching(/^It filled the memory of the whole server \(\d+ of \d+ MB\)/);
    expect((await cards()).get(id)).toMatchObject({
      state: 'disabled',
      reason,
      errors: [{ message: reason }],
    });
    expect((await boss.get(`/api/v1/plugins/${id}/eat`)).status).toBe(501);
  },
);

test('A plugin that ends the process is named, and the server starts again without it', async () => {
  const said = server.said(/A plugin ended the server by process\.exit/);
  await boss.get('/api/v1/plugins/exits/leave').catch(() => undefined);
  expect(await said).toBeDefined();
  expect(await server.end('SIGTERM')).toBe(70);
  await startAgain();
  expect((await cards()).get('exits')).toMatchObject({
    state: 'disabled',
    reason: expect.stringContaining('It ended the whole server by process.exit'),
  });
});
