import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccessServiceToken, TasksToken } from '@trellis/sdk/server';
import type { TableEntity, ViewList } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { ZipFile } from 'yazl';
import type { RestoreEntity } from '../../plugins/schedules/shared/index.ts';
import { backupsOf, restoresPath } from '../../plugins/schedules/testing/backups.ts';
import { servedRoutes } from './served-routes.ts';

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

/** The archive whose directory says another size of a file once it is unpacked. */
function withSize(archive: Buffer, path: string, bytes: number): Buffer {
  const changed = Buffer.from(archive);
  const [beforeName, unpackedAt] = [46, 24];
  changed.writeUInt32LE(bytes, changed.lastIndexOf(path) - beforeName + unpackedAt);
  return changed;
}

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

test('the audit of a project tells that it was backed up, and of what backup one was made', async () => {
  const lines = async (projectId: string | null) =>
    (
      await ann.get<{ list: readonly { op_sub_type: string; description: string; user: string }[] }>(
        `/api/v1/db/meta/projects/${projectId ?? ''}/audits?op_type=PROJECT`,
      )
    ).body.list.filter(({ op_sub_type }) => op_sub_type.includes('ZIP'));
  const { body: project } = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Audited' });
  const backups = backupsOf(ann);
  const { archive } = await backups.backup(project.id);
  const { body } = await backups.send(archive);
  // Nothing was made of it yet.
  expect(await lines(project.id)).toMatchObject([
    {
      op_type: 'PROJECT',
      op_sub_type: 'EXPORT_TO_ZIP',
      user: 'ann@example.com',
      project_id: project.id,
      description: expect.stringMatching(/^The project was backed up as Audited .*\.zip$/),
    },
  ]);
  await backups.begin(body, 'Audited again');
  const { state, project_id: made } = await backups.ended(body);
  expect(state).toBe('done');
  expect(await lines(made)).toMatchObject([
    {
      op_type: 'PROJECT',
      op_sub_type: 'IMPORT_FROM_ZIP',
      user: 'ann@example.com',
      project_id: made,
      description: 'The project was made of a backup of Audited',
    },
  ]);
  expect(await lines(project.id)).toHaveLength(1);
});

test('what is no backup, or would unpack to too much, is refused as it comes', async () => {
  const backups = backupsOf(ann);
  const good = await archiveOf();
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
    [
      'RESTORE_UNPACKS',
      await zipped({
        'trellis.json': `${JSON.stringify(about).slice(0, -1)},"pad":[${'{},'.repeat(2_000_000)}{}]}`,
      }),
    ],
    [
      'RESTORE_UNPACKS',
      withSize(await archiveOf({}, { 'rows/002 bomb.jsonl': 'x' }), 'rows/002 bomb.jsonl', 4_000_000_000),
    ],
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

test('a cell of a backup is as long as anybody might have typed it: longer ones are left out and told', async () => {
  const backups = backupsOf(ann);
  const before = await projects(ann);
  const long = { ...column, type: 'LongText' };
  const sent = async (cell: string) =>
    backups.send(
      await archiveOf(
        { tables: [{ ...table, columns: [key, long] }] },
        { 'rows/001 Things.jsonl': `[1,"one"]\n[2,${cell}]\n` },
      ),
    );
  const { body: whole } = await sent(`"${'x'.repeat(1_000_000)}"`);
  await backups.begin(whole, 'Whole cell');
  expect(await backups.ended(whole)).toMatchObject({ state: 'done', notes: [] });
  const { body: longer } = await sent(`"${'x'.repeat(24_000_000)}"`);
  await backups.begin(longer, 'Long cell');
  expect(await backups.ended(longer)).toMatchObject({
    state: 'done',
    notes: [{ code: 'RESTORE_LEFT_VALUES', params: { table: 'Things', column: 'Name', count: 1 } }],
  });
  const { body: many } = await sent(`[${'{},'.repeat(1_000_000)}{}]`);
  await backups.begin(many, 'Cell of many');
  expect(await backups.ended(many)).toMatchObject({ state: 'failed', message: { code: 'RESTORE_DAMAGED' } });
  expect(await projects(ann)).toEqual(expect.arrayContaining([...before, 'Whole cell', 'Long cell']));
  expect(await projects(ann)).not.toContain('Cell of many');
});

test('links to rows that are not in the backup are left out, and everything else is there', async () => {
  const other = { ...table, id: 'md_00000000000002', title: 'Parts', tableName: 'parts' };
  const tie = { ...table, id: 'md_00000000000003', title: 'between', tableName: 'between', junction: true };
  const col = (id: string, title: string, more: object) => ({
    ...column,
    id,
    title,
    columnName: title,
    ...more,
  });
  const shown = { type: 'LinkToAnotherRecord', columnName: '' };
  const named = { type: 'ForeignKey' };
  const partKey = 'cl_00000000000011';
  const [thingOfPart, thingOfTie, partOfTie] = [
    'cl_00000000000012',
    'cl_00000000000021',
    'cl_00000000000022',
  ];
  const link = (id: string, inverseId: string, kind: string, ends: object) => ({
    id,
    inverseId,
    kind,
    ...ends,
  });
  const toThings = { tableId: other.id, toTableId: table.id, toColumnIds: [key.id] };
  const toParts = { tableId: table.id, toTableId: other.id, columnIds: [key.id] };
  const through = (from: string, to: string) => ({
    through: { tableId: tie.id, columnIds: [from], toColumnIds: [to] },
  });
  const tables = [
    {
      ...table,
      columns: [
        key,
        column,
        col('cl_00000000000003', 'Parts', { ...shown, linkId: 'ln_00000000000002' }),
        col('cl_00000000000004', 'Uses', { ...shown, linkId: 'ln_00000000000004' }),
      ],
      links: [
        link('ln_00000000000002', 'ln_00000000000001', 'hasMany', { ...toParts, toColumnIds: [thingOfPart] }),
        link('ln_00000000000004', 'ln_00000000000003', 'manyToMany', {
          ...toParts,
          toColumnIds: [partKey],
          ...through(thingOfTie, partOfTie),
        }),
      ],
    },
    {
      ...other,
      columns: [
        { ...key, id: partKey },
        col(thingOfPart, 'things_id', named),
        col('cl_00000000000013', 'Thing', { ...shown, linkId: 'ln_00000000000001' }),
        col('cl_00000000000014', 'Used by', { ...shown, linkId: 'ln_00000000000003' }),
      ],
      links: [
        link('ln_00000000000001', 'ln_00000000000002', 'belongsTo', {
          ...toThings,
          columnIds: [thingOfPart],
        }),
        link('ln_00000000000003', 'ln_00000000000004', 'manyToMany', {
          ...toThings,
          columnIds: [partKey],
          ...through(partOfTie, thingOfTie),
        }),
      ],
      rows: { ...table.rows, file: 'rows/2.jsonl', columns: [partKey, thingOfPart] },
    },
    {
      ...tie,
      columns: [
        col(thingOfTie, 'things_id', { ...named, primaryKey: true }),
        col(partOfTie, 'parts_id', { ...named, primaryKey: true }),
      ],
      rows: { ...table.rows, file: 'rows/3.jsonl', columns: [thingOfTie, partOfTie] },
    },
  ];
  const backups = backupsOf(ann);
  const archive = await archiveOf(
    { tables },
    { 'rows/2.jsonl': '[1,2]\n[2,99]\n', 'rows/3.jsonl': '[1,1]\n[99,2]\n[2,99]\n' },
  );
  const { body } = await backups.send(archive);
  await backups.begin(body, 'With holes');
  const { state, message, notes, project_id: id } = await backups.ended(body);
  expect({ state, message, notes }).toMatchObject({
    message: null,
    state: 'done',
    notes: [
      { code: 'RESTORE_LEFT_KEYS', params: { table: 'Parts', column: 'Thing', count: 1 } },
      { code: 'RESTORE_LEFT_ROWS', params: { count: 2 } },
    ],
  });
  const { body: page } = await ann.get<{ list: readonly object[] }>(
    `/api/v1/db/data/noco/${id ?? ''}/Parts?fields=*`,
  );
  expect(page.list).toMatchObject([
    { Id: 1, Thing: { Name: 'two' }, 'Used by': [{ Name: 'one' }] },
    { Id: 2, Thing: null, 'Used by': [] },
  ]);
});

test('a restore goes on where the call that began it was cut off after its task was made', async () => {
  const { body } = await backupsOf(ann).send(await archiveOf());
  const { body: project } = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Cut off' });
  const { body: me } = await ann.get<{ id: string }>('/api/v1/auth/user/me');
  const { container } = server.host;
  const principal = { kind: 'user', id: me.id, email: 'ann@example.com', accountRoles: ['super'] } as const;
  const scope = await container.get(AccessServiceToken).scopeFor(principal, project.id, 'test');
  const tasks = container.get(TasksToken);
  const input = { kind: 'schedules.restore', title: 'Restore', payload: { restoreId: body.id } };
  const task = await tasks.start(scope, input);
  await tasks.ended(scope, task.id);
  expect(await backupsOf(ann).read(body.id)).toMatchObject({ state: 'done', project_id: project.id });
});

test('a backup may be sent over a slow line for ten minutes', () => {
  const sends = servedRoutes(server).filter(
    ({ bodyKind, path }) => bodyKind === 'raw' && path === restoresPath,
  );
  expect(sends.map(({ seconds }) => seconds)).toEqual([600]);
});

test('a restore that is begun twice at the same moment makes one project', async () => {
  const { body } = await backupsOf(ann).send(await archiveOf());
  const before = (await projects(ann)).length;
  const begun = await Promise.all([1, 2].map((time) => backupsOf(ann).begin(body, `Twice ${time}`)));
  expect(begun.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await backupsOf(ann).ended(body)).toMatchObject({ state: 'done' });
  expect(await projects(ann)).toHaveLength(before + 1);
});

test('a backup that is removed at the moment its restore begins leaves no project behind', async () => {
  const backups = backupsOf(ann);
  const archive = await archiveOf();
  for (let round = 0; round < 12; round += 1) {
    const { body } = await backups.send(archive);
    const before = (await projects(ann)).length;
    const begun = backups.begin(body, `Removed ${round}`);
    await new Promise((resolve) => setTimeout(resolve, round));
    const removed = await Promise.all(
      Array.from({ length: 3 }, () => ann.delete(`${restoresPath}/${body.id}`)),
    );
    const { status } = await begun;
    const isGone = removed.some((answer) => answer.status === 200);
    if (status === 200) await backups.ended(body);
    const made = (await projects(ann)).length - before;
    expect([200, 404]).toContain(status);
    expect({ status, made }).toEqual({ status, made: status === 200 ? 1 : 0 });
    if (!isGone) await ann.delete(`${restoresPath}/${body.id}`);
  }
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

test('backups that are sent at the same moment pass no more than may wait', async () => {
  const carl = await server.signUp('carl@example.com');
  const { body: me } = await carl.get<{ id: string }>('/api/v1/auth/user/me');
  await ann.patch(`/api/v1/users/${me.id}`, { is_super: true });
  const archive = await archiveOf();
  const sent = await Promise.all(Array.from({ length: 9 }, () => backupsOf(carl).send(archive)));
  const statuses = sent.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429]);
  const kept = sent.find(({ status }) => status === 200)?.body.id ?? '';
  expect((await carl.delete(`${restoresPath}/${kept}`)).status).toBe(200);
  expect((await backupsOf(carl).send(archive)).status).toBe(200);
});

test('somebody who sends one file after the other is told to wait, and nobody else is', async () => {
  const dora = await server.signUp('dora@example.com');
  const { body: me } = await dora.get<{ id: string }>('/api/v1/auth/user/me');
  await ann.patch(`/api/v1/users/${me.id}`, { is_super: true });
  const file = Buffer.from('no archive');
  let answer = await backupsOf(dora).send(file);
  // At most two windows of the limit.
  for (let count = 1; count < 121 && answer.status === 400; count += 1)
    answer = await backupsOf(dora).send(file);
  expect(answer).toMatchObject({ status: 429, body: { code: 'TOO_MANY_TRIES' } });
  expect(await backupsOf(bob).send(file)).toMatchObject({ status: 400, body: { code: 'RESTORE_NO_BACKUP' } });
});

test('only so many backups of one person wait, also where two servers take them at the same moment', async () => {
  const other = await createTestServer({ dataDir: server.dataDir });
  try {
    const credentials = { email: 'bob@example.com', password: 'Password-1' };
    const { body } = await other.client.post<{ token: string }>('/api/v1/auth/user/signin', credentials);
    const senders = [backupsOf(bob), backupsOf(other.client.with({ token: body.token }))];
    const archive = await archiveOf();
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => senders.map((backups) => backups.send(archive))).flat(),
    );
    const kept = sent.filter(({ status }) => status === 200);
    expect(kept.length).toBeLessThanOrEqual(5);
    for (const { body: made } of kept) await bob.delete(`${restoresPath}/${made.id}`);
  } finally {
    await other.dispose();
  }
});
