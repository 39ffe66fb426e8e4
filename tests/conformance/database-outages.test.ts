import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  askUntil,
  createTestServer,
  startReceiver,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { openDatabase, type ServerTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases, describeEachServer } from '../../host-server/databases/testing.ts';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';

const meta = '/api/v1/db/meta';

/** A way to a database that can be cut and opened again. */
class Wire {
  readonly #sockets = new Set<Socket>();
  readonly #target: ServerTarget;
  #server: Server | undefined;
  port = 0;

  constructor(target: ServerTarget) {
    this.#target = target;
  }

  async open(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(this.#target.port, this.#target.host);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => this.#sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    ({ port: this.port } = server.address() as AddressInfo);
  }

  async cut(): Promise<void> {
    const closed = once(this.#server as Server, 'close');
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

describeEachServer('an existing database that goes away', (dialect) => {
  const databases = createTestDatabases(dialect);
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  afterAll(() => databases.dropAll());

  async function start(options: Parameters<typeof createTestServer>[0] = {}): Promise<TestServer> {
    const server = await createTestServer(options);
    closing.push(() => server.dispose());
    return server;
  }

  /** A database in which one customer is. */
  async function shopOf(customer: string): Promise<ServerTarget> {
    const target = (await databases.target()) as ServerTarget;
    const database = await openDatabase(target, { name: 'the other application' });
    await database.write(async (unit) => {
      await unit.run({ sql: 'create table customer (id int primary key, name varchar(50))', bindings: [] });
      await unit.run({
        sql: 'create table country (code varchar(2) primary key, name varchar(50))',
        bindings: [],
      });
    });
    await database.write((unit) =>
      unit.run({ sql: 'insert into customer values (1, ?)', bindings: [customer] }),
    );
    await database.close();
    return target;
  }

  function settingsOf({ host, port, user, password, database }: ServerTarget) {
    return { host, port, user, ...(password !== undefined && { password }), database };
  }

  async function open(owner: TestClient, settings: object): Promise<ProjectEntity> {
    const type = dialect === 'postgres' ? 'pg' : 'mysql2';
    const bases = [{ type, settings }];
    const made = await owner.post<ProjectEntity>(`${meta}/projects`, {
      title: 'Shop',
      external: true,
      bases,
    });
    expect(made).toMatchObject({ status: 200 });
    return made.body;
  }

  const rows = '/api/v1/db/data/noco/Shop/Customer';

  test('is told of in words, leaves the rest of the server alone, and is used again when it is back', async () => {
    const target = await shopOf('Ada');
    const wire = new Wire(target);
    await wire.open();
    const server = await start();
    const owner = await server.signUp();
    const project = await open(owner, { ...settingsOf(target), host: '127.0.0.1', port: wire.port });
    expect(await owner.get(rows)).toMatchObject({ status: 200, body: { list: [{ Name: 'Ada' }] } });
    const countries = '/api/v1/db/data/noco/Shop/Country';
    expect(await owner.post(countries, { Code: 'no', Name: 'Norway' })).toMatchObject({ status: 200 });
    const history = `${countries}/no/history`;
    const { body: told } = await owner.get<{ list: readonly object[] }>(history);
    expect(told.list).toHaveLength(1);

    await wire.cut();
    // What happened to its rows is known without it.
    expect(await owner.get(history)).toMatchObject({ status: 200, body: told });
    for (const attempt of [() => owner.get(rows), () => owner.post(rows, { Id: 2, Name: 'Bob' })]) {
      const answer = await attempt();
      expect(answer).toMatchObject({ status: 503 });
      // Whoever uses a project learns nothing of where its database is.
      expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|ECONN/);
    }
    expect(await owner.get(`${meta}/projects/${project.id}/tables`)).toMatchObject({ status: 200 });
    expect(await owner.get('/api/v1/health')).toMatchObject({ status: 200 });
    expect(await owner.get(`${meta}/projects/${project.id}/meta-diff`)).toMatchObject({ status: 503 });

    await wire.open();
    expect(await owner.get(rows)).toMatchObject({ status: 200, body: { list: [{ Name: 'Ada' }] } });
    expect(await owner.post(rows, { Id: 2, Name: 'Bob' })).toMatchObject({ status: 200 });
    await wire.cut();
  });

  test('opens nothing that a rule for rows keeps back, and leaves the project to those who have such a rule', async () => {
    const target = await shopOf('Ada');
    const wire = new Wire(target);
    await wire.open();
    const metadata = await databases.url();
    const env = { TRELLIS_SECRET: 'one secret for both of the servers' };
    const first = await createTestServer({ database: metadata, env });
    const owner = await first.signUp();
    const bob = await first.signUp('bob@example.com');
    const project = await open(owner, { ...settingsOf(target), host: '127.0.0.1', port: wire.port });
    const at = `${meta}/projects/${project.id}`;
    await owner.post(`${at}/users`, { email: 'bob@example.com', roles: 'viewer' });
    const tables = await owner.get<{ list: { id: string; title: string }[] }>(`${at}/tables`);
    const id = tables.body.list.find(({ title }) => title === 'Customer')?.id ?? '';
    const { columns } = (
      await owner.get<{ columns: { id: string; title: string }[] }>(`${meta}/tables/${id}`)
    ).body;
    const columnId = columns.find(({ title }) => title === 'Name')?.id;
    const filters = [{ kind: 'condition', columnId, operator: 'eq', value: 'Bob' }];
    const rule = `/api/v1/plugins/row-rules/projects/${project.id}/rules/${id}/viewer`;
    expect(await owner.put(rule, { filters })).toMatchObject({ status: 200 });
    expect(await bob.get(rows)).toMatchObject({ status: 200, body: { list: [] } });
    await first.dispose();
    await wire.cut();

    // A server that knows nothing yet, while the database is away.
    const second = await start({ database: metadata, env });
    const again = second.client.with({ token: bob.token });
    expect(await again.get(at)).toMatchObject({ status: 200, body: { title: 'Shop' } });
    expect(await again.get(`${at}/tables`)).toMatchObject({ status: 200 });
    expect(await again.get(rows)).toMatchObject({ status: 503 });
    await wire.open();
    expect(await again.get(rows)).toMatchObject({ status: 200, body: { list: [] } });
    const boss = second.client.with({ token: owner.token });
    expect(await boss.get(rows)).toMatchObject({ status: 200, body: { list: [{ Name: 'Ada' }] } });
    expect(await boss.post(rows, { Id: 2, Name: 'Bob' })).toMatchObject({ status: 200 });
    expect(await again.get(rows)).toMatchObject({ body: { list: [{ Name: 'Bob' }] } });
    await wire.cut();
  });

  test('keeps its own webhooks waiting until it is back, and those of other projects not at all', async () => {
    const target = await shopOf('Ada');
    const wire = new Wire(target);
    await wire.open();
    const receiver = await startReceiver();
    closing.push(() => receiver.close());
    const server = await start({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    const owner = await server.signUp();
    const shop = await open(owner, { ...settingsOf(target), host: '127.0.0.1', port: wire.port });
    const own = await owner.post<ProjectEntity>(`${meta}/projects`, { title: 'Own' });
    await owner.post(`${meta}/projects/${own.body.id}/tables`, {
      title: 'Thing',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    for (const id of [shop.id, own.body.id]) {
      const path = `${meta}/projects/${id}/tables`;
      const tables = await owner.get<{ list: { id: string; title: string }[] }>(path);
      const table = tables.body.list.find(({ title }) => title !== 'Country');
      const made = await owner.post(`${meta}/tables/${table?.id}/hooks`, {
        title: 'Tell',
        event: 'after',
        operation: 'update',
        notification: { type: 'URL', payload: { method: 'POST', path: `${receiver.url}/${id}` } },
      });
      expect(made).toMatchObject({ status: 200 });
    }
    const ownRows = '/api/v1/db/data/noco/Own/Thing';
    await owner.post(ownRows, { Name: 'a' });
    await server.host.plugins.disable('webhooks', { cascade: [] });
    expect(await owner.patch(`${rows}/1`, { Name: 'Bob' })).toMatchObject({ status: 200 });
    await owner.patch(`${ownRows}/1`, { Name: 'b' });
    await wire.cut();
    await server.host.plugins.enable('webhooks');
    const told = (id: string) => receiver.until(1, ({ path }) => path === `/${id}`);
    expect((await told(own.body.id))[0]?.body).toContain('"b"');
    expect(receiver.got.filter(({ path }) => path === `/${shop.id}`)).toEqual([]);
    await wire.open();
    expect((await told(shop.id))[0]?.body).toContain('"Bob"');
    await wire.cut();
  });

  test('does not keep a server from starting', async () => {
    const target = await shopOf('Ada');
    const wire = new Wire(target);
    await wire.open();
    const metadata = await databases.url();
    const env = { TRELLIS_SECRET: 'one secret for both of the servers' };
    const first = await createTestServer({ database: metadata, env });
    const owner = await first.signUp();
    await open(owner, { ...settingsOf(target), host: '127.0.0.1', port: wire.port });
    await first.dispose();
    await wire.cut();
    const second = await start({ database: metadata, env });
    const again = second.client.with({ token: owner.token });
    expect(await again.get(`${meta}/projects`)).toMatchObject({
      status: 200,
      body: { list: [{ title: 'Shop' }] },
    });
    expect(await again.get(rows)).toMatchObject({ status: 503 });
  });

  test('or to another place is followed by every server that shares the metadata', async () => {
    const [former, next] = [await shopOf('Ada'), await shopOf('Bob')];
    const metadata = await databases.url();
    const env = { TRELLIS_SECRET: 'one secret for both of the servers' };
    const [first, second] = [
      await start({ database: metadata, env }),
      await start({ database: metadata, env }),
    ];
    const owner = await first.signUp();
    const elsewhere = second.client.with({ token: owner.token });
    const project = await open(owner, settingsOf(former));
    const shown = async () =>
      (await elsewhere.get<{ list?: readonly { Name: string }[] }>(rows)).body.list?.[0]?.Name;
    await askUntil(shown, (name) => name === 'Ada');
    const path = `${meta}/projects/${project.id}/bases/${project.bases?.[0]?.id ?? ''}`;
    expect(await owner.patch(path, { settings: { ...settingsOf(next), readOnly: true } })).toMatchObject({
      status: 200,
    });
    expect(await owner.get(rows)).toMatchObject({ body: { list: [{ Name: 'Bob' }] } });
    await askUntil(shown, (name) => name === 'Bob');
    expect(await elsewhere.post(rows, { Id: 2 })).toMatchObject({
      status: 400,
      body: { code: 'TABLE_READ_ONLY' },
    });
  });

  test('stays where it is while a change of its tables that was cut off is not settled', async () => {
    const [former, next] = [await shopOf('Ada'), await shopOf('Bob')];
    const server = await start();
    const owner = await server.signUp();
    const project = await open(owner, settingsOf(former));
    const path = `${meta}/projects/${project.id}/bases/${project.bases?.[0]?.id ?? ''}`;
    const moved = { settings: settingsOf(next) };
    const { database } = server.host.container.get(MetadataToken);
    const task = { id: 'task_unsettled', project_id: project.id };
    await database.write((unit) =>
      unit.run(
        unit.knex('trellis_task').insert({
          ...task,
          // Of a later version, so that this one cannot settle it.
          kind: 'schema.unknown',
          title: 'A change',
          state: 'running',
          payload: '{}',
          done: 0,
          cancelling: false,
          fence: 0,
          lease_until: 0,
          attempts: 0,
          created_at: 1,
          updated_at: 1,
        }),
      ),
    );
    expect(await owner.patch(path, moved)).toMatchObject({ status: 409, body: { code: 'BASE_UNSETTLED' } });
    expect(await owner.patch(path, { settings: { ...settingsOf(former), readOnly: true } })).toMatchObject({
      status: 200,
    });
    expect(await owner.get(rows)).toMatchObject({ body: { list: [{ Name: 'Ada' }] } });
    await database.write((unit) => unit.run(unit.knex('trellis_task').where(task).delete()));
    expect(await owner.patch(path, moved)).toMatchObject({ status: 200 });
    expect(await owner.get(rows)).toMatchObject({ body: { list: [{ Name: 'Bob' }] } });
  });
});
