import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askUntil, createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';

describe('automations by forms', () => {
  let server: TestServer;
  let ann: TestClient;
  let projectId: string;
  let tableId: string;
  let idOf: (title: string) => string;

  beforeAll(async () => {
    server = await createTestServer();
    ann = await server.signUp('ann@example.com');
    const project = await ann.post<{ id: string }>(`${meta}/projects`, { title: 'Desk' });
    projectId = project.body.id;
    const { body } = await ann.post<{ id: string; columns: { id: string; title: string }[] }>(
      `${meta}/projects/${projectId}/tables`,
      {
        title: 'Requests',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Title', uidt: 'SingleLineText' },
          { title: 'Note', uidt: 'SingleLineText' },
        ],
      },
    );
    tableId = body.id;
    idOf = (title) => body.columns.find((column) => column.title === title)?.id ?? '';
  });
  afterAll(() => server?.dispose());

  async function form(title: string): Promise<{ readonly id: string; readonly rows: string }> {
    const { body } = await ann.post<{ id: string }>(`${meta}/tables/${tableId}/forms`, { title });
    const shared = await ann.post<{ uuid: string }>(`${meta}/views/${body.id}/share`, {});
    return { id: body.id, rows: `/api/v1/db/public/shared-view/${shared.body.uuid}/rows` };
  }
  const make = (settings: object) =>
    ann.post<{ id: string; msg: string }>(`/api/v1/plugins/automations/projects/${projectId}/automations`, {
      title: 'Note',
      trigger: { type: 'form.answered', settings: { table: tableId, ...settings } },
      steps: [
        {
          id: 'note',
          name: 'note',
          type: 'row.update',
          settings: {
            table: tableId,
            key: '{{trigger.row}}',
            cells: { [idOf('Note')]: 'told of {{row.Title}}' },
          },
        },
      ],
    });
  const notes = async () => {
    const path = '/api/v1/db/data/noco/Desk/Requests';
    const { body } = await ann.get<{ list: readonly { Title: string; Note: string | null }[] }>(path);
    return Object.fromEntries(body.list.map(({ Title, Note }) => [Title, Note]));
  };

  test('one is started by the answers to its form, and by no other row of the table', async () => {
    const [asked, other] = [await form('Ask'), await form('Other')];
    expect(await make({ form: asked.id })).toMatchObject({ status: 200 });
    await ann.post('/api/v1/db/data/noco/Desk/Requests', { Title: 'by a member' });
    const send = (rows: string, Title: string) =>
      server.client.post(rows, { data: { Title }, 'shared-views.submit': asked.id });
    expect(await send(other.rows, 'by another form')).toMatchObject({ status: 200 });
    expect(await send(asked.rows, 'paint')).toMatchObject({ status: 200 });
    expect(await send(asked.rows, 'roof')).toMatchObject({ status: 200 });
    const found = await askUntil(notes, ({ paint, roof }) => paint !== null && roof !== null);
    expect(found).toEqual({
      'by a member': null,
      'by another form': null,
      paint: 'told of paint',
      roof: 'told of roof',
    });
  });

  test('an answer that a member sends inside the project starts it as well, and a row of another view does not', async () => {
    const [asked, other] = [await form('Inside'), await form('Beside')];
    expect(await make({ form: asked.id })).toMatchObject({ status: 200 });
    const rows = '/api/v1/db/data/noco/Desk/Requests';
    const { body } = await ann.get<{ list: readonly { id: string; title: string }[] }>(
      `${meta}/tables/${tableId}/views`,
    );
    const grid = body.list.find(({ id }) => id !== asked.id && id !== other.id)?.id ?? '';
    const through = (view: string, Title: string) => ann.post(`${rows}/views/${view}`, { Title });
    expect(await ann.post(rows, { Title: 'table' })).toMatchObject({ status: 200 });
    expect(await through(grid, 'grid')).toMatchObject({ status: 200 });
    expect(await through(other.id, 'beside')).toMatchObject({ status: 200 });
    expect(await through(asked.id, 'inside')).toMatchObject({ status: 200 });
    const found = await askUntil(notes, ({ inside }) => inside !== null);
    expect(found).toMatchObject({ table: null, grid: null, beside: null, inside: 'told of inside' });
  });

  test('it asks for a form of the table', async () => {
    const refused = { status: 400, body: { msg: expect.stringContaining('Form') } };
    expect(await make({})).toMatchObject(refused);
    const { body } = await ann.get<{ list: readonly { id: string }[] }>(`${meta}/tables/${tableId}/views`);
    const grid = body.list[0]?.id;
    expect(await make({ form: grid })).toMatchObject({ status: 400, body: { code: 'AUTOMATION_VIEW' } });
    expect(await make({ form: 'vw_gone' })).toMatchObject({ status: 400, body: { code: 'AUTOMATION_VIEW' } });
  });
});
