import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineRoute, defineServerPlugin, RouteAnswer, RowStoreToken } from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const manifest = {
  id: 'slow',
  name: 'Slow',
  version: '1.0.0',
  category: 'app',
  engines: { trellis: '*' },
  sdk: 1,
  enabledByDefault: true,
};
const path = '/api/v1/plugins/slow';

let server: TestServer;
let owner: TestClient;
let begun = 0;
const body = new Readable({ read() {} });
const unread = new Readable({ read() {} });
const leaving = new AbortController();
let goOn = (): void => {};
const moment = new Promise<void>((resolve) => (goOn = resolve));

beforeAll(async () => {
  const plugin = defineServerPlugin({
    setup(ctx) {
      const rows = ctx.get(RowStoreToken);
      const circle: { itself?: object } = {};
      circle.itself = circle;
      ctx.routes(
        defineRoute({
          method: 'POST',
          permission: 'dataInsert',
          object: { kind: 'data', project: 'project', table: 'table' },
          summary: 'Writes late',
          path: 'add/:project/:table',
          seconds: 0.1,
          handle: async ({ table }) => {
            begun += 1;
            await moment;
            if (table !== undefined) await rows.create(table, { Title: 'late' });
            return { isLate: true };
          },
        }),
        defineRoute({
          method: 'GET',
          permission: 'signedIn',
          summary: 'Streams late',
          path: 'stream',
          seconds: 0.1,
          handle: async () => {
            await moment;
            return new RouteAnswer({ body });
          },
        }),
        defineRoute({
          method: 'GET',
          permission: 'signedIn',
          summary: 'Streams to a client that has gone',
          path: 'left',
          handle: async ({ signal }) => {
            const gone = once(signal, 'abort');
            leaving.abort();
            await gone;
            return new RouteAnswer({ body: unread });
          },
        }),
        defineRoute({
          method: 'POST',
          permission: 'signedIn',
          summary: 'Gives no JSON',
          path: 'circle',
          handle: () => Promise.resolve(circle),
        }),
        defineRoute({
          method: 'POST',
          permission: 'signedIn',
          summary: 'Gives a function',
          path: 'function',
          handle: () => Promise.resolve(() => undefined),
        }),
        defineRoute({
          method: 'GET',
          permission: 'signedIn',
          summary: 'Gives an object without a prototype',
          path: 'bare',
          handle: () => Promise.resolve(Object.assign(Object.create(null) as object, { isBare: true })),
        }),
      );
    },
  });
  server = await createTestServer({ plugins: [{ manifest, server: plugin }] });
  owner = await server.signUp();
});
afterAll(() => server?.dispose());

test('A handler that was given up keeps its key until it ends, and its stream is ended', async () => {
  const { body: project } = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Work' });
  await owner.post(`/api/v1/db/meta/projects/${project.id}/tables`, {
    title: 'Tasks',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Title', uidt: 'SingleLineText' },
    ],
  });
  const add = () =>
    owner.with({ headers: { 'idempotency-key': 'late' } }).post<unknown>(`${path}/add/Work/Tasks`, {});
  expect(await add()).toMatchObject({ status: 503, body: { code: 'PLUGIN_TOO_SLOW' } });
  expect(await add()).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_RUNNING' } });
  expect(await owner.get(`${path}/stream`)).toMatchObject({ status: 503 });
  const closed = once(body, 'close');
  goOn();
  let repeated = await add();
  // Its row is there before its answer is kept.
  while (repeated.status === 409 || repeated.body === '') repeated = await add();
  expect(repeated).toMatchObject({ status: 200, body: { isLate: true } });
  expect(begun).toBe(1);
  expect(await owner.get('/api/v1/db/data/noco/Work/Tasks')).toMatchObject({
    body: { list: [{ Title: 'late' }] },
  });
  await closed;
});

test('A stream for a client that has gone is ended', async () => {
  const closed = once(unread, 'close');
  const call = fetch(`${server.url}${path}/left`, {
    headers: { 'xc-auth': owner.token ?? '' },
    signal: leaving.signal,
  });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  await closed;
});

test.each(['circle', 'function'])(
  'An answer that JSON cannot hold frees its key, and is booked on its plugin: %s',
  async (what) => {
    const person = owner.with({ headers: { 'idempotency-key': what } });
    const ask = () => person.post(`${path}/${what}`, {});
    expect(await ask()).toMatchObject({ status: 500 });
    expect(await ask()).toMatchObject({ status: 500 });
    const { body: plugins } = await owner.get<{ list: readonly { id: string; errors: readonly object[] }[] }>(
      '/api/v1/app-store/plugins',
    );
    expect(plugins.list.find(({ id }) => id === 'slow')?.errors).toContainEqual(
      expect.objectContaining({ where: `POST ${path}/${what}` }),
    );
  },
);

test('An object without a prototype is an answer like any other', async () => {
  expect(await owner.get(`${path}/bare`)).toMatchObject({ status: 200, body: { isBare: true } });
});
