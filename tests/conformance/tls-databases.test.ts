import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { TlsOptions } from 'node:tls';
import type { ProjectEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { openDatabase, type ServerTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases, describeEachServer } from '../../host-server/databases/testing.ts';
import { createAuthority } from './tls/certificates.ts';
import { startTlsFront, type TlsFront } from './tls/tls-front.ts';

const authority = createAuthority('Ours');
const stranger = createAuthority('Theirs');
const host = 'localhost';
const good = authority.issue('database', host);
const elsewhere = authority.issue('database', 'another.example.com');
const client = authority.issue('trellis');

describeEachServer('a connection by TLS to an existing database', (dialect) => {
  const databases = createTestDatabases(dialect);
  const type = { postgres: 'pg', mysql: 'mysql2' }[dialect];
  let server: TestServer;
  let owner: TestClient;
  let target: ServerTarget;
  let made = 0;
  const fronts: TlsFront[] = [];

  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp();
    target = (await databases.target()) as ServerTarget;
    const database = await openDatabase(target, { name: 'the other application' });
    for (const sql of [
      'create table customer (id int primary key, name varchar(50) not null)',
      "insert into customer values (1, 'Ada')",
    ])
      await database.write((unit) => unit.run({ sql, bindings: [] }));
    await database.close();
  });
  afterEach(async () => {
    for (const { id } of (await owner.get<{ list: { id: string }[] }>('/api/v1/db/meta/projects')).body.list)
      await owner.delete(`/api/v1/db/meta/projects/${id}`);
    for (const front of fronts.splice(0)) await front.close();
  });
  afterAll(async () => {
    await server?.dispose();
    await databases.dropAll();
  });

  async function front(tls?: TlsOptions): Promise<TlsFront> {
    const started = await startTlsFront(dialect, target, tls);
    fronts.push(started);
    return started;
  }

  /** Whether the rows of the database are there by a connection with these settings, and what is said where they are not. */
  async function read({ port }: TlsFront, tls: object, at = host) {
    const { user, password, database } = target;
    const title = `Shop${++made}`;
    const created = await owner.post<ProjectEntity & { msg?: string }>('/api/v1/db/meta/projects', {
      title,
      external: true,
      bases: [{ type, settings: { host: at, port, user, ...(password && { password }), database, ...tls } }],
    });
    if (created.status !== 200) return { status: created.status, msg: created.body.msg };
    const rows = await owner.get<{ list: object[] }>(`/api/v1/db/data/noco/${title}/Customer`);
    return { status: rows.status, list: rows.body.list };
  }
  const reached = { status: 200, list: [{ Id: 1, Name: 'Ada' }] };
  const refused = { status: 400, msg: expect.any(String) };

  test('reaches a server whose certificate is of the authority and the name that were given', async () => {
    const there = await front(good);
    expect(await read(there, { tls: 'identity', ca: authority.cert })).toEqual(reached);
    expect(there.secured()).toBeGreaterThan(0);
    expect(there.plain).toEqual([]);
  });

  test('reaches none whose certificate somebody else made, or for which nobody was named', async () => {
    const there = await front(stranger.issue('database', host));
    for (const tls of ['identity', 'authority'])
      for (const more of [{ ca: authority.cert }, {}])
        expect(await read(there, { tls, ...more })).toMatchObject(refused);
    expect(there.plain).toEqual([]);
  });

  test('asks for the name in the certificate where the identity is to be checked, and there alone', async () => {
    const there = await front(elsewhere);
    expect(await read(there, { tls: 'identity', ca: authority.cert })).toMatchObject(refused);
    expect(await read(there, { tls: 'authority', ca: authority.cert })).toEqual(reached);
  });

  test('takes an address in digits for what it is', async () => {
    const there = await front(authority.issue('database', '127.0.0.1'));
    const known = { tls: 'identity', ca: authority.cert };
    expect(await read(there, known, '127.0.0.1')).toEqual(reached);
    const named = await front(good);
    expect(await read(named, known, '127.0.0.1')).toMatchObject(refused);
  });

  test('shows the certificate of the client to a server that asks for one', async () => {
    const there = await front({ ...good, ca: authority.cert, requestCert: true, rejectUnauthorized: true });
    const known = { tls: 'identity', ca: authority.cert };
    expect(await read(there, known)).toMatchObject(refused);
    const forged = stranger.issue('trellis');
    expect(await read(there, { ...known, cert: forged.cert, key: forged.key })).toMatchObject(refused);
    expect(await read(there, { ...known, cert: client.cert, key: client.key })).toEqual(reached);
  });

  test('encrypts for whoever is there where nothing is to be checked', async () => {
    const there = await front(stranger.issue('database', 'another.example.com'));
    expect(await read(there, { tls: 'encrypt' })).toEqual(reached);
    expect(there.secured()).toBeGreaterThan(0);
    expect(there.plain).toEqual([]);
  });

  test('says nothing without TLS to a server that claims to have none', async () => {
    const there = await front();
    for (const tls of ['encrypt', 'authority', 'identity'])
      expect(await read(there, { tls, ca: authority.cert })).toMatchObject(refused);
    expect(there.plain).toEqual([]);
  });
});
