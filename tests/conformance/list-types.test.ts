import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineServerPlugin } from '@trellis/sdk/server';
import { defineColumnType } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';

/** A list of options as somebody else's plugin brings it. */
const mood = defineColumnType<string>({
  id: 'Mood',
  label: 'Mood',
  description: 'How somebody feels.',
  icon: 'heart',
  storage: 'text',
  fallback: 'SingleLineText',
  accepts: ['text'],
  stacks: 'options',
  examples: [{ input: 'Happy', value: 'Happy' }],
  operators: ['eq'],
  order: 900,
  parse: (input) => ({ ok: true, value: typeof input === 'string' ? input : null }),
  format: (value) => value ?? '',
});

const moods = {
  manifest: {
    id: 'moods',
    name: 'Moods',
    version: '1.0.0',
    category: 'column',
    engines: { trellis: '>=0.1.0' },
    sdk: 1,
    enabledByDefault: true,
    contributes: {
      columnTypes: [{ id: 'Mood', label: 'Mood', storage: 'text', fallback: 'SingleLineText' }],
    },
  },
  server: defineServerPlugin({ setup: (ctx) => void ctx.register('columnTypes', mood) }),
};

let server: TestServer;
let owner: TestClient;
let tableId: string;
const ids = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer({ plugins: [moods] });
  owner = await server.signUp('owner@example.com');
  const project = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Team' });
  const { body: table } = await owner.post<{ id: string; columns: readonly { id: string; title: string }[] }>(
    `${meta}/projects/${project.body.id}/tables`,
    {
      title: 'People',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'Day', uidt: 'Date' },
        { title: 'Feels', uidt: 'Mood', meta: { options: [{ id: 'm1', title: 'Happy' }] } },
      ],
    },
  );
  tableId = table.id;
  for (const { id, title } of table.columns) ids.set(title, id);
});
afterAll(() => server?.dispose());

/** A new view of a type, with settings of its own. */
const make = (plural: string, settings: object) =>
  owner.post<{ id: string }>(`${meta}/tables/${tableId}/${plural}`, { title: plural, meta: settings });

test('a list of a third party stacks a kanban, groups a timeline and colours a calendar', async () => {
  const [feels, day] = [ids.get('Feels') ?? '', ids.get('Day') ?? ''];
  expect(
    await owner.post(`${meta}/tables/${tableId}/kanbans`, { title: 'Board', fk_grp_col_id: feels }),
  ).toMatchObject({ status: 200 });
  expect(await make('timelines', { fromId: day, groupId: feels })).toMatchObject({ status: 200 });
  expect(await make('calendars', { ranges: [{ fromId: day }], colorId: feels })).toMatchObject({
    status: 200,
  });
});

test('a text that many rows may share, but whose type says nothing of it, does not', async () => {
  const name = ids.get('Name') ?? '';
  expect(
    await owner.post(`${meta}/tables/${tableId}/kanbans`, { title: 'Names', fk_grp_col_id: name }),
  ).toMatchObject({ status: 400, body: { code: 'KANBAN_COLUMN' } });
});
