import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, BusToken, defineServerPlugin, TasksToken } from '@trellis/sdk/server';
import type { LiveEvent, TaskEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { io } from 'socket.io-client';

/** Prints until it is told to stop. */
const printer = {
  manifest: {
    id: 'printer',
    name: 'Printer',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '*' },
    sdk: 1,
    enabledByDefault: true,
    contributes: { permissions: [{ id: 'print' }], taskKinds: [{ id: 'printer.print' }] },
  },
  server: defineServerPlugin({
    setup(ctx) {
      ctx.register('permissions', { id: 'print', label: 'Print', roles: [], scope: 'project' });
      ctx.register('taskKinds', {
        id: 'printer.print',
        permission: 'print',
        run: ({ signal, progress }) =>
          new Promise((_resolve, reject) => {
            progress({ done: 1, total: 2 });
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      });
    },
  }),
};

describe('the tasks of a project over HTTP', () => {
  let server: TestServer;
  let owner: TestClient;
  let viewer: TestClient;
  let stranger: TestClient;
  let projectId: string;

  beforeAll(async () => {
    server = await createTestServer({ plugins: [printer] });
    owner = await server.signUp('owner@example.com');
    viewer = await server.signUp('viewer@example.com');
    stranger = await server.signUp('stranger@example.com');
    const project = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Office' });
    projectId = project.body.id;
    const me = await viewer.get<{ id: string }>('/api/v1/auth/user/me');
    await server.host.container.get(AccessServiceToken).grant(projectId, me.body.id, 'viewer');
  });
  afterAll(() => server.dispose());

  function start(title: string): Promise<TaskEntity> {
    const scope = server.host.container.get(AccessServiceToken).systemScope(projectId, 'test');
    const input = { kind: 'printer.print', title, payload: {} };
    return server.host.container.get(TasksToken).start(scope, input);
  }

  /** Resolves when the task is in a state. */
  function reached(id: string, state: TaskEntity['state']): Promise<void> {
    const { container } = server.host;
    const scope = container.get(AccessServiceToken).systemScope(projectId, 'test');
    return new Promise((resolve, reject) => {
      const look = ({ task }: { readonly task: TaskEntity }) => {
        if (task.id === id && task.state === state) resolve();
      };
      container.get(BusToken).subscribe('task.changed', { message: look, gap() {} });
      container
        .get(TasksToken)
        .get(scope, id)
        .then((task) => look({ task }), reject);
    });
  }

  const listOf = (client: TestClient) =>
    client.get<{ list: readonly TaskEntity[] }>(`/api/v1/tasks?project=${projectId}`);

  test('are seen by its members, and by nobody else', async () => {
    const { id } = await start('Annual report');
    for (const member of [owner, viewer]) {
      expect((await listOf(member)).body.list).toMatchObject([{ id, title: 'Annual report' }]);
      expect(await member.get(`/api/v1/tasks/${id}`)).toMatchObject({ status: 200, body: { id } });
    }
    expect(await listOf(stranger)).toMatchObject({ status: 403 });
    const [real, none] = [id, 'tk_00000000000000'];
    const answers = [
      await stranger.get(`/api/v1/tasks/${real}`),
      await stranger.get(`/api/v1/tasks/${none}`),
    ].map(({ status, body }) => ({ status, body }));
    expect(answers[0]).toEqual(answers[1]);
    await owner.post(`/api/v1/tasks/${id}/cancel`);
  });

  test('are cancelled by whoever may start them, and seen to end as they end', async () => {
    const socket = io(`${server.url}/live`, {
      auth: { token: owner.token },
      transports: ['websocket'],
      forceNew: true,
    });
    await once(socket as never, 'connect');
    const told = new Promise<TaskEntity>((resolve) => {
      socket.on('event', (event: LiveEvent) => {
        if (event.kind !== 'task' || event.task.title !== 'Leaflets') return;
        if (event.task.state === 'cancelled') resolve(event.task);
      });
    });
    const { id } = await start('Leaflets');
    expect(await viewer.post(`/api/v1/tasks/${id}/cancel`)).toMatchObject({ status: 403 });
    expect(await owner.post(`/api/v1/tasks/${id}/cancel`)).toMatchObject({ status: 200, body: { id } });
    expect(await told).toMatchObject({ id, state: 'cancelled', is_cancellable: false });
    expect(await owner.get(`/api/v1/tasks/${id}`)).toMatchObject({ body: { state: 'cancelled' } });
    socket.disconnect();
  });

  test('go on where they were when their plugin is switched off and on', async () => {
    const { id } = await start('Posters');
    await reached(id, 'running');
    await server.host.plugins.disable('printer', { cascade: [] });
    await reached(id, 'waiting');
    await server.host.plugins.enable('printer');
    const scope = server.host.container.get(AccessServiceToken).systemScope(projectId, 'test');
    expect(await owner.post(`/api/v1/tasks/${id}/cancel`)).toMatchObject({ status: 200 });
    const end = await server.host.container.get(TasksToken).ended(scope, id);
    expect(end.task.state).toBe('cancelled');
  });

  test('are asked for with a project', async () => {
    expect(await owner.get('/api/v1/tasks')).toMatchObject({ status: 400 });
    expect(await owner.get('/api/v1/tasks?project=nowhere')).toMatchObject({ status: 403 });
  });
});
