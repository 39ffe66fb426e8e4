import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import type { CustomRole, CustomRoleInput, TableRights } from '#plugins/sys-members/shared';
import { describeEachHome } from './each-home.ts';

const data = '/api/v1/db/data/noco/Firm';
const meta = '/api/v1/db/meta';
const whole: TableRights = {
  access: 'write',
  create: true,
  delete: true,
  columns: {},
  newColumns: 'write',
};

function describeLaterTables(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let bob: TestClient;
  let bobId = '';
  let project = '';
  let roles = '';
  let people: TableEntity;

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    bob = await server.signUp('bob@example.com');
    project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Firm' })).body.id;
    roles = `/api/v1/plugins/sys-members/projects/${project}/roles`;
    people = await makeTable('People');
    await owner.post(`${meta}/projects/${project}/users`, { email: 'bob@example.com', roles: 'editor' });
    bobId = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
  });
  afterAll(() => server?.dispose());

  async function makeTable(title: string): Promise<TableEntity> {
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    const made = await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, { title, columns });
    expect((await owner.post(`${data}/${title}`, { Name: 'Ada' })).status).toBe(200);
    return (await owner.get<TableEntity>(`${meta}/tables/${made.body.id}`)).body;
  }
  function columnOf(table: TableEntity, title: string): string {
    return table.columns?.find((column) => column.title === title)?.id ?? '';
  }
  async function hold(role: Omit<CustomRoleInput, 'description' | 'denied' | 'newTables'> & object) {
    const made = await owner.post<CustomRole>(roles, role);
    expect(made).toMatchObject({ status: 200, body: { title: role.title } });
    const path = `${meta}/projects/${project}/users/${bobId}`;
    const given = await owner.patch(path, {
      roles: 'editor',
      project_id: project,
      custom_role: made.body.id,
    });
    expect(given.status).toBe(200);
    return made.body;
  }
  async function tablesOfBob() {
    const { body } = await bob.get<{ list: TableEntity[] }>(`${meta}/projects/${project}/tables`);
    return body.list.map(({ title }) => title).toSorted();
  }
  async function link(title: string, from: TableEntity, to: TableEntity, type: string): Promise<string> {
    const body = { title, uidt: 'LinkToAnotherRecord', parentId: from.id, childId: to.id, type };
    await owner.post(`${meta}/tables/${from.id}/columns`, body);
    return columnOf((await owner.get<TableEntity>(`${meta}/tables/${from.id}`)).body, title);
  }

  test('a table that is made after a role that names tables is closed to it', async () => {
    const role = await hold({ title: 'Knows people', base: 'editor', tables: { [people.id]: whole } });
    expect(role.newTables).toBe('none');
    const later = await makeTable('Later');
    const [hidden, never] = await Promise.all([bob.get(`${data}/Later`), bob.get(`${data}/Never`)]);
    expect([hidden.status, hidden.body]).toEqual([never.status, never.body]);
    expect((await bob.post(`${data}/Later`, { Name: 'Eve' })).status).toBe(404);
    expect((await bob.get(`${meta}/tables/${later.id}`)).status).toBe(404);
    expect(await tablesOfBob()).toEqual(['People']);
    expect((await bob.post(`${data}/People`, { Name: 'Eve' })).status).toBe(200);

    const { id, title, base, tables } = role;
    expect(
      (await owner.patch(`${roles}/${id}`, { title, base, tables, newTables: 'read' })).body,
    ).toMatchObject({
      newTables: 'read',
    });
    expect((await bob.get(`${data}/Later`)).status).toBe(200);
    expect((await bob.post(`${data}/Later`, { Name: 'Eve' })).status).toBe(403);
    expect((await owner.patch(`${roles}/${id}`, { title, base, tables, newTables: 'write' })).status).toBe(
      200,
    );
    expect((await bob.post(`${data}/Later`, { Name: 'Eve' })).status).toBe(200);
  });

  test('the project tells its reader when what a role leaves is something else', async () => {
    const rights = async (who: TestClient) =>
      (await who.get<ProjectEntity>(`${meta}/projects/${project}`)).body.rights;
    const none = { title: 'Told', base: 'editor', tables: { [people.id]: whole } } as const;
    const { id } = await hold(none);
    const [ofBob, ofOwner] = [await rights(bob), await rights(owner)];
    expect([await rights(bob), ofBob === ofOwner]).toEqual([ofBob, false]);
    const columns = { [columnOf(people, 'Name')]: 'none' } as const;
    const hides = { ...none, tables: { [people.id]: { ...whole, columns } } };
    expect((await owner.patch(`${roles}/${id}`, hides)).status).toBe(200);
    expect(await rights(bob)).not.toBe(ofBob);
    expect((await owner.patch(`${roles}/${id}`, none)).status).toBe(200);
    expect([await rights(bob), await rights(owner)]).toEqual([ofBob, ofOwner]);
  });

  test('a role that names no table has all, and the ones that are made later', async () => {
    expect(await hold({ title: 'Names none', base: 'editor', tables: {} })).toMatchObject({
      newTables: 'write',
    });
    await makeTable('Everybody');
    expect((await bob.post(`${data}/Everybody`, { Name: 'Eve' })).status).toBe(200);
  });

  test('a column that is made after a role is what the role says of columns made later', async () => {
    const [id, name] = [columnOf(people, 'Id'), columnOf(people, 'Name')];
    const rights: TableRights = { ...whole, columns: { [id]: 'write', [name]: 'write' }, newColumns: 'none' };
    const role = await hold({ title: 'No new columns', base: 'editor', tables: { [people.id]: rights } });
    await owner.post(`${meta}/tables/${people.id}/columns`, { title: 'Bonus', uidt: 'Number' });
    await owner.patch(`${data}/People/1`, { Bonus: 98_765_432 });
    const row = await bob.get(`${data}/People/1`);
    expect(row).toMatchObject({ status: 200, body: { Name: 'Ada' } });
    expect(row.body).not.toHaveProperty('Bonus');
    const seen = await bob.get<TableEntity>(`${meta}/tables/${people.id}`);
    expect(seen.body.columns?.map(({ title }) => title)).not.toContain('Bonus');
    expect((await bob.get(`${data}/People?where=(Bonus,gt,1)`)).status).toBe(400);
    expect((await bob.patch(`${data}/People/1`, { Name: 'Ada L' })).status).toBe(200);

    const read = { [people.id]: { ...rights, newColumns: 'read' } };
    await owner.patch(`${roles}/${role.id}`, { title: role.title, base: role.base, tables: read });
    expect((await bob.get<{ Bonus: unknown }>(`${data}/People/1`)).body).toHaveProperty('Bonus');
    expect(await bob.patch(`${data}/People/1`, { Bonus: 1 })).toMatchObject({
      status: 403,
      body: { code: 'COLUMN_READ_ONLY' },
    });
  });

  test('links between tables that a role names work, and the table that holds them follows both', async () => {
    const [clubs, halls] = [await makeTable('Clubs'), await makeTable('Halls')];
    const members = await link('Members', clubs, people, 'mm');
    await link('Used by', halls, clubs, 'mm');
    const tables = {
      [people.id]: whole,
      [clubs.id]: { ...whole, columns: { [columnOf(clubs, 'Name')]: 'write', [members]: 'write' } as const },
    };
    await hold({ title: 'Clubs and people', base: 'editor', tables });
    expect((await bob.post(`${data}/Clubs/1/mm/Members/1`)).status).toBe(200);
    const linked = await bob.get<{ list: object[] }>(`${data}/Clubs/1/mm/Members`);
    expect(linked.body.list).toMatchObject([{ Id: 1 }]);
    const all = await owner.get<{ list: TableEntity[] }>(
      `${meta}/projects/${project}/tables?includeM2M=true`,
    );
    const junctions = all.body.list.filter(({ mm }) => mm);
    expect(junctions.length).toBeGreaterThan(1);
    const answers = await Promise.all(junctions.map(({ id }) => bob.get(`${meta}/tables/${id}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...answers.slice(1).map(() => 404),
    ]);
  });

  test('links are set by whoever may change rows on one side of them, and by nobody who reads both', async () => {
    const bands = await makeTable('Bands');
    await link('Players', bands, people, 'mm');
    const [reads, tends] = [
      { ...whole, access: 'read' } as const,
      { ...whole, create: false, delete: false } as const,
    ];
    await hold({ title: 'Tends bands', base: 'editor', tables: { [people.id]: reads, [bands.id]: tends } });
    expect((await bob.post(`${data}/Bands/1/mm/Players/1`)).status).toBe(200);
    expect((await bob.delete(`${data}/Bands/1/mm/Players/1`)).status).toBe(200);
    await hold({ title: 'Reads both', base: 'editor', tables: { [people.id]: reads, [bands.id]: reads } });
    expect((await bob.post(`${data}/Bands/1/mm/Players/1`)).status).toBe(403);
    const all = await bob.get<{ list: TableEntity[] }>(`${meta}/projects/${project}/tables?includeM2M=true`);
    const junctions = all.body.list.filter(({ mm }) => mm);
    expect(junctions).toHaveLength(1);
    expect((await bob.post(`${data}/${junctions[0]?.title}`, {})).status).toBe(403);
  });

  test('what a role names stays named while it is in the trash', async () => {
    const gone = await makeTable('Gone');
    const rights: TableRights = { ...whole, access: 'read' };
    const { id, title, base } = await hold({
      title: 'Reads it',
      base: 'editor',
      tables: { [gone.id]: rights },
    });
    expect((await owner.delete(`${meta}/tables/${gone.id}`)).status).toBe(200);
    const again = { title, base, tables: { [gone.id]: rights, [people.id]: whole }, newTables: 'write' };
    expect(await owner.patch(`${roles}/${id}`, again)).toMatchObject({ status: 200 });
    const unknown = { ...again, tables: { md_never: rights } };
    expect((await owner.patch(`${roles}/${id}`, unknown)).status).toBe(400);
  });
}

describeEachHome('tables that are made after a custom role', describeLaterTables);
