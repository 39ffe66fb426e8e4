import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  defineServerPlugin,
  RowStoreToken,
  SchemaStoreToken,
  type ButtonPress,
} from '@trellis/sdk/server';
import type { ColumnEntity, Row, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const presses: ButtonPress[] = [];

/** Writes to the row that a button stands in, and has an operation that is none for buttons. */
const approvals = {
  manifest: {
    id: 'approvals',
    name: 'Approvals',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '*' },
    sdk: 1,
    enabledByDefault: true,
    contributes: { operations: [{ id: 'approve' }, { id: 'look' }, { id: 'stopEverything' }] },
  },
  server: defineServerPlugin({
    setup(ctx) {
      ctx.register('operations', {
        id: 'approve',
        summary: 'Approve a row',
        permission: 'dataUpdate',
        button: { label: 'Approve the row' },
        async run({ input, scope }) {
          const { tableId, rowKey } = input as ButtonPress;
          const handle = await ctx.get(SchemaStoreToken).open(scope, tableId);
          await ctx.get(RowStoreToken).update(handle, rowKey, { Title: 'approved' });
        },
      });
      ctx.register('operations', {
        id: 'look',
        summary: 'Look at a row',
        permission: 'dataRead',
        button: { label: 'Look at the row' },
        run({ input }) {
          presses.push(input as ButtonPress);
          return Promise.resolve();
        },
      });
      ctx.register('operations', {
        id: 'stopEverything',
        summary: 'Is no act on a row',
        permission: 'dataRead',
        run: () => Promise.reject(new Error('It must not run.')),
      });
    },
  }),
};

function describeButtons(name: string, start: () => Promise<TestServer>): void {
  describe(`buttons on ${name}`, () => {
    let server: TestServer;
    let owner: TestClient;
    let viewer: TestClient;
    let stranger: TestClient;
    let project: string;
    let table: TableEntity;
    const rows = '/api/v1/db/data/noco/Office/Letters';
    const press = (client: TestClient, column: ColumnEntity, rowKey = '1') =>
      client.post(`/api/v1/plugins/columns-formula/columns/${column.id}/press`, { rowKey });

    const addButton = (title: string, meta: object) =>
      owner.post<TableEntity & { msg?: string }>(`/api/v1/db/meta/tables/${table.id}/columns`, {
        title,
        column_name: title.toLowerCase(),
        uidt: 'Button',
        meta,
      });

    async function button(title: string, meta: object): Promise<ColumnEntity> {
      const { status, body } = await addButton(title, meta);
      expect({ status, msg: body.msg }).toEqual({ status: 200, msg: undefined });
      const made = body.columns?.find((of) => of.title === title);
      if (made === undefined) throw new Error(`There is no column ${title}.`);
      return made;
    }

    beforeAll(async () => {
      server = await start();
      owner = await server.signUp('owner@example.com');
      viewer = await server.signUp('viewer@example.com');
      stranger = await server.signUp('stranger@example.com');
      project = (await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Office' })).body.id;
      const me = await viewer.get<{ id: string }>('/api/v1/auth/user/me');
      await server.host.container.get(AccessServiceToken).grant(project, me.body.id, 'viewer');
      const made = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${project}/tables`, {
        title: 'Letters',
        table_name: 'letters',
        columns: [
          { title: 'Id', column_name: 'id', uidt: 'ID' },
          { title: 'Title', column_name: 'title', uidt: 'SingleLineText' },
        ],
      });
      table = made.body;
      await owner.post(rows, { Title: 'a & b' });
    });
    afterAll(() => server?.dispose());

    test('of links give the address that their formula makes of the row, and store nothing', async () => {
      const open = await button('Open', {
        action: 'link',
        label: 'Search',
        formula: '"https://example.com/?q=" & ENCODE_URL({Title})',
      });
      expect((await viewer.get<Row>(`${rows}/1`)).body.Open).toBe('https://example.com/?q=a%20%26%20b');
      expect((open.meta as { formula: string }).formula).toContain(`{{`);
      expect(open).toMatchObject({ virtual: true });
      await owner.patch(`${rows}/1`, { Open: 'https://evil.example' });
      expect((await owner.get<Row>(`${rows}/1`)).body.Open).toBe('https://example.com/?q=a%20%26%20b');
      // A button of a link has nothing to run.
      expect(await press(owner, open)).toMatchObject({ status: 404 });
    });

    test('have no order to sort or group rows by', async () => {
      const { id } = await button('Ordered', { action: 'link', formula: '{Title}' });
      const by = encodeURIComponent(JSON.stringify([{ fk_column_id: id }]));
      const ids = `/api/v1/db/data/v1/${project}/${table.id}`;
      for (const path of [`${rows}?sort=-Ordered`, `${ids}/groups?groupArrJson=${by}`])
        expect(await owner.get(path)).toMatchObject({
          status: 400,
          body: { code: 'COLUMN_WITHOUT_ORDER', params: { column: 'Ordered' } },
        });
    });

    test('of a broken formula or of nothing to do are refused in words', async () => {
      expect(await addButton('Bad', { action: 'link', formula: '"a" & {Nowhere}' })).toMatchObject({
        status: 400,
        body: { msg: "There is no column 'Nowhere'" },
      });
      for (const operation of ['', 'nothing', 'stopEverything'])
        expect(await addButton('Bad', { action: 'run', operation })).toMatchObject({
          status: 400,
          body: { msg: `'${operation}' is nothing that a button can do.` },
        });
    });

    test('offer what plugins bring for them to whoever makes columns', async () => {
      const path = `/api/v1/plugins/columns-formula/projects/${project}/button-operations`;
      expect((await owner.get(path)).body).toEqual({
        list: [
          { id: 'automations.run', label: 'Run automations' },
          { id: 'webhooks.send', label: 'Send the row to a webhook', choice_label: 'Webhook' },
          { id: 'approve', label: 'Approve the row' },
          { id: 'look', label: 'Look at the row' },
        ],
      });
      expect((await viewer.get(path)).status).toBe(403);
    });

    test('are pressed by whoever has the rights that the operation asks for', async () => {
      const look = await button('Look', { action: 'run', operation: 'look' });
      const approve = await button('Approve', { action: 'run', operation: 'approve' });
      expect((await press(viewer, look)).status).toBe(200);
      expect(presses.at(-1)).toMatchObject({
        projectId: project,
        tableId: table.id,
        columnId: look.id,
        rowKey: '1',
        row: { Id: 1, Title: 'a & b' },
      });
      expect((await press(viewer, approve)).status).toBe(403);
      expect((await owner.get<Row>(`${rows}/1`)).body.Title).toBe('a & b');
      expect((await press(owner, approve)).status).toBe(200);
      expect((await owner.get<Row>(`${rows}/1`)).body.Title).toBe('approved');
      expect((await press(owner, approve, '99')).status).toBe(404);
      expect((await press(stranger, look)).status).toBeGreaterThanOrEqual(403);
      expect((await press(server.client, look)).status).toBe(401);
    });

    test('stay while the plugin of their operation is off, and say so when pressed', async () => {
      const column = await button('Later', { action: 'run', operation: 'look' });
      await server.host.plugins.disable('approvals', { cascade: [] });
      expect(await press(owner, column)).toMatchObject({ status: 501 });
      expect((await owner.get<Row>(`${rows}/1`)).body.Later).toBeNull();
      await server.host.plugins.enable('approvals');
      expect((await press(owner, column)).status).toBe(200);
    });
  });
}

describeButtons('sqlite', () => createTestServer({ plugins: [approvals] }));

describeEachServer('on a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeButtons(dialect, async () => createTestServer({ plugins: [approvals], database: databases }));
});
