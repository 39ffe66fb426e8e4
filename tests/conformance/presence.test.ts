import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { LiveSaid, LiveSaying, LiveSubscribeAnswer, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { io, type Socket } from 'socket.io-client';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const meta = '/api/v1/db/meta';

/** An open page of a table. */
interface Page {
  readonly socket: Socket;
  readonly answer: LiveSubscribeAnswer;
  readonly heard: readonly LiveSaying[];
  say(said: unknown, topic?: string): void;
  /** The next saying that fits. */
  next(fits: (saying: LiveSaying) => boolean): Promise<LiveSaying>;
}

describeEachServer('who is at a table', (dialect) => {
  if (dialect !== 'postgres') return;
  const databases = createStartedDatabases(dialect);
  let first: TestServer;
  let second: TestServer;
  let ann: TestClient;
  let bob: TestClient;
  let eve: TestClient;
  let project = '';
  let table: TableEntity;
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
    eve = await first.signUp('eve@example.com');
    project = (await ann.post<{ id: string }>(`${meta}/projects`, { title: 'Atlas' })).body.id;
    await ann.post(`${meta}/projects/${project}/users`, { email: 'bob@example.com', roles: 'editor' });
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Pay', uidt: 'Number' },
    ];
    const made = await ann.post<TableEntity>(`${meta}/projects/${project}/tables`, {
      title: 'City',
      columns,
    });
    table = (await ann.get<TableEntity>(`${meta}/tables/${made.body.id}`)).body;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  });
  afterAll(async () => {
    await second?.dispose();
    await first?.dispose();
    await databases.dropAll();
  });

  const column = (title: string) => table.columns?.find((one) => one.title === title)?.id ?? '';

  const open = (client: TestClient, server = first) => openAs({ token: client.token }, server);

  async function openAs(auth: object, server = first): Promise<Page> {
    const socket = io(`${server.url}/live`, {
      auth,
      transports: ['websocket'],
      reconnection: false,
    });
    sockets.push(socket);
    const heard: LiveSaying[] = [];
    const waiting = new Set<() => void>();
    socket.on('said', (saying: LiveSaying) => {
      heard.push(saying);
      for (const look of waiting) look();
    });
    const [refused] = (await Promise.race([
      once(socket as never, 'connect'),
      once(socket as never, 'connect_error'),
    ])) as [Error | undefined];
    if (refused !== undefined) throw refused;
    const answer: LiveSubscribeAnswer = await socket
      .timeout(5000)
      .emitWithAck('subscribe', { tableId: table.id });
    let read = 0;
    return {
      socket,
      answer,
      heard,
      say: (said, topic = 'presence') => void socket.emit('say', { tableId: table.id, topic, said }),
      next: (fits) =>
        new Promise((resolve) => {
          const look = (): void => {
            while (read < heard.length) {
              const saying = heard[read++];
              if (saying === undefined || !fits(saying)) continue;
              waiting.delete(look);
              return resolve(saying);
            }
          };
          waiting.add(look);
          look();
        }),
    };
  }

  const isSaid = (said: LiveSaid | null) => (saying: LiveSaying) =>
    JSON.stringify(saying.said) === JSON.stringify(said);

  test('is told to the other pages, to those that come later too, and forgotten when a page goes', async () => {
    const anns = await open(ann);
    const cell = { row: '1', column: column('Name') };
    anns.say(cell);
    const bobs = await open(bob);
    const saying = await bobs.next(isSaid(cell));
    expect(saying).toMatchObject({
      tableId: table.id,
      topic: 'presence',
      from: { email: 'ann@example.com' },
    });
    anns.say({ row: '2', column: column('Name') });
    await bobs.next(isSaid({ row: '2', column: column('Name') }));
    anns.socket.disconnect();
    expect(await bobs.next(isSaid(null))).toMatchObject({ from: { id: saying.from.id } });
    expect(anns.heard).toEqual([]);
  });

  test('is told between servers, and forgotten there when the page leaves the table', async () => {
    const bobs = await open(bob, second);
    const anns = await open(ann);
    anns.say({});
    await bobs.next(isSaid({}));
    const later = await open(bob, second);
    await later.next(isSaid({}));
    anns.socket.emit('unsubscribe', { tableId: table.id });
    expect((await bobs.next(isSaid(null))).from.id).toBe(anns.socket.id);
  });

  test('is for those who may read the table, and says no more than they see of it', async () => {
    const role = {
      title: 'Without pay',
      base: 'editor',
      tables: {
        [table.id]: {
          access: 'write',
          create: true,
          delete: true,
          columns: { [column('Pay')]: 'none' },
          newColumns: 'write',
        },
      },
      newTables: 'write',
    };
    const made = await ann.post<{ id: string }>(
      `/api/v1/plugins/sys-members/projects/${project}/roles`,
      role,
    );
    const { id } = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body;
    const given = { roles: 'editor', project_id: project, custom_role: made.body.id };
    expect((await ann.patch(`${meta}/projects/${project}/users/${id}`, given)).status).toBe(200);

    const [anns, bobs, eves] = [await open(ann), await open(bob), await open(eve)];
    expect(eves.answer.ok).toBe(false);
    anns.say({ row: '1', column: column('Pay') });
    await bobs.next(isSaid({}));
    anns.say({ row: '1', column: column('Name') });
    await bobs.next(isSaid({ row: '1', column: column('Name') }));
    // A stranger neither hears nor is heard.
    eves.say({});
    bobs.say({});
    expect((await anns.next(isSaid({}))).from.email).toBe('bob@example.com');
    expect(eves.heard).toEqual([]);

    await ann.delete(`${meta}/projects/${project}/users/${id}`);
    anns.say({ row: '3', column: column('Name') });
    expect(await bobs.next(isSaid(null))).toMatchObject({ from: { userId: '', email: '' } });
  });

  async function share(roles: string) {
    const { body } = await ann.post<{ uuid: string }>(`${meta}/projects/${project}/shared`, { roles });
    const headers = { 'xc-shared-base-id': body.uuid };
    return { uuid: body.uuid, visit: { headers, projectId: project } };
  }

  test('shows who may change rows by a link, without a name, and tells them none of members', async () => {
    const { visit } = await share('editor');
    const [anns, visitor, other] = [
      await open(ann),
      await openAs({ visit }),
      await openAs({ visit }, second),
    ];
    expect([visitor.answer.ok, other.answer.ok]).toEqual([true, true]);
    const cell = { row: '1', column: column('Name') };
    visitor.say(cell);
    const ofVisitor = { userId: '', email: '', isVisitor: true };
    expect(await anns.next(isSaid(cell))).toMatchObject({ from: ofVisitor });
    expect(await other.next(isSaid(cell))).toMatchObject({ from: ofVisitor });
    anns.say({ row: '2', column: column('Name') });
    const heard = await visitor.next(isSaid({ row: '2', column: column('Name') }));
    expect(heard.from).toEqual({ id: anns.socket.id, userId: '', email: '', isVisitor: false });
    expect(JSON.stringify([visitor.heard, other.heard])).not.toMatch(/example\.com|us_/);
    visitor.socket.disconnect();
    expect(await anns.next(isSaid(null))).toMatchObject({ from: { userId: '', email: '' } });
  });

  test('is nothing for those who may only look by a link, though they hear that rows changed', async () => {
    const { visit } = await share('viewer');
    const [anns, visitor] = [await open(ann), await openAs({ visit })];
    const events: { kind: string }[] = [];
    visitor.socket.on('event', (event: { kind: string }) => void events.push(event));
    visitor.say({});
    anns.say({ row: '1', column: column('Name') });
    const changed = once(visitor.socket as never, 'event');
    expect((await ann.post(`/api/v1/db/data/noco/${project}/City`, { Name: 'Oslo' })).status).toBe(200);
    await changed;
    // Who wrote is in the events of members alone, and so are the rows, which a visitor reads by its own rights.
    expect(events).toMatchObject([{ kind: 'rowsReset' }]);
    expect(JSON.stringify(events)).not.toMatch(/example\.com|Oslo|us_/);
    expect(visitor.heard.filter(({ said }) => said !== null)).toEqual([]);
    expect(anns.heard.filter(({ said }) => said !== null)).toEqual([]);
  });

  test('ends for visitors with their link, and takes nobody in by one that opens nothing', async () => {
    const { visit, uuid } = await share('editor');
    const visitor = await openAs({ visit });
    const ended = once(visitor.socket as never, 'disconnect');
    expect((await ann.delete(`${meta}/projects/${project}/shared`)).status).toBe(200);
    await ended;
    const elsewhere = (await eve.post<{ id: string }>(`${meta}/projects`, { title: 'Else' })).body.id;
    for (const wrong of [
      { headers: { 'xc-shared-base-id': uuid }, projectId: project },
      { headers: { 'xc-shared-base-id': uuid }, projectId: elsewhere },
      { headers: { 'xc-auth': ann.token ?? '' }, projectId: project },
      { headers: { 'xc-shared-base-id': ['x'] }, projectId: project },
      { headers: {}, projectId: project },
      'visit',
    ])
      await expect(openAs({ visit: wrong })).rejects.toThrow('Unauthorized access');
  });

  test('is dropped where it is of no topic, too long, or of a table that the page does not listen to', async () => {
    const [anns, other] = [await open(ann), await open(ann)];
    other.socket.emit('unsubscribe', { tableId: table.id });
    other.say({});
    anns.say({}, 'nothing-of-the-kind');
    anns.say('here');
    anns.say({ row: 'x'.repeat(1500), column: column('Name') });
    const hears = await open(ann);
    anns.say({ row: '7', column: column('Name') });
    await hears.next(isSaid({ row: '7', column: column('Name') }));
    expect(hears.heard.every(({ said }) => said === null || said.row === undefined || said.row === '7')).toBe(
      true,
    );
    expect(new Set(hears.heard.map(({ from }) => from.id)).size).toBe(1);
  });
});
