import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import type { TestClient } from '@trellis/sdk/testing/server';
import type { Database, ServerTarget } from '../../host-server/databases/index.ts';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { connectDatabase, type ConnectedDatabase } from './connected-database.ts';

type Row = Readonly<Record<string, unknown>>;
const meta = '/api/v1/db/meta';

/** Rules that a database keeps by itself, and tables that are more than one. */
const guarded = [
  'create extension if not exists btree_gist',
  'create table parcel (id int not null, region text not null, note text, primary key (id, region)) partition by list (region)',
  "create table parcel_north partition of parcel for values in ('north')",
  "create table parcel_south partition of parcel for values in ('south')",
  'create table leg (nr int, parcel_id int not null, parcel_region text not null, km int check (km > 0), primary key (nr), foreign key (parcel_id, parcel_region) references parcel (id, region))',
  'create table booking (id serial primary key, room int not null, day int not null, exclude using gist (room with =, day with =))',
  "create domain code as text check (value ~ '^[A-Z]{3}$')",
  'create table airport (id serial primary key, iata code not null, name text)',
  'create view north as select id, note from parcel where region = $$north$$',
  'create table animal (id int primary key, name text)',
  'create table dog (breed text) inherits (animal)',
  'create table frozen (id serial primary key, title text)',
  `create function thaw() returns trigger language plpgsql as $$ begin raise exception 'the secret reason' using errcode = 'P0001'; end $$`,
  'create trigger frozen_before before update on frozen for each row execute function thaw()',
  'create table silent (id serial primary key, title text)',
  'create function hush() returns trigger language plpgsql as $$ begin if new.title = $t$loud$t$ then return new; end if; return null; end $$',
  'create trigger silent_before before insert on silent for each row execute function hush()',
  'create table logged (id serial primary key, title text)',
  'create table log (id serial primary key, words text)',
  `create function note() returns trigger language plpgsql as $$ begin insert into log (words) values (new.title); return new; end $$`,
  'create trigger logged_after after insert on logged for each row execute function note()',
  'create table secret (id int primary key, owner text not null, note text)',
  "insert into secret values (1, 'me', 'mine'), (2, 'you', 'yours')",
];

describeEachServer('a PostgreSQL schema that guards itself', (dialect) => {
  if (dialect !== 'postgres') return;
  let there: ConnectedDatabase;
  let owner: TestClient;
  let elsewhere: Database;
  let target: ServerTarget;
  let projectId = '';

  const run = (sql: string) => there.run(sql);

  beforeAll(async () => {
    there = await connectDatabase(dialect, { title: 'Guarded', statements: guarded });
    ({ owner, elsewhere } = there);
    target = there.target as ServerTarget;
    projectId = there.project.id;
  });
  afterAll(() => there?.dispose());

  const data = (path: string) => `/api/v1/db/data/noco/Guarded/${path}`;
  const list = async (path: string) => (await owner.get<{ list: readonly Row[] }>(data(path))).body.list;
  const table = async (title: string) => {
    const listed = await owner.get<{ list: readonly TableEntity[] }>(`${meta}/projects/${projectId}/tables`);
    const found = listed.body.list.find((one) => one.title === title);
    return (await owner.get<TableEntity>(`${meta}/tables/${found?.id ?? ''}`)).body;
  };

  test('moves a row to the partition that its new key belongs to, under its new name', async () => {
    expect((await owner.post(data('Parcel'), { Id: 1, Region: 'north', Note: 'a' })).status).toBe(200);
    const moved = await owner.patch(data('Parcel/1___north'), { Region: 'south' });
    expect(moved).toMatchObject({ status: 200, body: { Id: 1, Region: 'south', Note: 'a' } });
    expect(await owner.get(data('Parcel/1___south'))).toMatchObject({ status: 200 });
    expect(await owner.get(data('Parcel/1___north'))).toMatchObject({ status: 404 });
    expect(await owner.patch(data('Parcel/1___south'), { Region: 'east' })).toMatchObject({ status: 400 });
  });

  test('shows a key of two columns as a link, with both of them beside it', async () => {
    expect((await table('Leg')).columns?.map(({ title, uidt }) => [title, uidt])).toEqual([
      ['Nr', 'Number'],
      ['ParcelId', 'ForeignKey'],
      ['ParcelRegion', 'ForeignKey'],
      ['Km', 'Number'],
      ['Parcel', 'LinkToAnotherRecord'],
    ]);
    const leg = { Nr: 1, ParcelId: 1, ParcelRegion: 'south', Km: 4 };
    expect(await owner.post(data('Leg'), { ...leg, ParcelId: 9 })).toMatchObject({ status: 400 });
    expect(await owner.post(data('Leg'), leg)).toMatchObject({ status: 200, body: leg });
    expect(await list('Leg')).toMatchObject([{ ...leg, Parcel: { Id: 1, Region: 'south' } }]);
    expect(await list('Parcel')).toMatchObject([{ 'Leg List': [{ Nr: 1 }] }]);
    // The row is in use, so that it stays, and its database's own words do not come out.
    const answer = await owner.delete(data('Parcel/1___south'));
    expect(JSON.stringify(answer.body)).not.toMatch(/foreign key|fkey|constraint/i);
    expect(await list('Parcel')).toHaveLength(1);
  });

  test.each([
    ['a check', 'Leg', { Nr: 2, ParcelId: 1, ParcelRegion: 'south', Km: 0 }],
    ['the check of a domain', 'Airport', { Iata: 'zrh' }],
    ['a not-null rule', 'Airport', { Name: 'Nowhere' }],
  ])('answers %s with 400 and none of its own words', async (_, title, row) => {
    const { status, body } = await owner.post<{ msg: string }>(data(title), row);
    expect({ status, hasWords: body.msg.length > 0 }).toEqual({ status: 400, hasWords: true });
    expect(body.msg).not.toMatch(/violates|constraint|SQL|insert into/i);
  });

  test('keeps what an exclusion keeps apart', async () => {
    const book = (Room: number, Day: number) => owner.post(data('Booking'), { Room, Day });
    expect(await book(1, 1)).toMatchObject({ status: 200 });
    expect(await book(1, 1)).toMatchObject({ status: 400 });
    expect(await book(1, 2)).toMatchObject({ status: 200 });
  });

  test('has views that are read only, with the rows of the moment', async () => {
    await owner.post(data('Parcel'), { Id: 2, Region: 'north', Note: 'b' });
    expect(await list('North')).toMatchObject([{ Id: 2, Note: 'b' }]);
    expect((await owner.post(data('North'), { Id: 3 })).status).toBeGreaterThanOrEqual(400);
    expect(await list('North')).toHaveLength(1);
  });

  test('shows rows of a table that inherits in both, and changes none that its key names twice', async () => {
    // A key is unique in each of the tables alone, and the one that inherits has none.
    await run("insert into dog values (1, 'Rex', 'Collie'), (2, 'Bella', 'Pug')");
    expect(await owner.post(data('Dog'), { Id: 3, Name: 'Max' })).toMatchObject({ status: 400 });
    expect((await list('Animal?sort=Id')).map(({ Name }) => Name)).toEqual(['Rex', 'Bella']);
    expect(await owner.post(data('Animal'), { Id: 3, Name: 'Tom' })).toMatchObject({ status: 200 });
    expect(await owner.patch(data('Animal/2'), { Name: 'Bello' })).toMatchObject({ status: 200 });
    await run("insert into animal values (1, 'Other')");
    const answer = await owner.patch(data('Animal/1'), { Name: 'Changed' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'NOT_ONE_ROW' } });
    expect(await list('Animal?where=(Name,eq,Changed)')).toEqual([]);
  });

  test('says in words of ours that a trigger refused a change, and changes nothing', async () => {
    const made = await owner.post<Row>(data('Frozen'), { Title: 'ice' });
    const answer = await owner.patch<{ msg: string }>(data(`Frozen/${String(made.body.Id)}`), {
      Title: 'water',
    });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).not.toMatch(/P0001|plpgsql|function/);
    expect(await list('Frozen')).toMatchObject([{ Title: 'ice' }]);
  });

  test('does not say that rows were added which a trigger kept out', async () => {
    const refused = { status: 409, body: { code: 'ROW_KEPT_OUT' } };
    expect(await owner.post(data('Silent'), { Title: 'x' })).toMatchObject(refused);
    expect(await owner.post(data('Silent'), { Id: 7, Title: 'x' })).toMatchObject(refused);
    const rows = [{ Title: 'loud' }, { Title: 'x' }];
    expect(await owner.post('/api/v1/db/data/bulk/noco/Guarded/Silent', rows)).toMatchObject(refused);
    expect(await list('Silent')).toEqual([]);
    expect(await owner.post(data('Silent'), { Title: 'loud' })).toMatchObject({ status: 200 });
  });

  test('has rows that its triggers add elsewhere', async () => {
    expect(await owner.post(data('Logged'), { Title: 'Ada' })).toMatchObject({ status: 200 });
    expect(await list('Log')).toMatchObject([{ Words: 'Ada' }]);
  });

  test('refuses with 403 what its row security refuses, one by one and in bulk', async () => {
    const user = `u${randomUUID().slice(0, 8)}`;
    await run(`create role ${user} login password 'Passw0rd'`);
    await run(`grant all on secret to ${user}`);
    await run('alter table secret enable row level security');
    await run("create policy mine on secret using (owner = 'me')");
    try {
      const { host, port, database } = target;
      const settings = { host, port, user, password: 'Passw0rd', database };
      await owner.post(`${meta}/projects`, {
        title: 'Secrets',
        external: true,
        bases: [{ type: 'pg', settings }],
      });
      const path = '/api/v1/db/data/noco/Secrets/Secret';
      const bulk = '/api/v1/db/data/bulk/noco/Secrets/Secret';
      expect(await owner.post(path, { Id: 3, Owner: 'you' })).toMatchObject({ status: 403 });
      expect(
        await owner.post(bulk, [
          { Id: 4, Owner: 'me' },
          { Id: 5, Owner: 'you' },
        ]),
      ).toMatchObject({
        status: 403,
      });
      expect(await owner.patch(`${path}/1`, { Owner: 'you' })).toMatchObject({ status: 403 });
      expect(await owner.delete(`${path}/2`)).not.toMatchObject({ status: 500 });
      const { rows } = await elsewhere.read((unit) =>
        unit.rows({ sql: 'select id, owner from secret order by id', bindings: [] }),
      );
      expect(rows).toEqual([
        [1, 'me'],
        [2, 'you'],
      ]);
    } finally {
      await run(`drop owned by ${user}`);
      await run(`drop role ${user}`);
    }
  });
});
