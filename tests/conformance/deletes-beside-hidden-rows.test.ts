import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import type { CustomRole, TableRights } from '#plugins/sys-members/shared';
import { describeEachHome } from './each-home.ts';

const data = '/api/v1/db/data/noco/Firm';
const bulk = '/api/v1/db/data/bulk/noco/Firm';
const meta = '/api/v1/db/meta';
const whole: TableRights = { access: 'write', create: true, delete: true, columns: {}, newColumns: 'write' };

function describeDeletes(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let bob: TestClient;
  let bobId = '';
  let project = '';
  let roles = '';
  let people: TableEntity;
  let papers: TableEntity;

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    bob = await server.signUp('bob@example.com');
    project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Firm' })).body.id;
    roles = `/api/v1/plugins/sys-members/projects/${project}/roles`;
    people = await makeTable('People');
    papers = await makeTable('Papers');
    const [notes, clubs] = [await makeTable('Notes'), await makeTable('Clubs')];
    await link('Holds', people, papers, { type: 'hm', onDelete: 'restrict' });
    await link('Wrote', people, notes, { type: 'hm', onDelete: 'cascade' });
    await link('Goes to', people, clubs, { type: 'mm', onDelete: 'cascade' });
    people = await read(people);
    papers = await read(papers);
    for (const Name of ['Ada', 'Bea', 'Cleo', 'Dot']) await owner.post(`${data}/People`, { Name });
    for (const table of ['Papers', 'Notes', 'Clubs'])
      expect((await owner.post(`${data}/${table}`, { Name: `Secret of ${table}` })).status).toBe(200);
    expect((await owner.post(`${data}/People/1/hm/Holds/1`)).status).toBe(200);
    expect((await owner.post(`${data}/People/2/hm/Wrote/1`)).status).toBe(200);
    expect((await owner.post(`${data}/People/2/mm/Goes to/1`)).status).toBe(200);
    await owner.post(`${meta}/projects/${project}/users`, { email: 'bob@example.com', roles: 'editor' });
    bobId = (await bob.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
  });
  afterAll(() => server?.dispose());

  async function makeTable(title: string): Promise<TableEntity> {
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    return (await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, { title, columns })).body;
  }
  const read = async ({ id }: TableEntity) => (await owner.get<TableEntity>(`${meta}/tables/${id}`)).body;
  async function link(title: string, from: TableEntity, to: TableEntity, more: object): Promise<void> {
    const body = { title, uidt: 'LinkToAnotherRecord', parentId: from.id, childId: to.id, ...more };
    expect((await owner.post(`${meta}/tables/${from.id}/columns`, body)).status).toBe(200);
  }
  async function hold(title: string, tables: Record<string, TableRights>): Promise<void> {
    const { body } = await owner.post<CustomRole>(roles, { title, base: 'editor', tables });
    const path = `${meta}/projects/${project}/users/${bobId}`;
    const given = await owner.patch(path, { roles: 'editor', project_id: project, custom_role: body.id });
    expect(given.status).toBe(200);
  }

  test('a row to which rows of hidden tables point is refused without a word of them', async () => {
    await hold('People alone', { [people.id]: whole });
    const answers = [await bob.delete(`${data}/People/1`), await bob.delete(`${bulk}/People`, [{ Id: 1 }])];
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain('Papers');
    expect(answers[0]?.body).toEqual({
      message: ["Other rows still point to this row of 'People', so it cannot be deleted."],
    });
    expect((await owner.get(`${data}/People/1`)).status).toBe(200);
  });

  test('a link that is hidden in the own table is not named, and neither is one whose key is hidden', async () => {
    const holds = people.columns?.find(({ title }) => title === 'Holds')?.id ?? '';
    const key = papers.columns?.find(({ uidt }) => uidt === 'ForeignKey')?.id ?? '';
    const hiding = (id: string): TableRights => ({ ...whole, columns: { [id]: 'none' } });
    await hold('No link', { [people.id]: hiding(holds), [papers.id]: whole });
    expect(JSON.stringify((await bob.delete(`${data}/People/1`)).body)).not.toMatch(/Papers|Holds/);
    await hold('No key', { [people.id]: whole, [papers.id]: hiding(key) });
    expect(JSON.stringify((await bob.delete(`${data}/People/1`)).body)).not.toMatch(/Papers|Holds/);
    await hold('All of both', { [people.id]: whole, [papers.id]: whole });
    expect(JSON.stringify((await bob.delete(`${data}/People/1`)).body)).toMatch(/Holds.*Papers/);
  });

  test('rows of hidden tables go along with a row, and come back with it', async () => {
    await hold('People alone again', { [people.id]: whole });
    const gone = await bob.delete(`${data}/People/2`);
    expect(gone).toMatchObject({ status: 200, body: 1 });
    expect((await owner.get(`${data}/Notes/1`)).status).toBe(404);
    const operation = gone.headers.get('x-trellis-operation');
    const undone = await owner.post(`/api/v1/db/data/operations/${project}/${operation}/undo`, {});
    expect(undone.status).toBe(200);
    expect((await owner.get(`${data}/Notes/1`)).body).toMatchObject({ Name: 'Secret of Notes' });
    const linked = await owner.get<{ list: object[] }>(`${data}/People/2/mm/Goes to`);
    expect(linked.body.list).toMatchObject([{ Id: 1 }]);
  });

  test('so many rows of a hidden table that they cannot go along are not named either', async () => {
    const key = (await owner.get<TableEntity>(`${meta}/tables/${await idOf('Notes')}`)).body.columns?.find(
      ({ uidt }) => uidt === 'ForeignKey',
    );
    const rows = Array.from({ length: 1000 }, () => ({ Name: 'x', [key?.title ?? '']: 3 }));
    for (let round = 0; round < 11; round += 1)
      expect((await owner.post(`${bulk}/Notes`, rows)).status).toBe(200);
    const refused = await bob.delete(`${data}/People/3`);
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).not.toContain('Notes');
    expect(JSON.stringify((await owner.delete(`${data}/People/3`)).body)).toContain('Notes');
  });

  async function idOf(title: string): Promise<string> {
    const { body } = await owner.get<{ list: TableEntity[] }>(`${meta}/projects/${project}/tables`);
    return body.list.find((table) => table.title === title)?.id ?? '';
  }
}

describeEachHome('deleting rows beside hidden ones', describeDeletes);
