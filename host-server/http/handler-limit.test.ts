import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineRoute } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

/** As many calls as one person's handlers may run at once. */
const placesOfOne = 64;
const path = '/api/v1/plugins/slow';

let server: TestServer;
let owner: TestClient;
let begun = 0;
beforeAll(async () => {
  const never = () => {
    begun += 1;
    return new Promise<never>(() => {});
  };
  const route = { method: 'GET', permission: 'signedIn', summary: 'Never answers' } as const;
  const plugin = testPlugin(
    'slow',
    (ctx) => {
      ctx.routes(
        defineRoute({ ...route, path: 'late', seconds: 0.1, handle: never }),
        defineRoute({ ...route, path: 'never', handle: never }),
        defineRoute({
          ...route,
          permission: 'public',
          path: 'open/:secret/:what',
          seconds: 0.1,
          handle: ({ params }) =>
            params.what === 'late' ? never() : Promise.reject(new TypeError('defect')),
        }),
      );
    },
    { name: 'Slow' },
  );
  server = await createTestServer({ plugins: [plugin] });
  owner = await server.signUp();
});
afterAll(() => server?.dispose());

test('A handler that takes too long is answered for, and booked on its plugin', async () => {
  expect(await owner.get(`${path}/late`)).toMatchObject({
    status: 503,
    body: { code: 'PLUGIN_TOO_SLOW', msg: "The plugin 'Slow' gave no answer within 0.1 seconds." },
  });
  const { body } = await owner.get<{ list: readonly { id: string; errors: readonly object[] }[] }>(
    '/api/v1/app-store/plugins',
  );
  expect(body.list.find(({ id }) => id === 'slow')?.errors).toMatchObject([
    { where: 'GET /api/v1/plugins/slow/late', message: 'It gave no answer within 0.1 seconds.' },
  ]);
});

test('What is told of a call that anybody may make does not hold what stands in its path, which may be a secret', async () => {
  const stranger = server.client;
  expect(await stranger.get(`${path}/open/8f3c/late`)).toMatchObject({ status: 503 });
  expect(await stranger.get(`${path}/open/8f3c/broken`)).toMatchObject({ status: 500 });
  const { body } = await owner.get<{ list: readonly { id: string; errors: readonly { where: string }[] }[] }>(
    '/api/v1/app-store/plugins',
  );
  const told = body.list.find(({ id }) => id === 'slow')?.errors.map(({ where }) => where) ?? [];
  expect(told.filter((where) => where === `GET ${path}/open/:secret/:what`).length).toBeGreaterThan(0);
  expect(told.join()).not.toContain('8f3c');
});

test('A plugin whose handlers run on after they were given up takes no more calls, and says so on its card', async () => {
  const call = () => owner.get<{ code: string; msg: string }>(`${path}/late`);
  const answers = await Promise.all(Array.from({ length: 16 }, call));
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['PLUGIN_TOO_SLOW']));
  expect(await call()).toMatchObject({
    status: 503,
    body: {
      code: 'PLUGIN_STUCK',
      msg: "The plugin 'Slow' does not end the calls that it has, so it takes no more of them.",
    },
  });
  const { body } = await owner.get<{
    list: readonly { id: string; errors: readonly { message: string }[] }[];
  }>('/api/v1/app-store/plugins');
  const errors = body.list.find(({ id }) => id === 'slow')?.errors ?? [];
  expect(errors.filter(({ message }) => message.includes('run on after they were given up'))).toHaveLength(1);
  await owner.post('/api/v1/app-store/plugins/slow/disable', {});
  await owner.post('/api/v1/app-store/plugins/slow/enable', {});
  expect(await call()).toMatchObject({ body: { code: 'PLUGIN_TOO_SLOW' } });
});

test('A plugin that takes all places of a person can be switched off by them, and the places come back', async () => {
  begun = 0;
  const leaving = new AbortController();
  const calls = Array.from({ length: placesOfOne }, () =>
    fetch(server.url + path + '/never', {
      headers: { 'xc-auth': owner.token ?? '' },
      signal: leaving.signal,
    }).catch(() => undefined),
  );
  while (begun < placesOfOne) await new Promise((resolve) => setTimeout(resolve, 5));
  let isBack = false;
  const waiting = owner.get('/api/v1/db/meta/projects').then((answer) => {
    isBack = true;
    return answer;
  });
  expect(await owner.get('/api/v1/app-store/plugins')).toMatchObject({ status: 200 });
  expect(isBack).toBe(false);
  leaving.abort();
  await Promise.all(calls);
  // Their clients have gone: nobody waits for the handlers any more.
  expect(await waiting).toMatchObject({ status: 200 });
  const disabled = await owner.post('/api/v1/app-store/plugins/slow/disable', {});
  expect(disabled).toMatchObject({ status: 200 });
});
