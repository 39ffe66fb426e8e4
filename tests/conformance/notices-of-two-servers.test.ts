import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineRoute, TasksToken, type MailMessage } from '@trellis/sdk/server';
import {
  askUntil,
  createTestServer,
  type TestClient,
  testPlugin,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const breads = Array.from({ length: 12 }, (_, at) => `Bread ${at}`);

describeEachServer('what two servers tell one person', (dialect) => {
  const databases = createStartedDatabases(dialect);
  const mails: MailMessage[] = [];
  let servers: readonly TestServer[] = [];
  let ann: TestClient;
  let projectId = '';

  /** Of each server. */
  const plugins = () => [
    testPlugin('post', (ctx) => {
      ctx.register('mailAdapters', {
        id: 'post',
        label: 'Post',
        isConfigured: () => true,
        send: async (message) => void mails.push(message),
        verify: async () => {},
      });
    }),
    testPlugin('bakery', (ctx) => {
      ctx.register('taskKinds', {
        id: 'bakery.bake',
        permission: 'tableCreate',
        run: () => Promise.reject(new Error('There is no flour.')),
      });
      ctx.routes(
        defineRoute({
          method: 'POST',
          path: ':projectId/:title',
          permission: 'tableCreate',
          object: { kind: 'project', param: 'projectId' },
          summary: 'Bake',
          bodyKind: 'none',
          handle: ({ scope, params }) =>
            ctx
              .get(TasksToken)
              .start(scope, { kind: 'bakery.bake', title: params.title ?? '', payload: null }),
        }),
      );
    }),
  ];

  beforeAll(async () => {
    const database = await databases.url();
    const env = {
      TRELLIS_SECRET: 'one secret for both of the servers',
      TRELLIS_SITE_URL: 'https://tables.example.com',
    };
    const first = await createTestServer({ database, env, plugins: plugins() });
    servers = [first, await createTestServer({ database, env, plugins: plugins() })];
    ann = await first.signUp('ann@example.com');
    projectId = (await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
    await ann.put('/api/v1/plugins/notification-center/wishes', {
      kind: 'task-failed',
      page: true,
      mail: 'now',
    });
  });
  afterAll(async () => {
    for (const server of servers) await server.dispose();
    await databases.dropAll();
  });

  test('both hear of the end of a task, and one mail is sent', async () => {
    for (const bread of breads) await ann.post(`/api/v1/plugins/bakery/${projectId}/${bread}`);
    const isOf = (bread: string) => (mail: MailMessage) => mail.subject === `The task ${bread} failed`;
    const isAll = async () => breads.every((bread) => mails.some(isOf(bread)));
    await askUntil(isAll, Boolean);
    // What the slower of the two servers still sends is out by the time at which it has ended.
    for (const server of servers) await server.dispose();
    servers = [];
    expect(breads.map((bread) => mails.filter(isOf(bread)).length)).toEqual(breads.map(() => 1));
  });
});
