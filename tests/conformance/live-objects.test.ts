import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LiveEvent } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { io, type Socket } from 'socket.io-client';

const meta = '/api/v1/db/meta';

describe('what keepers of a project change is told to the pages of the others', () => {
  let server: TestServer;
  let ann: TestClient;
  let projectId: string;
  let tableId: string;
  let viewId: string;
  let page: Socket;

  beforeAll(async () => {
    server = await createTestServer();
    ann = await server.signUp('ann@example.com');
    projectId = (await ann.post<{ id: string }>(`${meta}/projects`, { title: 'Live' })).body.id;
    const table = await ann.post<{ id: string; views: readonly { id: string }[] }>(
      `${meta}/projects/${projectId}/tables`,
      {
        title: 'Things',
        columns: [
          { title: 'Id', uidt: 'ID', pk: true, ai: true },
          { title: 'Name', uidt: 'SingleLineText', pv: true },
        ],
      },
    );
    tableId = table.body.id;
    viewId = table.body.views[0]?.id ?? '';
    page = io(`${server.url}/live`, {
      auth: { token: ann.token },
      transports: ['websocket'],
      forceNew: true,
    });
    await once(page as never, 'connect');
  });
  afterAll(async () => {
    page.disconnect();
    await server.dispose();
  });

  /** The kind of the next objects that are told, once something was done. */
  async function told(
    work: () => Promise<{ readonly status: number }>,
    ofProject = projectId,
  ): Promise<string> {
    const heard = new Promise<string>((resolve, reject) => {
      setTimeout(() => reject(new Error('nothing was told')), 10_000).unref();
      page.on('event', function listen(event: LiveEvent) {
        if (event.kind !== 'objects' || event.projectId !== ofProject || event.objectKind === 'audit') return;
        page.off('event', listen);
        resolve(event.objectKind);
      });
    });
    expect((await work()).status).toBe(200);
    return heard;
  }

  test('webhooks and their conditions', async () => {
    let hookId = '';
    const body = {
      title: 'Tell',
      event: 'after',
      operation: 'insert',
      notification: { type: 'URL', payload: { method: 'POST', path: 'https://hooks.example.com/tellx' } },
    };
    const made = await told(async () => {
      const answer = await ann.post<{ id: string }>(`${meta}/tables/${tableId}/hooks`, body);
      hookId = answer.body.id;
      return answer;
    });
    expect(made).toBe('webhooks');
    const path = `${meta}/hooks/${hookId}`;
    expect(await told(() => ann.patch(path, { title: 'Tell more' }))).toBe('webhooks');
    expect(await told(() => ann.put(`${path}/filters?when=after`, { list: [] }))).toBe('webhooks');
    expect(await told(() => ann.delete(path))).toBe('webhooks');
  });

  test('links to views', async () => {
    const path = `${meta}/views/${viewId}/share`;
    expect(await told(() => ann.post(path, {}))).toBe('shared-views');
    expect(await told(() => ann.patch(path, { password: 'a long secret' }))).toBe('shared-views');
    expect(await told(() => ann.delete(path))).toBe('shared-views');
  });

  test('whether the project is open to visitors', async () => {
    const path = `${meta}/projects/${projectId}/shared`;
    expect(await told(() => ann.post(path, { roles: 'viewer' }))).toBe('shared-base');
    expect(await told(() => ann.patch(path, { roles: 'editor' }))).toBe('shared-base');
    expect(await told(() => ann.delete(path))).toBe('shared-base');
  });

  test('row rules', async () => {
    const columns = await ann.get<{ columns: readonly { id: string; title: string }[] }>(
      `${meta}/tables/${tableId}`,
    );
    const column = columns.body.columns.find(({ title }) => title === 'Name');
    const path = `/api/v1/plugins/row-rules/projects/${projectId}/rules/${tableId}/viewer`;
    const filters = [{ kind: 'condition', columnId: column?.id, operator: 'eq', value: 'Ada' }];
    expect(await told(() => ann.put(path, { filters }))).toBe('row-rules');
    expect(await told(() => ann.delete(path))).toBe('row-rules');
  });

  test('custom roles', async () => {
    const path = `/api/v1/plugins/sys-members/projects/${projectId}/roles`;
    expect(await told(() => ann.post(path, { title: 'Guests', base: 'viewer' }))).toBe('custom-roles');
  });

  test('what somebody did is in the audit', async () => {
    const heard = new Promise<string>((resolve) => {
      page.on('event', function listen(event: LiveEvent) {
        if (event.kind !== 'objects' || event.objectKind !== 'audit') return;
        page.off('event', listen);
        resolve(event.projectId);
      });
    });
    const path = `/api/v1/plugins/sys-members/projects/${projectId}/roles`;
    expect(await ann.post(path, { title: 'Others', base: 'viewer' })).toMatchObject({ status: 200 });
    expect(await heard).toBe(projectId);
  });

  test('the people of the server, and what sends mail and keeps files, to administrators alone; that settings of a plugin changed, to everybody', async () => {
    const others: LiveEvent[] = [];
    const bob = await server.signUp('bob@example.com');
    const other = io(`${server.url}/live`, {
      auth: { token: bob.token },
      transports: ['websocket'],
      forceNew: true,
    });
    other.on('event', (event: LiveEvent) => others.push(event));
    await once(other as never, 'connect');
    const ofServer = (work: () => Promise<{ readonly status: number }>) => told(work, '');
    expect(await ofServer(() => ann.post('/api/v1/user-invitations', { email: 'cy@example.com' }))).toBe(
      'accounts',
    );
    expect(
      await ofServer(() =>
        server.client.post('/api/v1/auth/user/signup', {
          email: 'dee@example.com',
          password: 'a long password',
        }),
      ),
    ).toBe('accounts');
    expect(await ofServer(() => ann.put('/api/v1/storage/default', { place: 'local' }))).toBe('storage');
    const settings = '/api/v1/app-store/plugins/app-smtp/settings';
    expect(
      await ofServer(() =>
        ann.put(settings, {
          input: { from: 'a@example.com', host: '127.0.0.1', security: 'none', port: 2525 },
        }),
      ),
    ).toBe('plugin-settings');
    // The next event that everybody hears comes behind those of the server.
    const heard = new Promise<void>((resolve) => {
      other.on('event', ({ kind }: LiveEvent) => void (kind === 'projects' && resolve()));
    });
    await ann.post(`${meta}/projects`, { title: 'Another' });
    await heard;
    other.disconnect();
    // Lists that members choose from, such as the channels of a webhook, are made of settings.
    expect(others.filter(({ kind }) => kind === 'objects')).toEqual([
      { kind: 'objects', projectId: '', objectKind: 'plugin-settings', requestId: '' },
    ]);
  });
});
