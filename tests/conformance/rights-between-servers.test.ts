import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { io, type Socket } from 'socket.io-client';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const meta = '/api/v1/db/meta';
/** Milliseconds within which a server hears of rights that end on another one. */
const soon = 1000;
/** Milliseconds between two questions. */
const pause = 20;

describeEachServer('rights that end on one of two servers', (dialect) => {
  const databases = createStartedDatabases(dialect);
  let first: TestServer;
  let second: TestServer;
  let ann: TestClient;
  let bob: TestClient;
  let bobId = '';
  let project = '';
  let tableId = '';
  const sockets: Socket[] = [];

  beforeAll(async () => {
    const options = {
      database: await databases.url(),
      env: { TRELLIS_SECRET: 'one secret for both of the servers' },
    };
    first = await createTestServer(options);
    second = await createTestServer(options);
    ann = await first.signUp('ann@example.com');
    bob = await first.signUp('bob@example.com');
    bobId = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
    project = (await ann.post<{ id: string }>(`${meta}/projects`, { title: 'Shared' })).body.id;
    const table = await ann.post<{ id: string }>(`${meta}/projects/${project}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    tableId = table.body.id;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  });
  afterAll(async () => {
    await second?.dispose();
    await first?.dispose();
    await databases.dropAll();
  });

  const users = () => `${meta}/projects/${project}/users`;
  const rows = '/api/v1/db/data/noco/Shared/Things';
  /** The same credential at the other server. */
  const elsewhere = (client: TestClient) => second.client.with({ token: client.token });
  const join = (roles: string) => ann.post(users(), { email: 'bob@example.com', roles });

  /**
   * Asks until the answer is as it should be, and says how many milliseconds of pauses that took: a busy machine takes longer for each of
   * them, as it does for what the servers do meanwhile.
   */
  async function until(ask: () => Promise<{ readonly status: number }>, wanted: (status: number) => boolean) {
    let paused = 0;
    while (!wanted((await ask()).status) && paused < 5 * soon) {
      await delay(pause);
      paused += pause;
    }
    return paused;
  }

  const isOk = (status: number) => status === 200;
  const isRefused = (status: number) => status >= 400 && status < 500;

  async function listen(
    auth: object,
  ): Promise<{ readonly ended: Promise<unknown>; readonly events: unknown[] }> {
    const socket = io(`${second.url}/live`, {
      auth,
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    });
    sockets.push(socket);
    const events: unknown[] = [];
    socket.on('event', (event: { kind: string }) => {
      if (event.kind === 'rows' || event.kind === 'rowsReset') events.push(event);
    });
    // It may end at any moment from now on; what is sent to one that ended is never answered.
    const ended = new Promise<undefined>((resolve) => socket.on('disconnect', () => resolve(undefined)));
    await once(socket as never, 'connect');
    const answer: unknown = await Promise.race([
      socket.emitWithAck('subscribe', { tableId }).catch(() => undefined),
      ended,
    ]);
    // The news of a change that was made before may come only now, and ends what was just begun, as it does for a page.
    if (answer === undefined) return listen(auth);
    expect(answer).toMatchObject({ ok: true });
    return { ended, events };
  }

  test('a member who was removed reads and hears nothing on the other one within a second', async () => {
    await join('editor');
    expect(await until(() => elsewhere(bob).get(rows), isOk)).toBeLessThan(soon);
    const { events } = await listen({ token: bob.token });
    expect((await ann.delete(`${users()}/${bobId}`)).status).toBe(200);
    expect(await until(() => elsewhere(bob).get(rows), isRefused)).toBeLessThan(soon);
    await ann.post(rows, { Name: 'secret' });
    await elsewhere(ann).post(rows, { Name: 'secret too' });
    await delay(300);
    expect(events).toEqual([]);
  });

  test('an editor who became a viewer writes nothing there within a second', async () => {
    await join('editor');
    const write = () => elsewhere(bob).post(rows, { Name: 'by bob' });
    expect(await until(write, isOk)).toBeLessThan(soon);
    await ann.patch(`${users()}/${bobId}`, { roles: 'viewer', project_id: project });
    expect(await until(write, isRefused)).toBeLessThan(soon);
    expect((await elsewhere(bob).get(rows)).status).toBe(200);
    await ann.delete(`${users()}/${bobId}`);
  });

  test('the link of a project opens nothing there once it was closed or changed', async () => {
    const shared = `${meta}/projects/${project}/shared`;
    const visit = ({ uuid }: { readonly uuid: string }) =>
      second.client.with({ headers: { 'xc-shared-base-id': uuid } });
    const opened = (await ann.post<{ uuid: string }>(shared, { roles: 'editor' })).body;
    const write = () => visit(opened).post(rows, { Name: 'by a visitor' });
    expect(await until(write, isOk)).toBeLessThan(soon);
    await ann.patch(shared, { roles: 'viewer' });
    expect(await until(write, isRefused)).toBeLessThan(soon);
    const { ended } = await listen({
      visit: { headers: { 'xc-shared-base-id': opened.uuid }, projectId: project },
    });
    const next = (await ann.post<{ uuid: string }>(shared, { roles: 'viewer' })).body;
    expect(await until(() => visit(opened).get(rows), isRefused)).toBeLessThan(soon);
    await ended;
    expect(await until(() => visit(next).get(rows), isOk)).toBeLessThan(soon);
    await ann.delete(shared);
    expect(await until(() => visit(next).get(rows), isRefused)).toBeLessThan(soon);
  });

  test('a table that was hidden from a role is not listed there within a second', async () => {
    await join('viewer');
    const tables = `${meta}/projects/${project}/tables`;
    const sees = async () => {
      const { list } = (await elsewhere(bob).get<{ list: readonly unknown[] }>(tables)).body;
      return { status: list.length > 0 ? 200 : 404 };
    };
    expect(await until(sees, isOk)).toBeLessThan(soon);
    const rules = `${meta}/projects/${project}/visibility-rules`;
    const views = (await ann.get<readonly { id: string; disabled: object }[]>(rules)).body;
    const hidden = views.map(({ id, disabled }) => ({ id, disabled: { ...disabled, viewer: true } }));
    expect((await ann.post(rules, hidden)).status).toBe(200);
    expect(await until(sees, isRefused)).toBeLessThan(soon);
    await ann.post(rules, views);
    await ann.delete(`${users()}/${bobId}`);
  });

  test('a changed password and a disabled account are nobody there within a second', async () => {
    const cid = await first.signUp('cid@example.com');
    expect(await until(() => elsewhere(cid).get(`${meta}/projects`), isOk)).toBeLessThan(soon);
    const change = { currentPassword: 'Password-1', newPassword: 'Another-Pass-1' };
    expect((await cid.post('/api/v1/auth/password/change', change)).status).toBe(200);
    expect(await until(() => elsewhere(cid).get(`${meta}/projects`), isRefused)).toBeLessThan(soon);
    const dan = await first.signUp('dan@example.com');
    const { id } = (await dan.get<{ id: string }>('/api/v1/auth/user/me')).body;
    expect(await until(() => elsewhere(dan).get(`${meta}/projects`), isOk)).toBeLessThan(soon);
    expect((await ann.patch(`/api/v1/users/${id}`, { is_disabled: true })).status).toBe(200);
    expect(await until(() => elsewhere(dan).get(`${meta}/projects`), isRefused)).toBeLessThan(soon);
  });
});
