import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
let owner: TestClient;
beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp();
});
afterAll(() => server?.dispose());

const read = (url: string, client = owner) => client.post('/api/v1/url_to_config', { url });

test.each([
  [
    'postgres://ada:s%40cret@db.example.com:6432/shop?sslmode=verify-full&currentSchema=sales',
    {
      client: 'pg',
      connection: {
        user: 'ada',
        password: 's@cret',
        host: 'db.example.com',
        port: '6432',
        database: 'shop',
        ssl: 'verify-full',
      },
      searchPath: ['sales'],
    },
  ],
  [
    'jdbc:postgresql://[2001:db8::1]:5432/shop?user=ada&password=a+b&ssl=true',
    {
      client: 'pg',
      connection: {
        user: 'ada',
        password: 'a+b',
        host: '2001:db8::1',
        port: '5432',
        database: 'shop',
        ssl: 'true',
      },
    },
  ],
  [
    'postgresql://ada:p@ss/w#rd@db/shop',
    { client: 'pg', connection: { user: 'ada', password: 'p@ss/w#rd', host: 'db', database: 'shop' } },
  ],
  [
    'jdbc:postgresql://db:5432/shop?user=ada@srv&sslmode=require',
    {
      client: 'pg',
      connection: { user: 'ada@srv', host: 'db', port: '5432', database: 'shop', ssl: 'true' },
    },
  ],
  [
    ' mariadb://root@localhost/shop?useSSL=false ',
    { client: 'mysql2', connection: { user: 'root', host: 'localhost', database: 'shop', ssl: 'false' } },
  ],
  [
    'pg://db:5432?u=ada&p=100%25&d=shop',
    {
      client: 'pg',
      connection: { user: 'ada', password: '100%', host: 'db', port: '5432', database: 'shop' },
    },
  ],
  [
    'jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password=a=b&c;encrypt=true;trustServerCertificate=true',
    {
      client: 'mssql',
      connection: { user: 'sa', password: 'a=b&c', host: 'db', port: '1433', database: 'shop', ssl: 'true' },
    },
  ],
  [
    'mssql://sa:x@db/shop?encrypt=true',
    {
      client: 'mssql',
      connection: { user: 'sa', password: 'x', host: 'db', database: 'shop', ssl: 'verify-full' },
    },
  ],
])('the address %s is the configuration of a connection', async (address, config) => {
  expect(await read(address)).toMatchObject({ status: 200 });
  expect((await read(address)).body).toEqual(config);
});

test.each([
  '',
  'shop',
  'http://db/shop',
  'postgres://',
  'file:///etc/passwd',
  '__proto__://db/x',
  'pg://a b/',
])('what is no address of a database is refused: %s', async (address) => {
  expect(await read(address)).toMatchObject({ status: 400, body: { code: 'DATABASE_ADDRESS' } });
});

test('an address is read for those who may connect databases', async () => {
  expect(await read('pg://db/shop', server.client)).toMatchObject({ status: 401 });
});
