import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity, ViewList } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { ZipFile } from 'yazl';
import type { RestoreEntity } from '../../plugins/schedules/shared/index.ts';
import { backupsOf, restoresPath } from '../../plugins/schedules/testing/backups.ts';

let server: TestServer;
let ann: TestClient;
let bob: TestClient;

beforeAll(async () => {
  server = await createTestServer();
  ann = await server.signUp('ann@example.com');
  bob = await server.signUp('bob@example.com');
  const { body: me } = await bob.get<{ id: string }>('/api/v1/auth/user/me');
  await ann.patch(`/api/v1/users/${me.id}`, { is_super: true });
});
afterAll(() => server?.dispose());

async function zipped(files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string), path);
  zip.end();
  const parts: Buffer[] = [];
  for await (const part of zip.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const column = {
  columnName: 'name',
  type: 'SingleLineText',
  primaryKey: false,
  autoIncrement: false,
  order: 2,
  id: 'cl_00000000000002',
  title: 'Name',
};
const key = {
  ...column,
  id: 'cl_00000000000001',
  title: 'Id',
  columnName: 'id',
  type: 'ID',
  order: 1,
  primaryKey: true,
  autoIncrement: true,
};
const table = {
  id: 'md_00000000000001',
  title: 'Things',
  tableName: 'things',
  kind: 'table',
  order: 1,
  columns: [key, column] as readonly object[],
  links: [] as readonly object[],
  views: [] as readonly object[],
  rows: { file: 'rows/001 Things.jsonl', columns: [key.id, column.id], count: 2, arranged: false },
};
const about = {
  format: 'trellis-backup',
  version: 2,
  made_at: '2026-03-02T00:00:00.000Z',
  project: { title: 'Shop' },
  tables: [table] as readonly object[],
  files: {} as object,
};
const rows = '[1,"one"]\n[2,"two"]\n';

const archiveOf = (changed: object = {}, files: Readonly<Record<string, string>> = {}) =>
  zipped({
    'rows/001 Things.jsonl': rows,
    'trellis.json': JSON.stringify({ ...about, ...changed }),
    ...files,
  });

async function projects(client: TestClient): Promise<readonly string[]> {
  const { body } = await client.get<{ list: readonly { title: string }[] }>('/api/v1/db/meta/projects');
  return body.list.map(({ title }) => title);
}

test('a backup that somebody wrote by hand is a project like any other', async () => {
  const backups = backupsOf(ann);
  const { body } = await backups.send(await archiveOf());
  expect(body).toMatchObject({ state: 'ready', about: { title: 'Shop', tables: 1, rows: 2 } });
  expect(await backups.begin(body, '  ')).toMatchObject({ status: 400, body: { code: 'RESTORE_TITLE' } });
  await ann.post('/api/v1/db/meta/projects', { title: 'Taken' });
  expect((await backups.begin(body, 'Taken')).status).toBe(400);
  expect(await backups.begin(body, 'By hand')).toMatchObject({ status: 200 });
  expect(await backups.begin(body, 'By hand twice')).toMatchObject({ status: 409 });
  const { state, project_id: id } = await backups.ended(body);
  expect(state).toBe('done');
  const { body: page } = await ann.get<{ list: readonly object[] }>(
    `/api/v1/db/data/noco/${id ?? ''}/Things`,
  );
  expect(page.list).toMatchObject([
    { Id: 1, Name: 'one' },
    { Id: 2, Name: 'two' },
  ]);
});

test('what is no backup, or would unpack to too much, is refused as it comes', async () => {
  const backups = backupsOf(ann);
  const good = await archiveOf();
  const bomb = 'x'.repeat(40_000_000);
  const refused: readonly (readonly [string, Uint8Array])[] = [
    ['RESTORE_NO_BACKUP', Buffer.from('')],
    ['RESTORE_NO_BACKUP', Buffer.from('no archive at all')],
    ['RESTORE_NO_BACKUP', good.subarray(0, good.length - 30)],
    ['RESTORE_NO_BACKUP', await zipped({ 'readme.txt': 'hello' })],
    ['RESTORE_NO_BACKUP', await zipped({ 'trellis.json': 'no JSON' })],
    ['RESTORE_NO_BACKUP', await archiveOf({ format: 'other' })],
    ['RESTORE_VERSION', await archiveOf({ version: 1 })],
    ['RESTORE_DAMAGED', await archiveOf({ tables: 'many' })],
    ['RESTORE_DAMAGED', await archiveOf({ tables: [{ ...table, columns: [{ ...column, title: 7 }] }] })],
    ['RESTORE_DAMAGED', await archiveOf({ tables: Array.from({ length: 5001 }, () => table) })],
    ['RESTORE_DAMAGED', await archiveOf({ tables: [table, { ...table, id: 'md_00000000000002' }] })],
    ['RESTORE_DAMAGED', await archiveOf({ tables: [table, { ...table, title: 'Others' }] })],
    ['RESTORE_DAMAGED', await archiveOf({ tables: [{ ...table, columns: [key, column, column] }] })],
    ['RESTORE_UNPACKS', await archiveOf({}, { 'rows/002 bomb.jsonl': bomb })],
  ];
  for (const [code, archive] of refused) {
    const { body, status } = await backups.send(archive);
    expect({ code, status, body }).toMatchObject({ code, body: { code } });
    expect([400, 413]).toContain(status);
  }
});

test('a damaged backup leaves no project, and says why', async () => {
  const backups = backupsOf(ann);
  const before = await projects(ann);
  const wrong: [string, Buffer][] = [
    ['RESTORE_DAMAGED', await archiveOf({}, { 'rows/001 Things.jsonl': '[1,"one"]\n{"no":"row"}\n' })],
    [
      'RESTORE_DAMAGED',
      await archiveOf({ tables: [{ ...table, rows: { ...table.rows, file: '../../etc/passwd' } }] }),
    ],
    [
      'COLUMN_TYPE_UNKNOWN',
      await archiveOf({ tables: [{ ...table, columns: [key, { ...column, type: 'Nothing' }] }] }),
    ],
    [
      'KEY_MISSING',
      await archiveOf(
        {
          tables: [{ ...table, columns: [{ ...key, type: 'SingleLineText', autoIncrement: false }, column] }],
        },
        { 'rows/001 Things.jsonl': '[null,"one"]\n' },
      ),
    ],
  ];
  wrong.push(['KEY_MISSING', await archiveOf({}, { 'rows/001 Things.jsonl': '["drop","one"]\n' })]);
  for (const [index, [code, archive]] of wrong.entries()) {
    const { body } = await backups.send(archive);
    await backups.begin(body, `Wrong ${index}`);
    expect(await backups.ended(body)).toMatchObject({ state: 'failed', message: { code } });
  }
  expect(await projects(ann)).toEqual(before);
});

test('a backup of strangers does no harm: what it says is only what anybody might have typed', async () => {
  const backups = backupsOf(ann);
  const evil = {
    ...about,
    project: { title: '<img src=x onerror=alert(1)>', meta: { ['__proto__']: { polluted: true } } },
    tables: [
      {
        ...table,
        title: "Things'; drop table trellis_account; --",
        tableName: 'trellis_account',
        columns: [
          key,
          { ...column, columnName: 'name"; drop table x; --', meta: { ['__proto__']: { polluted: true } } },
          {
            ...column,
            id: 'cl_00000000000003',
            title: 'Bad',
            columnName: '',
            type: 'Formula',
            meta: { formula: 'process.exit()' },
          },
          { ...column, id: 'cl_00000000000004', title: 'Files', columnName: 'files', type: 'Attachment' },
        ],
        rows: {
          ...table.rows,
          columns: [key.id, column.id, 'cl_00000000000004', 'cl_of_no_column'],
        },
        views: [
          {
            id: 'vw_1',
            title: 'View',
            type: 'nothing',
            isDefault: false,
            showSystemFields: false,
            lockType: 'personal',
            order: 2,
            columns: [],
            sorts: [{ columnId: 'cl_of_others', direction: 'asc' }],
            filters: [],
          },
        ],
      },
    ],
  };
  const lines = [
    [1, 'one', JSON.stringify([{ url: ['javascript', 'alert(1)'].join(':'), title: 'x' }]), 5],
    [2, 'two', JSON.stringify([{ url: '/download/AAAAAAAAAAAAAAAAAAAAAA.txt', title: '../../x' }]), 5],
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const archive = await zipped({
    'rows/001 Things.jsonl': text,
    'files/AAAAAAAAAAAAAAAAAAAAAA': 'not named in the list of files',
    'trellis.json': JSON.stringify(evil),
  });
  const { body } = await backups.send(archive);
  await backups.begin(body, 'Evil');
  const { state, message, notes, project_id: id } = await backups.ended(body);
  expect({ state, message }).toEqual({ state: 'done', message: null });
  expect(notes.map(({ code = '' }) => code).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'RESTORE_LEFT_COLUMN',
    'RESTORE_LEFT_FILES',
    'RESTORE_LEFT_VALUES',
    'RESTORE_LEFT_VIEW',
  ]);
  const { body: tables } = await ann.get<{ list: readonly { id: string; table_name: string }[] }>(
    `/api/v1/db/meta/projects/${id ?? ''}/tables`,
  );
  expect(tables.list.map(({ table_name }) => table_name)).not.toContain('trellis_account');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  const { body: page } = await ann.get<{ list: readonly object[] }>(
    `/api/v1/db/data/noco/${id ?? ''}/${tables.list[0]?.id ?? ''}?fields=*`,
  );
  expect(JSON.stringify(page.list)).not.toContain('alert(1)');
  expect((await ann.get('/api/v1/db/meta/projects')).status).toBe(200);
});

test('a view without the plugin that kept something with it has its sorts and filters all the same', async () => {
  const backups = backupsOf(ann);
  const view = {
    id: 'vw_00000000000001',
    title: 'Things',
    type: 'grid',
    isDefault: true,
    showSystemFields: false,
    lockType: 'collaborative',
    order: 1,
    meta: { frozenColumns: 2, additions: { stars: { rules: [] }, 'row-colors': { rules: [] } } },
    columns: [],
    sorts: [{ columnId: column.id, direction: 'desc' }],
    filters: [
      { isGroup: false, logicalOp: 'and', columnId: column.id, operator: 'eq', value: 'two', children: [] },
    ],
  };
  const { body } = await backups.send(await archiveOf({ tables: [{ ...table, views: [view] }] }));
  await backups.begin(body, 'Without stars');
  const { state, notes, project_id } = await backups.ended(body);
  const id = project_id ?? '';
  expect({ state, notes }).toMatchObject({
    state: 'done',
    notes: [
      { code: 'RESTORE_LEFT_ADDITION', params: { table: 'Things', view: 'Things', addition: 'stars' } },
    ],
  });
  const { body: tables } = await ann.get<{ list: readonly TableEntity[] }>(
    `/api/v1/db/meta/projects/${id}/tables`,
  );
  const { body: restored } = await ann.get<ViewList>(
    `/api/v1/db/meta/tables/${tables.list[0]?.id ?? ''}/views`,
  );
  const { frozenColumns, additions } = restored.list[0]?.meta ?? {};
  expect({ frozenColumns, additions }).toEqual({
    frozenColumns: 2,
    additions: { 'row-colors': { rules: [] } },
  });
  const { body: page } = await ann.get<{ list: readonly object[] }>(
    `/api/v1/db/data/noco/${id}/Things/views/${restored.list[0]?.id ?? ''}`,
  );
  expect(page.list).toMatchObject([{ Name: 'two' }]);
  const { body: sorts } = await ann.get(`/api/v1/db/meta/views/${restored.list[0]?.id ?? ''}/sorts`);
  expect(JSON.stringify(sorts)).toContain('"desc"');
});

test('a button whose webhook is not in the backup comes back without it', async () => {
  const backups = backupsOf(ann);
  const button = {
    ...column,
    id: 'cl_00000000000003',
    title: 'Send',
    columnName: '',
    type: 'Button',
    meta: { action: 'run', label: 'Go', operation: 'webhooks.send', choice: 'hk_00000000000001' },
  };
  const off = {
    ...button,
    id: 'cl_00000000000004',
    title: 'Star',
    meta: { ...button.meta, operation: 'stars.give' },
  };
  const { body } = await backups.send(
    await archiveOf({ tables: [{ ...table, columns: [key, column, button, off] }] }),
  );
  await backups.begin(body, 'With buttons');
  const { state, notes, project_id } = await backups.ended(body);
  const id = project_id ?? '';
  expect({ state, notes }).toMatchObject({
    state: 'done',
    notes: ['Send', 'Star'].map((title) => ({
      code: 'RESTORE_CHANGED_COLUMN',
      params: { table: 'Things', column: title },
    })),
  });
  const { body: tables } = await ann.get<{ list: readonly TableEntity[] }>(
    `/api/v1/db/meta/projects/${id}/tables`,
  );
  const { body: made } = await ann.get<TableEntity>(`/api/v1/db/meta/tables/${tables.list[0]?.id ?? ''}`);
  const [send, star] = ['Send', 'Star'].map((title) => made.columns?.find((of) => of.title === title));
  expect(send?.meta).toMatchObject({ ...button.meta, choice: '' });
  expect(star?.meta).toMatchObject({ ...off.meta, choice: '' });
  const press = `/api/v1/plugins/columns-formula/columns/${send?.id ?? ''}/press`;
  expect(await ann.post(press, { rowKey: '1' })).toMatchObject({ status: 404, body: { code: 'HOOK_GONE' } });
});

test('a restore that is cancelled leaves no project', async () => {
  const backups = backupsOf(ann);
  const many = Array.from(
    { length: 60_000 },
    (_, index) => `[${index + 1},"row ${index + 1} ${Math.random()}"]\n`,
  ).join('');
  const { body } = await backups.send(await archiveOf({}, { 'rows/001 Things.jsonl': many }));
  await backups.begin(body, 'Cancelled');
  while ((await backups.read(body.id)).progress?.done === undefined) continue;
  expect(await projects(ann)).toContain('Cancelled');
  await ann.post(`${restoresPath}/${body.id}/cancel`, undefined);
  expect(await backups.ended(body)).toMatchObject({ state: 'cancelled' });
  expect(await projects(ann)).not.toContain('Cancelled');
});

test('a backup that waits is its sender’s alone, and only so many wait', async () => {
  const backups = backupsOf(bob);
  const archive = await archiveOf();
  const { body } = await backups.send(archive);
  for (const call of [
    ann.get(`${restoresPath}/${body.id}`),
    ann.delete(`${restoresPath}/${body.id}`),
    ann.post(`${restoresPath}/${body.id}/cancel`, undefined),
    ann.post(`${restoresPath}/${body.id}/start`, { title: 'Mine' }),
  ])
    expect((await call).status).toBe(404);
  const more: RestoreEntity[] = [];
  for (let count = 1; count < 5; count += 1) more.push((await backups.send(archive)).body);
  expect(await backups.send(archive)).toMatchObject({ status: 429, body: { code: 'RESTORE_MANY' } });
  for (const { id } of [body, ...more]) expect((await bob.delete(`${restoresPath}/${id}`)).status).toBe(200);
  expect((await backups.send(archive)).status).toBe(200);
});
