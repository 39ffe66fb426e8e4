import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, defineServerPlugin, type Narrowing } from '@trellis/sdk/server';
import type { LiveEvent, LiveSubscribeAnswer } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { io, type Socket } from 'socket.io-client';

/** What the rule of the test leaves to whom it names. */
const rule: { narrowedId: string; narrowing: Narrowing | undefined } = {
  narrowedId: '',
  narrowing: undefined,
};

/** Hides columns from one person. */
const hidingPlugin = {
  manifest: {
    id: 'hiding',
    name: 'Hiding',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '*' },
    sdk: 1,
    enabledByDefault: true,
  },
  server: defineServerPlugin({
    setup(ctx) {
      ctx.register('scopeRules', {
        id: 'hiding',
        narrow: ({ principal }) => (principal.id === rule.narrowedId ? rule.narrowing : undefined),
      });
    },
  }),
};

describe('a listener who may see a part of a table', () => {
  const rows = '/api/v1/db/data/noco/Live/Things';
  const sockets: Socket[] = [];
  let server: TestServer;
  let ann: TestClient;
  let bob: TestClient;
  let tableId: string;

  beforeAll(async () => {
    server = await createTestServer({ plugins: [hidingPlugin] });
    ann = await server.signUp();
    bob = await server.signUp();
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Live' });
    const table = await ann.post<{ id: string; columns: { id: string; title: string }[] }>(
      `/api/v1/db/meta/projects/${project.body.id}/tables`,
      {
        title: 'Things',
        columns: [
          { title: 'Id', uidt: 'ID', pk: true, ai: true },
          { title: 'Name', uidt: 'SingleLineText' },
          { title: 'Salary', uidt: 'Number' },
        ],
      },
    );
    tableId = table.body.id;
    const visible = table.body.columns.filter(({ title }) => title !== 'Salary').map(({ id }) => id);
    rule.narrowedId = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
    rule.narrowing = { columns: new Map([[tableId, { readable: new Set(visible) }]]) };
    const access = server.host.container.get(AccessServiceToken);
    await access.grant(project.body.id, rule.narrowedId, 'viewer');
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  });
  afterAll(() => server.dispose());

  /** Listens to the table, to what came after a number too; the row events arrive in `heard`. */
  async function listen(client: TestClient, since?: number) {
    const socket = io(`${server.url}/live`, {
      auth: { token: client.token },
      transports: ['websocket'],
      forceNew: true,
    });
    sockets.push(socket);
    const heard: LiveEvent[] = [];
    const first = new Promise<void>((resolve) => {
      socket.on('event', (event: LiveEvent) => {
        if (event.kind !== 'rows' && event.kind !== 'rowsReset') return;
        heard.push(event);
        resolve();
      });
    });
    await once(socket as never, 'connect');
    const answer = (await socket.emitWithAck('subscribe', { tableId, since })) as LiveSubscribeAnswer;
    if (!answer.ok) throw new Error(answer.msg);
    return { answer, heard, first };
  }

  test('hears that rows changed, and nothing of what is hidden', async () => {
    const [full, part] = [await listen(ann), await listen(bob)];
    await ann.post(rows, { Name: 'Lamp', Salary: 918273645 });
    await Promise.all([full.first, part.first]);
    expect(JSON.stringify(full.heard)).toContain('918273645');
    expect(part.heard).toMatchObject([{ kind: 'rowsReset', tableId }]);
    expect(JSON.stringify(part.heard)).not.toMatch(/918273645|Salary/);
  });

  test('is given no more of what was missed', async () => {
    const { answer } = await listen(bob);
    const before = answer.ok ? answer.seq : 0;
    const witness = await listen(ann);
    await ann.post(rows, { Name: 'Chair', Salary: 918273654 });
    await witness.first;
    const [full, part] = [await listen(ann, before), await listen(bob, before)];
    await Promise.all([full.first, part.first]);
    expect(JSON.stringify(full.heard)).toContain('918273654');
    expect(part.heard.map(({ kind }) => kind)).toEqual(['rowsReset']);
    expect(JSON.stringify(part.heard)).not.toMatch(/918273654|Salary/);
  });
});

test('What is wrong with a plugin that somebody works on is heard by administrators alone', async () => {
  const server = await createTestServer();
  const [ann, bob] = [await server.signUp(), await server.signUp()];
  const heard: (readonly [string, LiveEvent])[] = [];
  const sockets = [ann, bob].map((client) =>
    io(`${server.url}/live`, { auth: { token: client.token }, transports: ['websocket'], forceNew: true }),
  );
  for (const [index, socket] of sockets.entries())
    socket.on('event', (event: LiveEvent) => heard.push([index === 0 ? 'ann' : 'bob', event]));
  try {
    await Promise.all(sockets.map((socket) => once(socket as never, 'connect')));
    const path = '/api/v1/app-store/dev/mistakes';
    expect((await bob.post(path, { id: 'acme-mood' })).status).toBe(403);
    const arrived = once(sockets[0] as never, 'event');
    await ann.post(path, { id: 'acme-mood', mistakes: 'web/index.tsx:2:10 is wrong' });
    await arrived;
    // Everybody hears of this, after what came before.
    const last = once(sockets[1] as never, 'event');
    await ann.post('/api/v1/app-store/plugins/view-kanban/disable', { cascade: [] });
    await last;
    expect(heard.filter(([, { kind }]) => kind === 'objects')).toEqual([
      [
        'ann',
        {
          kind: 'objects',
          projectId: '',
          objectKind: 'development-mistakes',
          requestId: expect.any(String),
        },
      ],
    ]);
  } finally {
    for (const socket of sockets) socket.disconnect();
    await server.dispose();
  }
});
