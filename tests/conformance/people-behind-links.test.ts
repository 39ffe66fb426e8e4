import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const data = '/api/v1/db/data/noco/Shop';
const meta = '/api/v1/db/meta';
const person = 'owner@example.com';

describe('whoever came by a link', () => {
  let server: TestServer;
  let owner: TestClient;
  let project = '';
  let people: TableEntity;
  let firms: TableEntity;
  const views: ViewEntity[] = [];

  const idOf = (table: TableEntity, title: string) =>
    table.columns?.find((column) => column.title === title)?.id ?? '';
  async function ok<Body>(answer: Promise<{ readonly status: number; readonly body: Body }>): Promise<Body> {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  }
  const add = (table: TableEntity, body: object) =>
    ok(owner.post<TableEntity>(`${meta}/tables/${table.id}/columns`, body));

  /** A form that tells somebody of answers, with a field that its creators alone are asked. */
  async function makeForm(): Promise<void> {
    const form = { title: 'Ask', email: { [person]: true } };
    const { id } = await ok(owner.post<ViewEntity>(`${meta}/tables/${firms.id}/forms`, form));
    const places = await ok(owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${id}/columns`));
    const place = places.find(({ fk_column_id: of }) => of === idOf(firms, 'Name'));
    const field = { meta: { creatorsOnly: true, help: `Ask ${person}` } };
    await ok(owner.patch(`${meta}/form-columns/${place?.id}`, field));
  }

  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp(person);
    project = (await ok(owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' }))).id;
    const make = (title: string, more: readonly object[] = []) =>
      ok(
        owner.post<TableEntity>(`${meta}/projects/${project}/tables`, {
          title,
          columns: [
            { title: 'Id', uidt: 'ID' },
            { title: 'Name', uidt: 'SingleLineText', pv: true },
            ...more,
          ],
        }),
      );
    firms = await make('Firm');
    people = await make('Person', [{ title: 'Keeper', uidt: 'Collaborator' }]);
    await add(people, { title: 'Made', uidt: 'CreatedBy' });
    people = await add(people, { title: 'Said', uidt: 'Formula', formula_raw: 'CONCAT({Keeper}, "!")' });
    firms = await add(firms, {
      title: 'People',
      uidt: 'LinkToAnotherRecord',
      type: 'hm',
      parentId: firms.id,
      childId: people.id,
    });
    firms = await add(firms, {
      title: 'Keepers',
      uidt: 'Lookup',
      fk_relation_column_id: idOf(firms, 'People'),
      fk_lookup_column_id: idOf(people, 'Keeper'),
    });
    await ok(owner.post(`${data}/Firm`, { Name: 'Acme' }));
    await ok(owner.post(`${data}/Person`, { Name: 'Ada', Keeper: person }));
    await ok(owner.post(`${data}/Firm/1/hm/People/1`));
    const grid = await ok(owner.post<ViewEntity>(`${meta}/tables/${people.id}/grids`, { title: 'Kept' }));
    const keeper = { fk_column_id: idOf(people, 'Keeper') };
    const path = `${meta}/views/${grid.id}`;
    await ok(owner.post(`${path}/filters`, { ...keeper, comparison_op: 'eq', value: person }));
    await ok(owner.post(`${path}/sorts`, { ...keeper, direction: 'asc' }));
    const stacks = { title: 'Stacks', fk_grp_col_id: keeper.fk_column_id };
    const kanban = await ok(owner.post<ViewEntity>(`${meta}/tables/${people.id}/kanbans`, stacks));
    const arranged = { [keeper.fk_column_id]: [{ id: person, order: 1, collapsed: true }] };
    await ok(owner.patch(`${meta}/kanbans/${kanban.id}`, { meta: arranged }));
    await makeForm();
    for (const { id } of [firms, people])
      views.push(
        ...(await ok(owner.get<{ list: readonly ViewEntity[] }>(`${meta}/tables/${id}/views`))).list,
      );
  });
  afterAll(() => server?.dispose());

  /** Every answer that names somebody, or does not come. */
  async function naming(client: TestClient, paths: readonly string[]) {
    const found: unknown[] = [];
    for (const path of paths) {
      const { status, body } = await client.get(path);
      const text = JSON.stringify(body);
      if (status !== 200 || /\w+@example\.com/.test(text)) found.push([path, status, text]);
    }
    return found;
  }

  const ofBase = () => [
    ...['Firm', 'Person'].flatMap((title) => [
      `${data}/${title}`,
      `${data}/${title}/1`,
      `${data}/${title}/1/history`,
      `${data}/${title}/export/csv`,
    ]),
    `${data}/Firm/1/hm/People`,
    `${data}/Person?fields=Said`,
    ...[firms, people].flatMap(({ id }) => [`${meta}/tables/${id}`, `${meta}/tables/${id}/views`]),
    ...views.flatMap(({ id }) => ['filters', 'sorts', 'columns'].map((of) => `${meta}/views/${id}/${of}`)),
  ];

  async function ofViews() {
    const paths: string[] = [];
    for (const { id, view_type: type } of views) {
      const { uuid } = await ok(owner.post<{ uuid: string }>(`${meta}/views/${id}/share`, {}));
      const base = `/api/v1/db/public/shared-view/${uuid}`;
      paths.push(`${base}/meta`);
      if (type !== 'form') paths.push(`${base}/rows`, `${base}/rows/export/csv`);
    }
    return paths;
  }

  test.each(['on', 'off'])('sees nobody of the project, with the plugin of people %s', async (state) => {
    const { body } = await owner.get<{ list: readonly object[] }>(`${data}/Person`);
    expect(JSON.stringify(body)).toContain(person);
    const share = await ok(
      owner.post<{ uuid: string }>(`${meta}/projects/${project}/shared`, { roles: 'editor' }),
    );
    const visitor = server.client.with({ headers: { 'xc-shared-base-id': share.uuid } });
    // What the visitor may read is known by now, and looked at again when types go.
    await ok(visitor.get(`${data}/Person`));
    if (state === 'off') await ok(owner.post('/api/v1/app-store/plugins/columns-people/disable', {}));
    expect(await naming(server.client, await ofViews())).toEqual([]);
    expect(await naming(visitor, ofBase())).toEqual([]);
    for (const query of [`where=(Keeper,eq,${person})`, 'sort=Keeper', 'fields=Keeper'])
      expect(await visitor.get(`${data}/Person?${query}`)).toMatchObject({ status: 400 });
    await ok(visitor.patch(`${data}/Person/1`, { Keeper: null, Name: 'Bob' }));
    const kept = await owner.get<{ Keeper: string }>(`${data}/Person/1`);
    expect(kept.body).toMatchObject({ Name: 'Bob', Keeper: person });
  });

  test('is told nothing of what views keep whose type is off', async () => {
    const share = await ok(owner.post<{ uuid: string }>(`${meta}/projects/${project}/shared`, {}));
    const visitor = server.client.with({ headers: { 'xc-shared-base-id': share.uuid } });
    for (const [id, cascade] of [
      ['view-kanban', []],
      ['view-form', ['automation-forms']],
    ] as const)
      await ok(owner.post(`/api/v1/app-store/plugins/${id}/disable`, { cascade }));
    const { list } = await ok(owner.get<{ list: readonly ViewEntity[] }>(`${meta}/tables/${firms.id}/views`));
    expect(JSON.stringify(list)).toContain(person);
    expect(await naming(visitor, ofBase())).toEqual([]);
  });
});
