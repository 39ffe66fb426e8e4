import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import type { ServerTarget } from '../../host-server/databases/index.ts';
import { describeEachExistingServer } from '../../host-server/databases/testing.ts';
import type { ObjectDetailsEntity, ObjectListEntity } from '#plugins/database-objects/shared';
import { connectDatabase, type ConnectedDatabase } from './connected-database.ts';

const shop = [
  'create table item (id int primary key, price decimal(10, 2), note varchar(20))',
  'create index by_note on item (note, price)',
  'create view dear as select id, price from item where price > 100',
];
const scripts = {
  postgres: [
    ...shop,
    'create function net(gross numeric, rate numeric default 0.19) returns numeric language sql as $$ select gross / (1 + rate) $$',
    'create function net(gross int) returns int language sql as $$ select gross $$',
    'create procedure clean() language sql as $$ delete from item where price is null $$',
    "create function stamp() returns trigger language plpgsql as $$ begin new.note := 'seen'; return new; end $$",
    'create trigger stamped before insert on item for each row execute function stamp()',
    'create sequence numbers as int increment by 5 start with 10',
  ],
  mysql: [
    ...shop,
    'create function net(gross decimal(10,2)) returns decimal(10,2) deterministic return gross / 1.19',
    'create procedure clean(in least int, out gone int) begin delete from item where price < least; set gone = row_count(); end',
    "create trigger stamped before insert on item for each row set new.note = 'seen'",
  ],
  mssql: [
    ...shop,
    'create function net(@gross decimal(10,2)) returns decimal(10,2) as begin return @gross / 1.19 end',
    'create procedure clean as delete from item where price is null',
    "create trigger stamped on item after insert as update item set note = N'seen'",
    'create sequence numbers as int start with 10 increment by 5',
  ],
};

describeEachExistingServer('the objects of a connected database', (dialect) => {
  let there: ConnectedDatabase;
  let server: TestServer;
  let owner: TestClient;
  let target: ServerTarget;
  let project: ProjectEntity;
  let path = '';

  beforeAll(async () => {
    there = await connectDatabase(dialect, { title: 'Shop', statements: scripts[dialect] });
    ({ server, owner } = there);
    target = there.target as ServerTarget;
    project = (await owner.get<ProjectEntity>(`/api/v1/db/meta/projects/${there.project.id}`)).body;
    path = `/api/v1/plugins/database-objects/projects/${project.id}/bases/${project.bases?.[0]?.id ?? ''}/objects`;
  });
  afterAll(() => there?.dispose());

  const run = (sql: string) => there.run(sql);
  const list = async (query = '') => {
    const answer = await owner.get<ObjectListEntity>(`${path}${query}`);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  const one = async (kind: string, id: string) => {
    const query = new URLSearchParams({ kind, id }).toString();
    return owner.get<ObjectDetailsEntity>(`${path}/one?${query}`);
  };

  test('are listed by name, with how many there are of each kind', async () => {
    const { list: found, counts } = await list();
    const functions = { postgres: 3, mysql: 1, mssql: 1 }[dialect];
    const sequences = dialect === 'mysql' ? 0 : 1;
    expect(counts).toEqual({
      view: 1,
      function: functions,
      procedure: 1,
      sequence: sequences,
      trigger: 1,
      // With that of the key, which SQL Server names by itself.
      index: 2,
    });
    const named = found.filter(({ kind, name }) => kind !== 'index' || name === 'by_note');
    expect(named.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'index by_note',
      'procedure clean',
      'view dear',
      'function net',
      ...(dialect === 'postgres' ? ['function net'] : []),
      ...(dialect === 'mysql' ? [] : ['sequence numbers']),
      ...(dialect === 'postgres' ? ['function stamp'] : []),
      'trigger stamped',
    ]);
    expect((await list('?kind=trigger')).list).toEqual([
      expect.objectContaining({ name: 'stamped', about: 'item' }),
    ]);
    const ofProject = await owner.get<{ list: readonly object[]; total: number }>(
      path.replace(/bases.*/, 'objects'),
    );
    expect(ofProject).toMatchObject({ status: 200, body: { total: found.length } });
    expect(ofProject.body.list).toContainEqual({
      id: `${project.bases?.[0]?.id ?? ''}:dear`,
      title: 'dear',
      kind: 'database-view',
      icon: 'eye',
    });
    expect((await list('?search=EA')).list.map(({ name }) => name)).toEqual(['clean', 'dear']);
    expect((await list('?search=%25')).list).toEqual([]);
  });

  test('show their definitions, and what goes in and out of them', async () => {
    const { list: found } = await list();
    const idOf = (kind: string, at = 0) => found.filter((object) => object.kind === kind)[at]?.id ?? '';
    const view = (await one('view', 'dear')).body;
    expect(view.definition).toMatch(/price.*>.*100/is);
    expect(view.columns?.map(({ name }) => name)).toEqual(['id', 'price']);
    expect(view.columns?.[1]?.type).toMatch(/(numeric|decimal)\(10, ?2\)/);
    expect((await one('procedure', idOf('procedure'))).body.definition).toMatch(/delete from item/i);
    expect((await one('trigger', idOf('trigger'))).body.definition).toMatch(/trigger.*stamped.*item/is);
    const byNote = (await one('index', idOf('index'))).body;
    expect(byNote).toMatchObject({ name: 'by_note', about: 'item' });
    expect(byNote.definition).toMatch(/by_note.*\bnote.*price/is);
    for (const { kind, id } of found.filter((object) => object.kind === 'index'))
      expect((await one(kind, id)).body.definition).toMatch(/item/);
    const net = (await one('function', idOf('function', dialect === 'postgres' ? 1 : 0))).body;
    expect(net.definition).toMatch(/net/i);
    expect(net.returns).toMatch(/numeric|decimal|integer/);
    expect(net.parameters?.[0]?.name).toMatch(/^@?gross$/);
    expect(net.parameters?.[0]?.mode).toBe('in');
    if (dialect === 'mysql') return;
    const sequence = (await one('sequence', 'numbers')).body;
    expect(sequence.definition).toMatch(/create sequence.*increment by 5/is);
  });

  test('are told apart by their arguments, and missed once they are gone', async () => {
    expect(await one('view', 'nowhere')).toMatchObject({
      status: 404,
      body: { code: 'DATABASE_OBJECT_NOT_FOUND' },
    });
    expect(await one('table', 'item')).toMatchObject({ status: 400 });
    if (dialect !== 'postgres') return;
    const numbers = await one('function', 'net(gross integer)');
    expect(numbers.body).toMatchObject({ returns: 'integer', about: 'gross integer' });
    await run('drop function net(int)');
    expect(await one('function', 'net(gross integer)')).toMatchObject({ status: 404 });
  });

  test('are not there for texts that no name can hold', async () => {
    for (const text of ['\u0000', 'a\u0000b', "'", '?', '\\']) {
      const search = new URLSearchParams({ search: text }).toString();
      const found = await owner.get<ObjectListEntity>(`${path}?${search}`);
      expect([text, found.status < 500]).toEqual([text, true]);
      expect([text, (await one('view', text)).status < 500]).toEqual([text, true]);
    }
  });

  test('are shown without what the account of the connection may not read', async () => {
    if (dialect !== 'mysql') return;
    const { host, port, database } = target;
    const account = "'objects_reader'@'127.0.0.1'";
    await run(`drop user if exists ${account}`);
    await run(`create user ${account} identified by 'only-reads'`);
    await run(`grant select, execute on \`${database}\`.* to ${account}`);
    const made = await owner.post<ProjectEntity>('/api/v1/db/meta/projects', {
      title: 'Read only',
      external: true,
      bases: [
        {
          type: 'mysql2',
          settings: { host, port, user: 'objects_reader', password: 'only-reads', database },
        },
      ],
    });
    expect(made).toMatchObject({ status: 200, body: { title: 'Read only' } });
    const { id, bases } = (await owner.get<ProjectEntity>(`/api/v1/db/meta/projects/${made.body.id}`)).body;
    const read = `/api/v1/plugins/database-objects/projects/${id}/bases/${bases?.[0]?.id ?? ''}/objects`;
    const { list: found } = (await owner.get<ObjectListEntity>(read)).body;
    expect(found.map(({ kind }) => kind)).toContain('view');
    for (const object of found) {
      const query = new URLSearchParams({ kind: object.kind, id: object.id }).toString();
      const details = { status: 200, body: { name: object.name } };
      expect(await owner.get(`${read}/one?${query}`)).toMatchObject(details);
    }
    await run(`drop user ${account}`);
  });

  test('of thousands, as many as fit a list are read', async () => {
    if (dialect !== 'postgres') return expect((await list()).list.length).toBeLessThan(10);
    await run(
      "do $$ begin for i in 1..3000 loop execute format('create function many_%s() returns int language sql as $f$ select 1 $f$', i); end loop; end $$",
    );
    const { list: found, counts } = await list('?search=many_');
    expect(found).toHaveLength(200);
    return expect(counts).toMatchObject({ function: 3000, view: 0 });
  });

  test('are for those who see how the database is connected, and those of this server are for nobody', async () => {
    const bob = await server.signUp(`bob-${dialect}@example.com`);
    await owner.post(`/api/v1/db/meta/projects/${project.id}/users`, {
      email: `bob-${dialect}@example.com`,
      roles: 'creator',
    });
    expect((await bob.get(path)).status).toBe(403);
    expect((await bob.get(path.replace(/bases.*/, 'objects'))).status).toBe(403);
    expect((await bob.get(`${path}/one?kind=view&id=dear`)).status).toBe(403);
    const own = await owner.post<ProjectEntity>('/api/v1/db/meta/projects', { title: `Own ${dialect}` });
    const { bases } = (await owner.get<ProjectEntity>(`/api/v1/db/meta/projects/${own.body.id}`)).body;
    const ownObjects = `/api/v1/plugins/database-objects/projects/${own.body.id}/objects`;
    expect((await owner.get(ownObjects)).body).toEqual({ list: [], total: 0 });
    const ofOwn = `/api/v1/plugins/database-objects/projects/${own.body.id}/bases/${bases?.[0]?.id ?? ''}/objects`;
    expect(await owner.get(ofOwn)).toMatchObject({ status: 400, body: { code: 'BASE_OWN' } });
    const mixed = path.replace(project.id, own.body.id);
    expect(await owner.get(mixed)).toMatchObject({ status: 404 });
  });
});

describe('the objects of a SQLite file', () => {
  let there: ConnectedDatabase | undefined;
  afterEach(() => there?.dispose());

  /** A project that was opened on a file, and how its objects are asked for. */
  async function openedFile(statements: readonly string[]) {
    there = await connectDatabase('sqlite', { title: 'Shop', statements });
    const { owner, project } = there;
    const { bases } = (await owner.get<ProjectEntity>(`/api/v1/db/meta/projects/${project.id}`)).body;
    const path = `/api/v1/plugins/database-objects/projects/${project.id}/bases/${bases?.[0]?.id ?? ''}/objects`;
    return {
      list: async () => (await owner.get<ObjectListEntity>(path)).body,
      one: async (kind: string, object: string) => {
        const query = new URLSearchParams({ kind, id: object }).toString();
        return owner.get<ObjectDetailsEntity>(`${path}/one?${query}`);
      },
    };
  }

  test('are its views, triggers and indexes, each with the text by which it was made', async () => {
    const { list, one } = await openedFile([
      'create table item (id integer primary key, code text unique, price numeric, note text)',
      'create view dear as select id, price from item where price > 100',
      "create trigger stamped after insert on item begin update item set note = 'seen' where id = new.id; end",
      'create unique index by_note on item (note, price desc)',
      'create index "odd name" on item (lower(note)) where price > 0',
    ]);
    expect(await list()).toEqual({
      counts: { view: 1, trigger: 1, index: 2 },
      list: [
        { kind: 'index', id: 'by_note', name: 'by_note', about: 'item' },
        { kind: 'view', id: 'dear', name: 'dear', about: '' },
        { kind: 'index', id: 'odd name', name: 'odd name', about: 'item' },
        { kind: 'trigger', id: 'stamped', name: 'stamped', about: 'item' },
      ],
    });
    expect((await one('view', 'dear')).body).toMatchObject({
      definition: 'CREATE VIEW dear as select id, price from item where price > 100',
      columns: [
        { name: 'id', type: 'INTEGER' },
        { name: 'price', type: 'numeric' },
      ],
    });
    expect((await one('trigger', 'stamped')).body.definition).toMatch(/after insert on item.*'seen'/i);
    expect((await one('index', 'by_note')).body.definition).toMatch(/item \(note, price desc\)/);
    expect((await one('index', 'odd name')).body.definition).toMatch(/lower\(note\).*price > 0/);
    expect(await one('sequence', 'by_note')).toMatchObject({ status: 404 });
  });

  test('are shown still when the table of a view was dropped', async () => {
    const { list, one } = await openedFile([
      'create table item (id integer primary key)',
      'create table former (price int)',
      'create view lost as select price from former',
      'drop table former',
    ]);
    expect((await list()).list).toMatchObject([{ kind: 'view', name: 'lost' }]);
    expect(await one('view', 'lost')).toMatchObject({
      status: 200,
      body: { name: 'lost', definition: 'CREATE VIEW lost as select price from former' },
    });
  });
});
