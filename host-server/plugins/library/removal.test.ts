import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PluginEntity, PluginRemovalPlan, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import {
  createTestServer,
  type TestClient,
  type TestServer,
  type TestServerDatabases,
} from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../databases/testing.ts';
import { createStartedDatabases } from '../../testing.ts';

const contribution = { id: 'Colour', label: 'Colour', storage: 'string', fallback: 'SingleLineText' };

/** A column type in plain JavaScript, with a table, a value and settings of its own. */
const code = `
const type = {
  id: 'Colour', label: 'Colour', icon: 'palette', storage: 'string', accepts: ['string', 'text'], fallback: 'SingleLineText',
  operators: ['eq'],
  parse: (input) => input === null || input === '' ? { ok: true, value: null }
    : /^#[0-9a-f]{6}$/.test(input) ? { ok: true, value: input } : { ok: false, message: 'must be a colour' },
  format: (value) => value ?? '',
  examples: [{ input: '#1971c2', value: '#1971c2' }], invalid: ['blue'],
};
const near = { id: 'near', label: 'is near', arity: 'one', appliesTo: () => true,
  build: ({ column, value, literal }) => ({ kind: 'compare', comparison: 'eq', left: column, right: literal(value) }) };
export default {
  migrations: [{ id: '1', up: (schema) => schema.createTable('palettes', {
    columns: { name: { kind: 'string', length: 50, required: true }, size: { kind: 'integer' } }, key: ['name'] }) }],
  async setup(ctx) {
    ctx.register('columnTypes', type);
    if (type.id === "Colour") ctx.register('filterOperators', near);
    if (type.id === "Colour") ctx.register('aggregations', { id: 'last-colour', label: 'Last colour', accepts: 'any', format: 'column',
      build: (column) => ({ kind: 'aggregate', aggregate: 'max', of: column }) });
    if (await ctx.kv.get('motto') === 'out of paint') throw new Error('out of paint');
    await ctx.kv.set('greeting', 'hello');
    await ctx.db.write(async (unit) => {
      const known = await unit.first(unit.table('palettes').where({ name: 'sea' }));
      if (known === undefined) await unit.run(unit.table('palettes').insert({ name: 'sea', size: 7 }));
    });
  },
};`;

/** What the plugin asks for. */
const agreed = { consent: { tables: ['palettes'] } };

function suite(database?: TestServerDatabases): void {
  let dataDir: string;
  let server: TestServer;
  let owner: TestClient;
  let table: TableEntity;

  async function write(
    id: string,
    text: string,
    { contributes, ...more }: { readonly contributes?: object; readonly [key: string]: unknown },
  ): Promise<void> {
    const folder = join(dataDir, 'plugins', id, '1.0.0');
    await mkdir(join(folder, 'dist/server'), { recursive: true });
    const manifest = {
      id,
      name: id,
      version: '1.0.0',
      category: 'app',
      engines: { trellis: '*' },
      sdk: 1,
      contributes: { tables: ['palettes'], ...contributes },
      ...more,
    };
    await writeFile(join(folder, 'plugin.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'dist/server/index.js'), text);
  }

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trellis-removal-'));
    const settings = {
      type: 'object',
      properties: { key: { type: 'string', format: 'secret' }, size: { type: 'integer' } },
    };
    await write('colours', code, {
      contributes: {
        columnTypes: [contribution],
        filterOperators: [{ id: 'near', label: 'is near' }],
        aggregations: [{ id: 'last-colour', label: 'Last colour' }],
      },
      settings,
    });
    server = await createTestServer({ dataDir, ...(database !== undefined && { database }) });
    owner = await server.signUp();
    await owner.post(`${store}/plugins/colours/enable`, agreed);
    await owner.put(`${store}/plugins/colours/settings`, { input: { key: 'hidden', size: 3 } });
    const project = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Walls' });
    ({ body: table } = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Rooms',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Wall', uidt: 'Colour' },
        { title: 'Floor', uidt: 'Colour' },
      ],
    }));
    await owner.post(rows, { Wall: '#1971c2', Floor: '#2f9e44' });
  });
  afterEach(async () => {
    await server.dispose();
    await rm(dataDir, { recursive: true, force: true });
  });

  const store = '/api/v1/app-store';
  const rows = '/api/v1/db/data/noco/Walls/Rooms';
  const plan = async () => (await owner.get<PluginRemovalPlan>(`${store}/plugins/colours/removal`)).body;
  const remove = (body: object = {}) =>
    owner.post<{ code?: string }>(`${store}/plugins/colours/remove`, body);
  /** Changes the first column that has a type of the plugin. */
  const release = async (id = 'colours') => {
    const { body } = await owner.get<PluginRemovalPlan>(`${store}/plugins/${id}/removal`);
    return owner.post<{ left?: number; code?: string }>(`${store}/plugins/${id}/release-column`, {
      column: body.columns[0]?.id,
    });
  };
  const card = async () => {
    const { body } = await owner.get<{ list: readonly PluginEntity[] }>(`${store}/plugins`);
    return body.list.find(({ id }) => id === 'colours');
  };
  const types = async () => {
    const { body } = await owner.get<TableEntity>(`/api/v1/db/meta/tables/${table.id}`);
    return body.columns?.map(({ title, uidt }) => `${title} ${uidt}`);
  };

  test('what it would take along is counted, columns first become what they fall back to, and then nothing of it is left', async () => {
    expect(await plan()).toMatchObject({
      columns: [
        { title: 'Floor', table: 'Rooms', project: 'Walls', type: 'Colour', fallback: 'SingleLineText' },
        { title: 'Wall' },
      ],
      tables: [{ name: 'palettes', rows: 1 }],
      values: 1,
      hasSettings: true,
      dependents: [],
    });
    expect((await remove()).body.code).toBe('PLUGIN_HAS_COLUMNS');
    expect((await release()).body).toMatchObject({ left: 1 });
    expect((await release()).body).toMatchObject({ left: 0 });
    expect(await types()).toEqual(expect.arrayContaining(['Wall SingleLineText', 'Floor SingleLineText']));
    expect((await remove()).status).toBe(200);
    expect(await card()).toBeUndefined();
    await expect(access(join(dataDir, 'plugins/colours'))).rejects.toThrow('ENOENT');
    expect((await owner.get(rows)).body).toMatchObject({ list: [{ Wall: '#1971c2', Floor: '#2f9e44' }] });
    expect((await owner.post(rows, { Wall: 'blue' })).status).toBe(200);
    // Installed again, it begins anew: its migration runs, its table is empty, and nobody has decided about it.
    await write('colours', code, { contributes: { columnTypes: [contribution] } });
    expect((await owner.post(`${store}/rescan`)).body).toMatchObject({ added: ['colours'] });
    expect((await owner.post(`${store}/plugins/colours/enable`, agreed)).status).toBe(200);
    expect(await plan()).toMatchObject({ columns: [], tables: [{ name: 'palettes', rows: 1 }], values: 1 });
  });

  test('filters by its comparisons are named and taken out, of locked views and groups too, so that the rows can be read', async () => {
    const views = await owner.get<{ list: readonly ViewEntity[] }>(
      `/api/v1/db/meta/tables/${table.id}/views`,
    );
    const [view] = views.body.list;
    const path = `/api/v1/db/meta/views/${view?.id}`;
    const wall = table.columns?.find(({ title }) => title === 'Wall')?.id;
    const near = { fk_column_id: wall, comparison_op: 'near', value: '#2f9e44' };
    const more = { fk_column_id: wall, comparison_op: 'eq', value: '#1971c2' };
    expect((await owner.post(`${path}/filters`, { is_group: true, children: [near, more] })).status).toBe(
      200,
    );
    expect((await owner.patch(path, { lock_type: 'locked' })).status).toBe(200);
    const ofView = `${rows}/views/${view?.id}`;
    expect((await owner.get(ofView)).body).toMatchObject({ list: [] });
    expect((await plan()).filters).toMatchObject([
      { operator: 'near', view: view?.title, table: 'Rooms', project: 'Walls' },
    ]);
    // A removal that is refused takes nothing out: the view would show rows that it hides.
    expect((await remove()).body.code).toBe('PLUGIN_HAS_COLUMNS');
    expect((await plan()).filters).toHaveLength(1);
    expect((await owner.get(ofView)).body).toMatchObject({ list: [] });
    // One that is off is asked for by what its manifest says.
    await owner.post(`${store}/plugins/colours/disable`);
    expect((await owner.get<{ code?: string }>(ofView)).body.code).toBe('FILTER_OPERATOR_DISABLED');
    expect((await plan()).filters).toHaveLength(1);
    expect((await remove({ releaseColumns: true })).status).toBe(200);
    expect((await owner.get(ofView)).body).toMatchObject({ list: [{ Wall: '#1971c2' }] });
    const { body: kept } = await owner.get(`${path}/filters`);
    expect(kept).toMatchObject([{ children: [{ comparison_op: 'eq' }] }]);
  });

  test('its data can be saved, without secrets, and kept for the time when it is installed again', async () => {
    const saved = await owner.get(`${store}/plugins/colours/data`);
    expect(saved.headers.get('content-disposition')).toContain('colours-data.json');
    expect(saved.body).toMatchObject({
      plugin: 'colours',
      version: '1.0.0',
      values: { greeting: 'hello' },
      tables: { palettes: [{ name: 'sea', size: 7 }] },
      settings: { size: 3 },
    });
    expect(JSON.stringify(saved.body)).not.toContain('hidden');
    expect((await remove({ keepData: true, leaveColumns: true })).status).toBe(200);
    expect(await types()).toEqual(expect.arrayContaining(['Wall Colour']));
    await write('colours', code, { contributes: { columnTypes: [contribution] } });
    await owner.post(`${store}/rescan`);
    expect(await plan()).toMatchObject({ tables: [{ name: 'palettes', rows: 1 }], values: 1 });
    expect((await owner.post(`${store}/plugins/colours/enable`, agreed)).status).toBe(200);
  });

  test('saved data is put back in one go into the same version, and nothing of what does not fit', async () => {
    const { body } = await owner.get<{ values: object }>(`${store}/plugins/colours/data`);
    const saved = {
      ...body,
      tables: { palettes: [{ name: 'sky', size: 1 }, { name: 'mud' }] },
      values: { ...body.values, motto: 'blue' },
    };
    const restore = async (content: unknown, id = 'colours') => {
      const form = new FormData();
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      form.append('archive', new Blob([text]), 'colours-data.json');
      const answer = await fetch(`${server.url}${store}/plugins/${id}/data`, {
        method: 'POST',
        headers: { 'xc-auth': owner.token ?? '' },
        body: form,
      });
      return { status: answer.status, body: (await answer.json()) as { readonly code?: string } };
    };
    expect((await remove({ releaseColumns: true })).status).toBe(200);
    await write('colours', code, { contributes: { columnTypes: [contribution] } });
    await owner.post(`${store}/rescan`);
    expect((await restore(saved)).body).toMatchObject({ code: 'PLUGIN_DATA_NO_TABLE' });
    expect((await owner.post(`${store}/plugins/colours/enable`, agreed)).status).toBe(200);
    const now = async () =>
      (await owner.get<{ tables: unknown; values: unknown }>(`${store}/plugins/colours/data`)).body;
    const fresh = { tables: { palettes: [{ name: 'sea', size: 7 }] }, values: { greeting: 'hello' } };
    expect(await now()).toMatchObject(fresh);
    // Its table is called as one of this plugin would be.
    await write('colours-more', code.replaceAll("'Colour'", "'Shade'"), {});
    await owner.post(`${store}/rescan`);
    expect((await owner.post(`${store}/plugins/colours-more/enable`, agreed)).status).toBe(200);
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const twice = [
      { name: 'sky', size: 1 },
      { name: 'sky', size: 2 },
    ];
    for (const [content, refusal] of [
      ['{', 'PLUGIN_DATA_INVALID'],
      [{ ...saved, tables: [] }, 'PLUGIN_DATA_INVALID'],
      [{ ...saved, plugin: 'others' }, 'PLUGIN_DATA_OTHER'],
      [{ ...saved, version: '0.9.0' }, 'PLUGIN_DATA_VERSION'],
      [{ ...saved, tables: { 'palettes"; --': [] } }, 'PLUGIN_DATA_NO_TABLE'],
      [{ ...saved, tables: { more_palettes: [{ name: 'mine', size: 0 }] } }, 'PLUGIN_DATA_NO_TABLE'],
      [{ ...saved, tables: { palettes: [{ name: 'sky', weight: 1 }] } }, 'PLUGIN_DATA_NO_COLUMN'],
      [{ ...saved, tables: { palettes: twice } }, 'PLUGIN_DATA_REFUSED'],
      [{ ...saved, tables: { palettes: [{ name: 'sky', size: 'large' }] } }, 'PLUGIN_DATA_INVALID'],
      [{ ...saved, tables: { palettes: [{ name: 'sky', size: 1.5 }] } }, 'PLUGIN_DATA_INVALID'],
      [{ ...saved, tables: { palettes: [{ name: 'sky', size: [1] }] } }, 'PLUGIN_DATA_INVALID'],
      [
        JSON.stringify({ ...saved, values: { motto: 'DEEP' } }).replace('"DEEP"', deep),
        'PLUGIN_DATA_INVALID',
      ],
      [
        JSON.stringify({ ...saved, tables: { palettes: [{ name: 'DEEP', size: 1 }] } }).replace(
          '"DEEP"',
          deep,
        ),
        'PLUGIN_DATA_INVALID',
      ],
    ] as const) {
      expect((await restore(content)).body).toMatchObject({ code: refusal });
      expect(await card()).toMatchObject({ state: 'enabled' });
      expect(await now()).toMatchObject(fresh);
    }
    expect((await restore(saved, 'sys-rows')).body.code).toBe('PLUGIN_NOT_REMOVABLE');
    // Nobody decides that it is off meanwhile: a server that ends there has it on again.
    const decided: unknown[] = [];
    const tap = server.host.hooks.tap('test', 'plugins.willDisable', (event) => void decided.push(event));
    expect((await restore(saved)).status).toBe(200);
    await tap.dispose();
    expect(decided).toEqual([]);
    expect(await card()).toMatchObject({ state: 'enabled' });
    // It was switched on again, and added what it adds then.
    const palettes = [
      { name: 'sea', size: 7 },
      { name: 'sky', size: 1 },
      { name: 'mud', size: null },
    ];
    expect(await now()).toMatchObject({
      tables: { palettes: expect.arrayContaining(palettes) },
      values: { greeting: 'hello', motto: 'blue' },
    });
    // What is back is back, also where the plugin does not get on with it.
    expect((await restore({ ...saved, values: { motto: 'out of paint' } })).status).toBe(200);
    expect(await card()).toMatchObject({ state: 'failed' });
    expect(await now()).toMatchObject({ values: { motto: 'out of paint' } });
  });

  test('those that need it go off only when they were named, and tables of one that is called alike are not its own', async () => {
    await write('colours-more', code.replaceAll("'Colour'", "'Shade'"), { dependencies: { colours: '*' } });
    await owner.post(`${store}/rescan`);
    await owner.post(`${store}/plugins/colours-more/enable`, agreed);
    expect(await plan()).toMatchObject({ dependents: ['colours-more'], tables: [{ name: 'palettes' }] });
    const leaveColumns = true;
    expect((await remove({ leaveColumns })).body.code).toBe('PLUGIN_HAS_DEPENDENTS');
    expect((await remove({ leaveColumns, cascade: ['colours-more'] })).status).toBe(200);
    const { body } = await owner.get<PluginRemovalPlan>(`${store}/plugins/colours-more/removal`);
    expect(body.tables).toEqual([{ name: 'palettes', rows: 1 }]);
  });

  test('a column changes though its cells do not fit, and keeps them in a column beside', async () => {
    const strict = code.replaceAll("'Colour'", "'Shade'").replace("'SingleLineText'", "'Number'");
    const shade = { id: 'Shade', label: 'Shade', storage: 'string', fallback: 'Number' };
    await write('shades', strict, { contributes: { columnTypes: [shade] } });
    await owner.post(`${store}/rescan`);
    await owner.post(`${store}/plugins/shades/enable`, agreed);
    await owner.post(`/api/v1/db/meta/tables/${table.id}/columns`, { title: 'Roof', uidt: 'Shade' });
    await owner.post(rows, { Roof: '#c92a2a' });
    expect((await release('shades')).body).toMatchObject({ left: 0 });
    expect(await types()).toContain('Roof Number');
  });

  test('tables that a removed plugin left for later are not those of one whose id begins like its own', async () => {
    await write('colours-more', code.replaceAll("'Colour'", "'Shade'"), {});
    await owner.post(`${store}/rescan`);
    await owner.post(`${store}/plugins/colours-more/enable`, agreed);
    await owner.post(`${store}/plugins/colours-more/remove`, { keepData: true });
    expect((await plan()).tables).toEqual([{ name: 'palettes', rows: 1 }]);
    expect((await remove({ leaveColumns: true })).status).toBe(200);
    await write('colours-more', code.replaceAll("'Colour'", "'Shade'"), {});
    await owner.post(`${store}/rescan`);
    const { body } = await owner.get<PluginRemovalPlan>(`${store}/plugins/colours-more/removal`);
    expect(body.tables).toEqual([{ name: 'palettes', rows: 1 }]);
  });

  test('one whose folder is gone is removed as well, and its columns still become what they fall back to', async () => {
    await rename(join(dataDir, 'plugins/colours'), join(dataDir, 'away'));
    await owner.post(`${store}/rescan`);
    expect((await plan()).columns).toHaveLength(2);
    await release();
    await release();
    expect(await types()).toEqual(expect.arrayContaining(['Wall SingleLineText', 'Floor SingleLineText']));
    expect((await remove()).status).toBe(200);
    expect(await card()).toBeUndefined();
    expect((await owner.get(rows)).body).toMatchObject({ list: [{ Wall: '#1971c2' }] });
  });

  // What follows reads and writes nothing that differs by database.
  if (database !== undefined) return;

  test('figures and rules of views that name what it brings are told of, of one that is off as well, and stay', async () => {
    const [view] = (
      await owner.get<{ list: readonly ViewEntity[] }>(`/api/v1/db/meta/tables/${table.id}/views`)
    ).body.list;
    const path = `/api/v1/db/meta/views/${view?.id}`;
    const wall = table.columns?.find(({ title }) => title === 'Wall')?.id ?? '';
    const columns = await owner.get<readonly { id: string; fk_column_id: string }[]>(`${path}/columns`);
    const shown = columns.body.find(({ fk_column_id: of }) => of === wall);
    const figure = { meta: { figure: 'last-colour' } };
    expect((await owner.patch(`${path}/columns/${shown?.id}`, figure)).status).toBe(200);
    const condition = {
      kind: 'condition',
      logicalOp: 'and',
      columnId: wall,
      operator: 'near',
      value: '#2f9e44',
    };
    const filters = [{ kind: 'group', logicalOp: 'and', children: [condition, condition] }];
    const rule = { id: 'r1', color: '#2d6fdb', filters };
    const colored = { meta: { additions: { 'row-colors': { rules: [rule] } } } };
    expect((await owner.patch(path, colored)).status).toBe(200);
    const place = { viewId: view?.id, view: view?.title, table: 'Rooms', project: 'Walls' };
    const inViews = [
      { registry: 'filterOperators', id: 'near', count: 2, ...place },
      { registry: 'aggregations', id: 'last-colour', count: 1, ...place },
    ];
    expect((await plan()).inViews).toEqual(inViews);
    await owner.post(`${store}/plugins/colours/disable`);
    await rename(join(dataDir, 'plugins/colours'), join(dataDir, 'away'));
    await owner.post(`${store}/rescan`);
    expect((await plan()).inViews).toEqual(inViews);
    expect((await remove({ releaseColumns: true })).status).toBe(200);
    const { body: kept } = await owner.get<{ list: readonly ViewEntity[] }>(
      `/api/v1/db/meta/tables/${table.id}/views`,
    );
    expect(kept.list).toMatchObject([colored]);
  });

  test('its columns become what they fall back to in the same task where that is asked for', async () => {
    expect((await remove({ releaseColumns: true })).status).toBe(200);
    expect(await types()).toEqual(expect.arrayContaining(['Wall SingleLineText', 'Floor SingleLineText']));
    expect(await card()).toBeUndefined();
    const { body } = await owner.get<{ list: readonly object[] }>(`${store}/tasks`);
    expect(body.list).toEqual([]);
  });

  test('a built-in one stays, and nobody but the super admin removes any', async () => {
    expect((await owner.post<{ code?: string }>(`${store}/plugins/column-rating/remove`)).body.code).toBe(
      'PLUGIN_NOT_REMOVABLE',
    );
    const other = await server.signUp();
    expect((await other.post(`${store}/plugins/colours/remove`)).status).toBe(403);
    expect((await other.get(`${store}/plugins/colours/data`)).status).toBe(403);
  });
}

describe('removing a plugin, with SQLite', () => {
  suite();
});

describeEachServer('removing a plugin', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  suite(databases);
});
