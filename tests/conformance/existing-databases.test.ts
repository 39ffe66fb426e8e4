import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { askUntil, createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { openDatabase, type Database, type ServerTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases, describeEachExistingServer } from '../../host-server/databases/testing.ts';
import { DatabaseToken } from '../../host-server/databases/tokens.ts';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';

const meta = '/api/v1/db/meta';

/** A small shop as somebody else might have made it. */
const shop = [
  'create table customer (id int primary key, name varchar(50) not null)',
  'create table invoice (id int primary key, customer_id int not null references customer (id), total decimal(10, 2))',
  "insert into customer values (1, 'Ada'), (2, 'Bob')",
  'insert into invoice values (1, 1, 10.50), (2, 1, 2.25), (3, 2, 7)',
];

describeEachExistingServer('an existing database on a server', (dialect) => {
  const databases = createTestDatabases(dialect);
  const type = { postgres: 'pg', mysql: 'mysql2', mssql: 'mssql' }[dialect];
  /** A text of any letters, as the database writes it. */
  const words = (text: string) => (dialect === 'mssql' ? `N'${text}'` : `'${text}'`);
  let server: TestServer;
  let owner: TestClient;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  afterAll(async () => {
    await server?.dispose();
    await databases.dropAll();
  });

  async function makeDatabase(statements: readonly string[] = shop) {
    const target = (await databases.target()) as ServerTarget;
    const database = await openDatabase(target, { name: 'the other application' });
    closing.push(() => database.close());
    for (const sql of statements) await run(database, sql);
    return { target, database };
  }

  function run(database: Database, sql: string): Promise<unknown> {
    return database.write((unit) => unit.run({ sql, bindings: [] }));
  }

  /** Somebody who may do everything with the database. */
  async function makeUser(database: Database, name: string, password: string): Promise<string> {
    const user = `u${randomUUID().slice(0, 8)}`;
    const statements = {
      postgres: [
        `create role ${user} login password '${password}'`,
        `grant all on schema public to ${user}`,
        `grant all on all tables in schema public to ${user}`,
      ],
      mysql: [`create user ${user} identified by '${password}'`, `grant all on ${name}.* to ${user}`],
      mssql: [
        `create login ${user} with password = '${password}', check_policy = off`,
        `create user ${user} for login ${user}`,
        `alter role db_owner add member ${user}`,
      ],
    }[dialect];
    for (const sql of statements) await run(database, sql);
    const drops = {
      postgres: [`drop owned by ${user}`, `drop role ${user}`],
      mysql: [`drop user ${user}`],
      mssql: [`drop user ${user}`, `drop login ${user}`],
    }[dialect];
    closing.push(async () => {
      for (const sql of drops) await run(database, sql);
    });
    return user;
  }

  function settingsOf({ host, port, user, password, database }: ServerTarget) {
    return { host, port, user, ...(password !== undefined && { password }), database };
  }

  async function connect(title: string, settings: object, client = owner) {
    return client.post<ProjectEntity>(`${meta}/projects`, {
      title,
      external: true,
      bases: [{ type, settings }],
    });
  }

  const rowsOf = (title: string, table: string) =>
    owner.get<{ list: readonly Record<string, unknown>[] }>(`/api/v1/db/data/noco/${title}/${table}`);

  test('is a project whose tables, links and rows are those of the database', async () => {
    const { target, database } = await makeDatabase();
    const created = await connect('Shop', settingsOf(target));
    expect(created).toMatchObject({ status: 200, body: { bases: [{ type, is_meta: false }] } });
    const customers = await rowsOf('Shop', 'Customer');
    expect(customers.body.list).toMatchObject([
      { Id: 1, Name: 'Ada', 'Invoice List': expect.anything() as unknown },
      { Id: 2, Name: 'Bob' },
    ]);
    expect((await rowsOf('Shop', 'Invoice')).body.list).toMatchObject([
      { Id: 1, Total: '10.50', Customer: { Id: 1, Name: 'Ada' } },
      { Id: 2 },
      { Id: 3 },
    ]);
    await owner.post('/api/v1/db/data/noco/Shop/Customer', { Id: 3, Name: 'Cy' });
    const { rows } = await database.read((unit) =>
      unit.rows({ sql: 'select name from customer where id = 3', bindings: [] }),
    );
    expect(rows).toEqual([['Cy']]);
  });

  test('finds rows by what is written in letters beyond ASCII, whatever character set a table has', async () => {
    const charset = dialect === 'mysql' ? ' character set latin1' : '';
    const varchar = dialect === 'mssql' ? 'nvarchar' : 'varchar';
    const { target } = await makeDatabase([
      `create table cafe (code ${varchar}(20) primary key, name ${varchar}(50))${charset}`,
      `insert into cafe values (${words('Zoé')}, ${words('Café Zoé')}), ('Ana', 'Cafe Ana')`,
    ]);
    const title = 'Letters';
    expect(await connect(title, settingsOf(target))).toMatchObject({ status: 200 });
    const byKey = await owner.get(`/api/v1/db/data/noco/${title}/Cafe/${encodeURIComponent('Zoé')}`);
    expect(byKey).toMatchObject({ status: 200, body: { Name: 'Café Zoé' } });
    const where = encodeURIComponent('(Name,eq,Café Zoé)');
    expect((await rowsOf(title, `Cafe?where=${where}`)).body.list).toMatchObject([{ Code: 'Zoé' }]);
  });

  // Its drivers give the bits of MySQL as bytes.
  if (dialect === 'mysql')
    test('has numbers and checkboxes in bits', async () => {
      const { target, database } = await makeDatabase([
        "create table lamp (id int primary key, lit bit(1), level bit(8) default b'101', mask bit(64), shade int)",
        'insert into lamp values (1, 1, 65, 18446744073709551615, 2), (2, 0, 200, 3, 2), (3, null, null, null, 2)',
      ]);
      const title = 'Lamps';
      const settings = { ...settingsOf(target), schemaChanges: true };
      const { body: project } = await connect(title, settings);
      const tables = await owner.get<{ list: readonly TableEntity[] }>(
        `${meta}/projects/${project.id}/tables`,
      );
      const path = `${meta}/tables/${tables.body.list[0]?.id ?? ''}`;
      const { columns = [] } = (await owner.get<TableEntity>(path)).body;
      expect(columns.map(({ title: of, uidt, cdf }) => [of, uidt, cdf])).toEqual([
        ['Id', 'Number', null],
        ['Lit', 'Checkbox', null],
        ['Level', 'Number', '5'],
        ['Mask', 'Number', null],
        ['Shade', 'Number', null],
      ]);
      for (const [of, formula] of Object.entries({
        Worded: 'CONCAT({Level}, "/", {Mask})',
        Either: 'IF({Lit}, {Level}, {Shade})',
        Half: '{Level} / 2',
      }))
        expect(await owner.post(`${path}/columns`, { title: of, uidt: 'Formula', formula })).toMatchObject({
          status: 200,
        });

      const lamps = async (query: string) => {
        const answer = await rowsOf(title, `Lamp?${query}`);
        if (answer.status !== 200) throw new Error(JSON.stringify([query, answer.body]));
        return answer.body.list;
      };
      const found = async (where: string) =>
        (await lamps(`where=${encodeURIComponent(where)}`)).map(({ Id }) => Id);
      expect(await lamps('sort=-Level')).toMatchObject([
        { Id: 2, Lit: 0, Level: 200, Mask: 3, Worded: '200/3', Either: 2, Half: 100 },
        { Id: 1, Lit: 1, Level: 65, Mask: '18446744073709551615', Either: 65, Half: 32.5 },
        { Id: 3, Lit: null, Level: null, Mask: null },
      ]);
      expect(await found('(Level,gt,100)')).toEqual([2]);
      expect(await found('(Mask,gt,9007199254740993)')).toEqual([1]);
      expect(await found('(Level,like,65)')).toEqual([1]);
      expect(await found('(Lit,eq,true)')).toEqual([1]);
      const data = `/api/v1/db/data/noco/${title}/Lamp`;
      const groups = await owner.get<{ list: readonly object[] }>(`${data}/groupby?column_name=Level`);
      expect(groups.body.list).toEqual(
        expect.arrayContaining([
          { level: 65, count: 1 },
          { level: 200, count: 1 },
        ]),
      );

      await owner.post(data, { Id: 4, Lit: true });
      await owner.patch(`${data}/1`, { Level: 255, Lit: false, Mask: '9007199254740993' });
      expect(await owner.patch(`${data}/2`, { Level: 256 })).toMatchObject({ status: 400 });
      const level = columns.find((column) => column.title === 'Level')?.id ?? '';
      await owner.patch(`${data}/3`, { Level: 0 });
      expect(await owner.patch(`${meta}/columns/${level}`, { title: 'Level', rqd: true })).toMatchObject({
        status: 200,
      });
      await run(database, 'insert into lamp (id) values (5)');
      const { rows } = await database.read((unit) =>
        unit.rows({
          sql: "select concat_ws(' ', id, lit + 0, level + 0, mask + 0) from lamp where id <> 2 order by id",
          bindings: [],
        }),
      );
      expect(rows).toEqual([['1 0 255 9007199254740993'], ['3 0'], ['4 1 5'], ['5 5']]);
    });

  if (dialect === 'mysql')
    test('has numbers in bits that were taken over as bytes, which a sync makes numbers', async () => {
      const { target } = await makeDatabase([
        "create table lamp (id int primary key, level bit(8) default b'101')",
        'insert into lamp values (1, 65)',
      ]);
      const { body: project } = await connect('Bits', settingsOf(target));
      const tables = await owner.get<{ list: readonly TableEntity[] }>(
        `${meta}/projects/${project.id}/tables`,
      );
      const id = tables.body.list[0]?.id ?? '';
      // As earlier versions kept it.
      const metadata = server.host.container.get(MetadataToken);
      await metadata.database.write(async (unit) => {
        const former = { uidt: 'SingleLineText', storage: 'binary', computed: 1, default_value: "b'101'" };
        await unit.run(
          unit.knex('trellis_column').where({ table_id: id, column_name: 'level' }).update(former),
        );
        await metadata.generations.bump(unit, project.id);
      });
      const level = async () =>
        (await owner.get<TableEntity>(`${meta}/tables/${id}`)).body.columns?.find(
          ({ title }) => title === 'Level',
        );
      await askUntil(level, (column) => column?.uidt === 'SingleLineText');
      const differences = async () =>
        (
          await owner.get<readonly { readonly detectedChanges: readonly object[] }[]>(
            `${meta}/projects/${project.id}/meta-diff`,
          )
        ).body.flatMap(({ detectedChanges }) => detectedChanges);
      expect(await differences()).toMatchObject([{ type: 'TABLE_COLUMN_TYPE_CHANGE', cn: 'level' }]);
      expect((await owner.post(`${meta}/projects/${project.id}/meta-diff`)).status).toBe(200);
      expect(await level()).toMatchObject({ uidt: 'Number', cdf: '5' });
      expect(await differences()).toEqual([]);
      expect((await rowsOf('Bits', 'Lamp')).body.list).toEqual([{ Id: 1, Level: 65 }]);
      await owner.patch('/api/v1/db/data/noco/Bits/Lamp/1', { Level: 66 });
      expect((await rowsOf('Bits', 'Lamp')).body.list).toEqual([{ Id: 1, Level: 66 }]);
    });

  test('has numbers that neither a double nor 64 bits with a sign can hold, to the last digit', async () => {
    const whole = { postgres: 'numeric(20,0)', mysql: 'bigint unsigned', mssql: 'numeric(20,0)' }[dialect];
    const [most, next] = ['18446744073709551615', '18446744073709551614'];
    const [wide, wider] = [
      '12345678901234567890123456789012345678',
      '12345678901234567890123456789012345679',
    ];
    const { target } = await makeDatabase([
      `create table thing (id ${whole} primary key, counter ${whole}, wide decimal(38,0))`,
      `create table part (id int primary key, thing_id ${whole} references thing (id))`,
      `insert into thing values (${most}, 1, ${wide}), (${next}, ${most}, ${wider})`,
      `insert into part values (1, ${most}), (2, ${next})`,
    ]);
    const { body: project } = await connect('Digits', settingsOf(target));
    const tables = await owner.get<{ list: readonly TableEntity[] }>(`${meta}/projects/${project.id}/tables`);
    const id = tables.body.list.find(({ title }) => title === 'Thing')?.id ?? '';
    for (const [title, formula] of Object.entries({
      Less: '{Counter} - 2',
      Either: 'IF({Counter} > 5, {Counter}, 0)',
      Words: 'CONCAT({Wide}, "/", {Id})',
      More: '{Wide} + 1',
    }))
      expect(
        await owner.post(`${meta}/tables/${id}/columns`, { title, uidt: 'Formula', formula }),
      ).toMatchObject({ status: 200 });
    /** What cells hold, as texts: some databases give small numbers as texts, too. */
    const cells = async (query: string, ...titles: readonly string[]) => {
      const { body } = await rowsOf('Digits', query);
      return body.list.map((row) => titles.map((title) => String(row[title])).join(' '));
    };
    const found = (where: string) => cells(`Thing?where=${encodeURIComponent(where)}`, 'Id');

    expect(await cells('Thing?sort=-Id', 'Id', 'Counter', 'Wide')).toEqual([
      `${most} 1 ${wide}`,
      `${next} ${most} ${wider}`,
    ]);
    expect(await cells('Thing?sort=-Id', 'Less', 'Either', 'Words', 'More')).toEqual([
      `-1 0 ${wide}/${most} ${wider}`,
      `18446744073709551613 ${most} ${wider}/${next} 12345678901234567890123456789012345680`,
    ]);
    expect(await found(`(Id,eq,${next})`)).toEqual([next]);
    expect(await found(`(Id,gt,${next})`)).toEqual([most]);
    expect(await found(`(Wide,eq,${wide})`)).toEqual([most]);
    expect(await found(`(Wide,gt,${wide})`)).toEqual([next]);
    expect(await found(`(Wide,like,%5678)`)).toEqual([most]);

    const data = '/api/v1/db/data/noco/Digits';
    const linkedTo = async () => {
      const { body } = await rowsOf('Digits', 'Part?sort=Id');
      return body.list.map(({ Thing }) => String((Thing as Record<string, unknown>)['Id']));
    };
    expect(await linkedTo()).toEqual([most, next]);
    const linked = await owner.get<{ list: readonly object[] }>(`${data}/Thing/${next}/hm/Part List`);
    expect(linked.body.list).toMatchObject([{ Id: 2 }]);
    expect(await owner.patch(`${data}/Thing/${next}`, { Counter: next, Wide: wide })).toMatchObject({
      status: 200,
    });
    expect(await owner.post(`${data}/Thing`, { Id: '18446744073709551613', Counter: most })).toMatchObject({
      status: 200,
    });
    expect(await owner.patch(`${data}/Part/1`, { ThingId: '18446744073709551613' })).toMatchObject({
      status: 200,
    });
    expect(await linkedTo()).toEqual(['18446744073709551613', next]);
    expect((await owner.delete(`${data}/Thing/${most}`)).status).toBe(200);
    expect(await cells('Thing?sort=-Id', 'Id', 'Counter', 'Wide')).toEqual([
      `${next} ${next} ${wide}`,
      `18446744073709551613 ${most} null`,
    ]);
    if (dialect === 'mysql')
      expect(await owner.patch(`${data}/Thing/${next}`, { Counter: '18446744073709551616' })).toMatchObject({
        status: 400,
      });
  });

  test('is opened by what clients of the v1 API send, and nothing that they send reaches the driver unread', async () => {
    const { target } = await makeDatabase();
    const { host, port, user, password, database } = target;
    const connection = { host, port: String(port), user, password, database };
    const bases = (more: object) => [
      { type, config: { client: type, connection: { ...connection, ...more } } },
    ];
    const create = <Body>(title: string, more: object) =>
      owner.post<Body>(`${meta}/projects`, { title, external: true, bases: bases(more) });
    for (const key of ['flags', 'socketPath', 'options', 'stream', 'multipleStatements', '__proto__x'])
      expect(await create('Hostile', { [key]: 'x' })).toMatchObject({
        status: 400,
        body: { code: 'DATABASE_PARAMETER', params: { key } },
      });
    expect(await create('Hostile', { ssl: { ca: '/etc/passwd' } })).toMatchObject({
      status: 400,
      body: { code: 'DATABASE_SETTINGS', params: { problems: { '/ca': expect.any(String) as unknown } } },
    });
    const advanced = { connectTimeout: 20_000, application_name: 'atlas desk' };
    const made = await create<{ bases: { id: string }[]; id: string }>('From v1', advanced);
    expect(made).toMatchObject({ status: 200 });
    const [base] = made.body.bases;
    const read = await owner.get(`${meta}/projects/${made.body.id}/bases/${base?.id}/connection`);
    expect(read).toMatchObject({
      body: { settings: { connectSeconds: 20, applicationName: 'atlas desk' } },
    });
    expect(await create('Hostile', { connectTimeout: 3_600_000 })).toMatchObject({
      status: 400,
      body: { params: { problems: { '/connectSeconds': expect.any(String) as unknown } } },
    });
    expect(await create('Hostile', { application_name: "x'; drop" })).toMatchObject({
      status: 400,
      body: { params: { problems: { '/applicationName': expect.any(String) as unknown } } },
    });
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  describe('the test of a connection', () => {
    const tested = (body: object, client = owner) =>
      client.post<{ code: number; message: string }>(`${meta}/connection/test`, body);

    test('says whether it works, in a few messages that tell nothing of the address', async () => {
      const { target } = await makeDatabase();
      const good = settingsOf(target);
      expect(await tested({ type, settings: good })).toMatchObject({
        status: 200,
        body: { code: 0, message: '' },
      });
      const v1 = { client: type, connection: { ...good, port: String(good.port) } };
      expect((await tested(v1)).body).toMatchObject({ code: 0 });
      const down = 'Unable to connect to database, please check your database is up.';
      // A closed port, another kind of server and a name that nobody has.
      for (const other of [
        { port: 1 },
        { port: Number(new URL(server.url).port) },
        { host: 'nowhere.invalid' },
      ])
        expect((await tested({ type, settings: { ...good, ...other } })).body).toMatchObject({
          code: -1,
          message: down,
        });
      expect((await tested({ type, settings: { ...good, database: 'missing_one' } })).body).toMatchObject({
        code: -1,
        message: expect.stringMatching(/^Invalid database parameters/) as unknown,
      });
      expect(
        (await tested({ type, settings: { ...good, user: 'nobody_known', password: 'x' } })).body,
      ).toMatchObject({
        code: -1,
        message: expect.stringMatching(/credentials/) as unknown,
      });
    });

    test('is refused to whoever may not open databases, and for kinds that this server does not know', async () => {
      const other = await server.signUp();
      expect(await tested({ type, settings: {} }, other)).toMatchObject({ status: 403 });
      expect(await connect('Not mine', {}, other)).toMatchObject({ status: 403 });
      expect(await tested({ client: 'mongodb' })).toMatchObject({
        status: 400,
        body: { msg: 'Database not supported' },
      });
      // Another kind of server at the address of a SQL Server, in the words of a client of it.
      const { hostname, port } = new URL(server.url);
      const connection = { host: hostname, port, user: 'sa', password: 'x', database: 'shop' };
      const v1 = {
        client: 'mssql',
        connection: { ...connection, options: { encrypt: false } },
        searchPath: ['dbo'],
      };
      expect((await tested(v1)).body).toMatchObject({
        code: -1,
        message: 'Unable to connect to database, please check your database is up.',
      });
      const hostile = { ...connection, options: { connector: 'x' } };
      expect(await tested({ client: 'mssql', connection: hostile })).toMatchObject({
        status: 400,
        body: { code: 'DATABASE_PARAMETER', params: { key: 'connector' } },
      });
      expect(await tested({ client: 'oracledb' })).toMatchObject({
        status: 400,
        body: { code: 'DATABASE_DRIVER_MISSING' },
      });
    });

    test('reaches nothing that is forbidden to everybody', async () => {
      const settings = { host: '169.254.169.254', port: 80, user: 'x', database: 'x' };
      expect((await tested({ type, settings })).body).toMatchObject({
        code: -1,
        message: expect.stringMatching(/TRELLIS_OUTBOUND_ALLOW/) as unknown,
      });
    });
  });

  test('gets back a column from the trash once the database has it again, where nobody may change its tables', async () => {
    const { target, database } = await makeDatabase();
    const { body: project } = await connect('Phones', settingsOf(target));
    const trash = `${meta}/projects/${project.id}/trash`;
    const sync = () => owner.post(`${meta}/projects/${project.id}/meta-diff`, {});
    const deleted = async () => (await owner.get<{ list: { id: string; title: string }[] }>(trash)).body.list;
    await run(database, 'alter table customer add phone varchar(20)');
    expect((await sync()).status).toBe(200);
    await run(database, 'alter table customer drop column phone');
    expect((await sync()).status).toBe(200);
    const [phone] = await deleted();
    expect(phone).toMatchObject({ title: 'Phone' });
    const restore = () => owner.post(`${trash}/columns/${phone?.id ?? ''}/restore`, {});
    expect(await restore()).toMatchObject({ status: 409, body: { code: 'TRASH_GONE' } });
    await run(database, 'alter table customer add phone varchar(20)');
    expect(await restore()).toMatchObject({ status: 200 });
    expect(await deleted()).toEqual([]);
  });

  test('has a connection whose secrets are never read back, and are asked for again when they would go elsewhere', async () => {
    const { target, database } = await makeDatabase();
    const user = await makeUser(database, target.database, 'a secret 1');
    const settings = { ...settingsOf(target), user, password: 'a secret 1' };
    const { body: project } = await connect('Sealed', settings);
    const [base] = project.bases ?? [];
    const path = `${meta}/projects/${project.id}/bases/${base?.id ?? ''}`;
    const read = await owner.get<{ settings: Record<string, unknown> }>(`${path}/connection`);
    expect(read.body).toMatchObject({ type, settings: { host: target.host, password: '********' } });
    expect(JSON.stringify(read.body)).not.toContain('a secret');
    const elsewhere = { ...read.body.settings, host: 'db.example.com' };
    expect(await owner.patch(path, { settings: elsewhere })).toMatchObject({
      status: 400,
      body: {
        code: 'DATABASE_SETTINGS',
        params: { problems: { '/password': expect.any(String) as unknown } },
      },
    });
    const stored = await server.host.container.get(DatabaseToken).read((unit) =>
      unit.all(
        unit
          .knex('trellis_base')
          .where({ id: base?.id ?? '' })
          .select('config'),
      ),
    );
    expect(JSON.stringify(stored)).toContain('config');
    expect(JSON.stringify(stored)).not.toMatch(/a secret|127\.0\.0\.1/);
  });

  test('can be read only, and keeps its tables as they are unless somebody allows otherwise', async () => {
    const { target, database } = await makeDatabase();
    const { body: project } = await connect('Careful', settingsOf(target));
    const newTable = { title: 'Notes', columns: [{ title: 'Id', uidt: 'ID' }] };
    const create = () => owner.post(`${meta}/projects/${project.id}/tables`, newTable);
    expect(await create()).toMatchObject({ status: 403, body: { code: 'SCHEMA_FIXED' } });
    const [base] = project.bases ?? [];
    const path = `${meta}/projects/${project.id}/bases/${base?.id ?? ''}`;
    const { body: connection } = await owner.get<{ settings: object }>(`${path}/connection`);
    const change = (more: object) => owner.patch(path, { settings: { ...connection.settings, ...more } });
    expect(await change({ readOnly: true })).toMatchObject({ status: 200 });
    const row = { Id: 9, Name: 'Nobody' };
    expect(await owner.post('/api/v1/db/data/noco/Careful/Customer', row)).toMatchObject({
      status: 400,
      body: { code: 'TABLE_READ_ONLY' },
    });
    expect(await change({ schemaChanges: true })).toMatchObject({ status: 200 });
    expect(await owner.post('/api/v1/db/data/noco/Careful/Customer', row)).toMatchObject({ status: 200 });
    expect(await create()).toMatchObject({ status: 200 });
    const { rows } = await database.read((unit) =>
      unit.rows({ sql: 'select count(*) from notes', bindings: [] }),
    );
    expect(rows.map(([count]) => Number(count))).toEqual([0]);
  });

  test('gets columns, other types and links from here where somebody allowed it', async () => {
    const { target, database } = await makeDatabase();
    const { body: project } = await connect('Changed', { ...settingsOf(target), schemaChanges: true });
    const tables = await owner.get<{ list: readonly { id: string; title: string }[] }>(
      `${meta}/projects/${project.id}/tables`,
    );
    const idOf = (title: string) => tables.body.list.find((one) => one.title === title)?.id ?? '';
    const add = (body: object) => owner.post<TableEntity>(`${meta}/tables/${idOf('Customer')}/columns`, body);
    const { body: table } = await add({ title: 'Points', uidt: 'Number', cdf: '5' });
    const points = table.columns?.find(({ title }) => title === 'Points');
    const filled = (await rowsOf('Changed', 'Customer')).body.list;
    expect(filled.map(({ Points }) => Number(Points))).toEqual([5, 5]);
    const change = (body: object) => owner.patch(`${meta}/columns/${points?.id ?? ''}`, body);
    // Another application would find another type, so it is asked about first.
    const asText = { title: 'Points', uidt: 'SingleLineText' };
    expect(await change(asText)).toMatchObject({ status: 409, body: { code: 'RETYPE_OPENED' } });
    expect(await change({ ...asText, meta: { acceptLoss: true } })).toMatchObject({ status: 200 });
    expect((await rowsOf('Changed', 'Customer')).body.list).toMatchObject([{ Points: '5' }, { Points: '5' }]);
    const link = {
      title: 'Friends',
      uidt: 'LinkToAnotherRecord',
      parentId: idOf('Customer'),
      childId: idOf('Customer'),
      type: 'mm',
    };
    expect(await add(link)).toMatchObject({ status: 200 });
    const linked = await owner.post('/api/v1/db/data/noco/Changed/Customer/1/mm/Friends/2');
    expect(linked).toMatchObject({ status: 200 });
    // What is deleted here stays in the database, which is not ours.
    expect(await owner.delete(`${meta}/columns/${points?.id ?? ''}`)).toMatchObject({ status: 200 });
    const { rows } = await database.read((unit) =>
      unit.rows({ sql: `select ${points?.column_name ?? ''} from customer where id = 1`, bindings: [] }),
    );
    expect(rows).toEqual([['5']]);
  });

  test('gets a column that numbers the rows: as it is where each has a number, and else after it was asked', async () => {
    const { target, database } = await makeDatabase([
      'create table ticket (id int primary key, good int, bad int)',
      'insert into ticket values (1, 3, 7), (2, 1, 7), (3, 2, null)',
    ]);
    const { body: project } = await connect('Numbered', { ...settingsOf(target), schemaChanges: true });
    const tables = await owner.get<{ list: readonly { id: string; title: string }[] }>(
      `${meta}/projects/${project.id}/tables`,
    );
    const id = tables.body.list.find(({ title }) => title === 'Ticket')?.id ?? '';
    const table = (await owner.get<TableEntity>(`${meta}/tables/${id}`)).body;
    const become = (title: string, uidt: string, more: object = {}) => {
      const column = table.columns?.find((one) => one.title === title)?.id;
      return owner.patch(`${meta}/columns/${column}`, { title, uidt, ...more });
    };
    const numbersOf = async (title: string) =>
      (await rowsOf('Numbered', 'Ticket')).body.list.map((row) => Number(row[title]));
    expect(await become('Good', 'AutoNumber')).toMatchObject({ status: 200 });
    expect(await numbersOf('Good')).toEqual([3, 1, 2]);
    const { rows } = await database.read((unit) =>
      unit.rows({ sql: 'select * from ticket where id = 1', bindings: [] }),
    );
    expect(rows).toEqual([[1, 3, 7]]);
    expect(await owner.post('/api/v1/db/data/noco/Numbered/Ticket', { Id: 4 })).toMatchObject({
      status: 200,
    });
    expect(await numbersOf('Good')).toEqual([3, 1, 2, 4]);
    const agreed = { meta: { acceptLoss: true } };
    expect(await become('Good', 'Number', agreed)).toMatchObject({ status: 200 });
    expect(await become('Bad', 'AutoNumber')).toMatchObject({
      status: 409,
      body: { code: 'RETYPE_OPENED_LOSES_VALUES' },
    });
    expect(await become('Bad', 'AutoNumber', agreed)).toMatchObject({ status: 200 });
    expect(await numbersOf('Bad')).toEqual([7, 8, 9, 10]);
  });

  test('gets links to rows of several keys whose names are long and alike', async () => {
    const long = 'k'.repeat(50);
    const keys = [`${long}_one`, `${long}_two`];
    const { target } = await makeDatabase([
      `create table place (${keys[0]} int not null, ${keys[1]} int not null, name varchar(20), primary key (${keys.join(', ')}))`,
      'create table guest (id int primary key, name varchar(20))',
      "insert into place values (1, 2, 'Here')",
      "insert into guest values (1, 'Ada')",
    ]);
    const { body: project } = await connect('Long', { ...settingsOf(target), schemaChanges: true });
    const tables = await owner.get<{ list: readonly { id: string; title: string }[] }>(
      `${meta}/projects/${project.id}/tables`,
    );
    const idOf = (title: string) => tables.body.list.find((one) => one.title === title)?.id ?? '';
    const made = await owner.post(`${meta}/tables/${idOf('Guest')}/columns`, {
      title: 'Places',
      uidt: 'LinkToAnotherRecord',
      parentId: idOf('Guest'),
      childId: idOf('Place'),
      type: 'mm',
    });
    expect(made).toMatchObject({ status: 200 });
    const linked = await owner.post('/api/v1/db/data/noco/Long/Guest/1/mm/Places/1___2');
    expect(linked).toMatchObject({ status: 200 });
    expect((await rowsOf('Long', 'Guest')).body.list).toMatchObject([{ Places: [{ Name: 'Here' }] }]);
    const where = '(Places,linkedto,1___2)';
    expect((await rowsOf('Long', `Guest?where=${where}`)).body.list).toHaveLength(1);
    expect((await rowsOf('Long', `Guest?where=${where.replace('1___2', '2___1')}`)).body.list).toEqual([]);
  });

  test('is made where it does not exist and the user may, and then begins empty', async () => {
    const { target } = await makeDatabase([]);
    const name = `${target.database}_made`;
    const settings = { ...settingsOf(target), database: name, schemaChanges: true, createDatabase: true };
    const { status, body: project } = await connect('Made', settings);
    closing.push(async () => {
      await owner.delete(`${meta}/projects/${project.id}`);
      const { database } = await makeDatabase([]);
      await database.read((unit) => unit.run({ sql: `drop database ${name}`, bindings: [] }));
    });
    expect(status).toBe(200);
    const table = { title: 'Notes', columns: [{ title: 'Id', uidt: 'ID' }] };
    expect(await owner.post(`${meta}/projects/${project.id}/tables`, table)).toMatchObject({ status: 200 });
    const { target: empty } = await makeDatabase([]);
    expect(await connect('Empty', settingsOf(empty))).toMatchObject({
      status: 400,
      body: { code: 'DATABASE_EMPTY' },
    });
  });

  test('is not made by a user who may make none, which is said and leaves no project', async () => {
    const { target, database } = await makeDatabase();
    const user = await makeUser(database, target.database, 'a secret 2');
    const settings = { ...settingsOf(target), user, password: 'a secret 2', schemaChanges: true };
    const absent = { ...settings, database: `${target.database}_refused`, createDatabase: true };
    expect(await connect('Refused', absent)).toMatchObject({
      status: 400,
      body: { msg: 'User does not exist or have sufficient permission to create schema.' },
    });
    const { body } = await owner.get<{ list: readonly { title: string }[] }>(`${meta}/projects`);
    expect(body.list.map(({ title }) => title)).not.toContain('Refused');
    expect(await connect('Refused', settings)).toMatchObject({ status: 200 });
  });

  test('is made once where several people ask for it at the same moment, and all of them have it', async () => {
    const { target } = await makeDatabase([]);
    const name = `${target.database}_raced`;
    const settings = { ...settingsOf(target), database: name, schemaChanges: true, createDatabase: true };
    const asked = [1, 2, 3, 4].map((at) => connect(`Raced ${at}`, settings));
    const answers = await Promise.all(asked);
    closing.push(async () => {
      for (const { body } of answers) await owner.delete(`${meta}/projects/${body.id}`);
      const { database } = await makeDatabase([]);
      await database.read((unit) => unit.run({ sql: `drop database ${name}`, bindings: [] }));
    });
    expect(answers.map(({ status, body }) => [status, body.title])).toEqual(
      [1, 2, 3, 4].map((at) => [200, `Raced ${at}`]),
    );
  });

  test('is one of several databases of a project', async () => {
    const { target } = await makeDatabase();
    const { target: second } = await makeDatabase();
    const { body: project } = await connect('Several', settingsOf(target));
    const path = `${meta}/projects/${project.id}/bases`;
    const added = await owner.post<{ id: string }>(path, {
      type,
      alias: 'Old shop',
      settings: settingsOf(second),
    });
    expect(added).toMatchObject({ status: 200 });
    const tables = await owner.get<{ list: readonly { title: string; base_id: string }[] }>(
      `${meta}/projects/${project.id}/tables`,
    );
    expect(tables.body.list.map(({ title }) => title)).toEqual([
      'Customer',
      'Invoice',
      'Customer1',
      'Invoice1',
    ]);
    expect((await rowsOf('Several', 'Invoice1')).body.list).toMatchObject([
      { Customer1: { Name: 'Ada' } },
      {},
      {},
    ]);
    await owner.patch(`${path}/${added.body.id}`, { alias: 'Former shop' });
    const read = async () => (await owner.get<ProjectEntity>(`${meta}/projects/${project.id}`)).body.bases;
    expect((await read())?.map(({ alias }) => alias)).toEqual([null, 'Former shop']);
    expect(await owner.delete(`${path}/${added.body.id}`)).toMatchObject({ status: 200 });
    expect(await read()).toHaveLength(1);
    expect(await owner.delete(`${path}/${project.bases?.[0]?.id ?? ''}`)).toMatchObject({
      status: 409,
      body: { code: 'BASE_LAST' },
    });
    expect((await rowsOf('Several', 'Invoice')).status).toBe(200);
  });
});
