import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import mysql from 'mysql2';
import { openDatabase, type ServerTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases, describeEachExistingServer } from '../../host-server/databases/testing.ts';

const meta = '/api/v1/db/meta';
const name = 'atlas desk 7';

let server: TestServer;
let owner: TestClient;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => server?.dispose());

async function listening(of: Server): Promise<number> {
  of.listen(0, '127.0.0.1');
  await once(of, 'listening');
  closing.push(() => of.close());
  return (of.address() as AddressInfo).port;
}

const tested = (type: string, settings: object) =>
  owner.post<{ code: number }>(`${meta}/connection/test`, {
    type,
    settings: { host: '127.0.0.1', user: 'root', database: 'shop', ...settings },
  });

describeEachExistingServer('the settings of a connection', (dialect) => {
  if (dialect !== 'postgres') return;
  const databases = createTestDatabases(dialect);
  afterAll(() => databases.dropAll());

  test('tell the database the name of the application, in each of its connections', async () => {
    const target = (await databases.target()) as ServerTarget;
    const database = await openDatabase(target, { name: 'the other application' });
    closing.push(() => database.close());
    await database.write((unit) => unit.run({ sql: 'create table city (id int primary key)', bindings: [] }));
    const { host, port, user, password, database: title } = target;
    const settings = { host, port, user, ...(password !== undefined && { password }), database: title };
    const seen = async () => {
      const { rows } = await database.read((unit) =>
        unit.rows({
          sql: 'select distinct application_name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          bindings: [],
        }),
      );
      return rows.flat();
    };
    await owner.post(`${meta}/projects`, {
      title: 'Named',
      external: true,
      bases: [{ type: 'pg', settings: { ...settings, applicationName: name } }],
    });
    expect((await owner.get('/api/v1/db/data/noco/Named/City')).status).toBe(200);
    expect(await seen()).toContain(name);
    await owner.post(`${meta}/projects`, {
      title: 'Unnamed',
      external: true,
      bases: [{ type: 'pg', settings }],
    });
    expect((await owner.get('/api/v1/db/data/noco/Unnamed/City')).status).toBe(200);
    expect(await seen()).toEqual(expect.arrayContaining([name, 'trellis']));
  });
});

describe('the settings of a connection', () => {
  test('tell a MySQL server the name of the program with the sign-in', async () => {
    let sent = '';
    const fake = mysql.createServer((given) => {
      const connection = given as unknown as {
        readonly stream: Socket;
        serverHandshake(options: object): void;
        on(event: 'error', listener: () => void): void;
      };
      closing.push(() => connection.stream.destroy());
      connection.stream.on('data', (bytes: Buffer) => {
        sent += bytes.toString('latin1');
        // The sign-in was heard; nothing is answered.
        connection.stream.destroy();
      });
      connection.on('error', () => undefined);
      connection.serverHandshake({
        protocolVersion: 10,
        serverVersion: '8.0.0',
        connectionId: 1,
        statusFlags: 2,
        characterSet: 8,
        capabilityFlags: 0xff_ff_ff,
      });
    });
    const port = await listening((fake as unknown as { readonly _server: Server })._server);
    await tested('mysql2', { port, applicationName: name });
    expect(sent).toContain('program_name');
    expect(sent).toContain(name);
  });

  test.each(['pg', 'mysql2', 'mssql'])(
    'say how long a server of kind %s that never answers is waited for',
    async (type) => {
      const closed: Promise<unknown>[] = [];
      const silent = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.resume();
        closing.push(() => socket.destroy());
        closed.push(once(socket, 'close'));
      });
      const port = await listening(silent);
      const ended: number[] = [];
      const begun = performance.now();
      const secondsOf = async (connectSeconds: number) => {
        expect((await tested(type, { port, connectSeconds })).body).toMatchObject({ code: -1 });
        ended.push(connectSeconds);
        return (performance.now() - begun) / 1000;
      };
      // The longer one begins first: were both waited for as long, it would end first, however busy the machine is.
      const [long, short] = await Promise.all([secondsOf(5), secondsOf(2)]);
      expect(ended).toEqual([2, 5]);
      expect(short).toBeGreaterThan(1.5);
      expect(long).toBeGreaterThan(4.5);
      await Promise.all(closed);
    },
  );
});
