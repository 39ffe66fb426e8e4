import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly summary: string }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

let server: TestServer;
let owner: TestClient;
let projectId: string;

const document = async (client: TestClient, path: string) => (await client.get<Document>(path)).body;
const ofProject = (client: TestClient, query = '') =>
  document(client, `/api/v1/db/meta/projects/${projectId}/swagger.json${query}`);

const idsOf = ({ paths }: Document) =>
  Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp();
  const { body: project } = await owner.post<{ id: string }>('/api/v1/db/meta/projects', {
    title: 'At & las',
  });
  projectId = project.id;
  const id = { title: 'Id', uidt: 'ID' };
  const tables: { id: string }[] = [];
  for (const title of ['City', 'Country {x} & ü', 'Город', 'Error']) {
    const { status, body } = await owner.post<{ id: string }>(
      `/api/v1/db/meta/projects/${projectId}/tables`,
      {
        title,
        columns: [
          id,
          { title: 'Name', uidt: 'SingleLineText', rqd: true },
          { title: 'People', uidt: 'Number' },
          { title: 'Since', uidt: 'Date' },
        ],
      },
    );
    expect([title, status, body]).toMatchObject([title, 200, {}]);
    tables.push(body);
  }
  const [city, country] = tables;
  const linked = await owner.post(`/api/v1/db/meta/tables/${country?.id}/columns`, {
    uidt: 'LinkToAnotherRecord',
    title: 'Cities',
    type: 'mm',
    parentId: country?.id,
    childId: city?.id,
  });
  expect(linked).toMatchObject({ status: 200 });
});
afterAll(() => server?.dispose());

describe('the document of a project', () => {
  test('is valid OpenAPI, whatever tables are called, and names every operation once', async () => {
    const described = await ofProject(owner);
    expect(described.openapi).toBe('3.1.0');
    expect(await new Validator().validate(JSON.stringify(described, undefined, 1))).toMatchObject({
      valid: true,
    });
    expect(new Set(idsOf(described)).size).toBe(idsOf(described).length);
  });

  test('tells the calls of a table and of its views apart, which stand in one list', async () => {
    const { paths } = await ofProject(owner, '?table=City');
    const summaries = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ summary }) => summary),
    );
    expect(summaries).toEqual(expect.arrayContaining(['List rows', 'List rows (view City)']));
    expect(new Set(summaries).size).toBe(summaries.length);
  });

  test('has the calls on tables, views and links, and the shapes of rows', async () => {
    const { paths, components } = await ofProject(owner);
    const at = '/api/v1/db/data/v1/At%20%26%20las';
    expect(Object.keys(paths[`${at}/City`] ?? {})).toEqual(['get', 'post']);
    expect(Object.keys(paths[`${at}/City/{rowId}`] ?? {})).toEqual(['get', 'patch', 'delete']);
    expect(Object.keys(paths).some((path) => path.startsWith(`${at}/City/views/`))).toBe(true);
    const linked = `${at}/Country%20%7Bx%7D%20%26%20%C3%BC/{rowId}/mm/Cities`;
    expect(Object.keys(paths[linked] ?? {})).toEqual(['get']);
    expect(Object.keys(paths[`${linked}/{refRowId}`] ?? {})).toEqual(['post', 'delete']);
    expect(components.schemas['CityResponse']?.properties).toMatchObject({
      Id: { type: ['integer', 'null'] },
      Name: { type: ['string', 'null'] },
      Since: { type: ['string', 'null'], format: 'date' },
    });
    expect(Object.keys(components.schemas['CityRequest']?.properties ?? {})).toEqual([
      'Name',
      'People',
      'Since',
    ]);
  });

  test('describes the tables that are asked for alone', async () => {
    const { paths } = await ofProject(owner, '?table=City');
    expect(Object.keys(paths).every((path) => path.includes('/City'))).toBe(true);
    expect(Object.keys(paths).length).toBeGreaterThan(5);
  });

  test('calls that it lists answer, at the addresses that it gives', async () => {
    const { paths } = await ofProject(owner);
    const lists = Object.keys(paths).filter(
      (path) => paths[path]?.['get'] !== undefined && !path.includes('{'),
    );
    const answers = await Promise.all(
      lists.map(async (path) => [path, (await owner.get(path)).status] as const),
    );
    // Grouping names a column.
    const expected = lists.map((path) => [path, path.endsWith('/groupby') ? 400 : 200]);
    expect(answers).toEqual(expected);
  });

  test('is told to members alone, and the way to its page tells nothing', async () => {
    const path = `/api/v1/db/meta/projects/${projectId}`;
    const stranger = await server.signUp();
    expect((await stranger.get(`${path}/swagger.json`)).status).toBe(403);
    expect((await server.client.get(`${path}/swagger.json`)).status).toBe(401);
    const page = await fetch(`${server.url}${path}/swagger?url=https://evil.example`, { redirect: 'manual' });
    expect(page.status).toBe(302);
    expect(page.headers.get('location')).toBe(`/#/nc/${projectId}/swagger`);
  });
});

describe('the document of the product', () => {
  test('is valid OpenAPI and has every route that is served', async () => {
    const described = await document(owner, '/api/v1/openapi.json');
    expect(await new Validator().validate(JSON.stringify(described, undefined, 1))).toMatchObject({
      valid: true,
    });
    const routes = server.host.routes.list();
    expect(idsOf(described)).toHaveLength(routes.length);
    expect(described.paths['/api/v1/db/meta/tables/{tableId}']).toMatchObject({
      get: { summary: 'Read a table with its columns and views', tags: ['sys-tables'] },
    });
  });

  test('is told to people with an account', async () => {
    expect((await server.client.get('/api/v1/openapi.json')).status).toBe(401);
  });
});
