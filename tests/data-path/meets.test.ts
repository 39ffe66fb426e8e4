import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  defineServerPlugin,
  meets,
  RowStoreToken,
  SchemaStoreToken,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { CellValue, FilterNode, Row } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let held: ServerPluginContext | undefined;
const observer = {
  manifest: {
    id: 'observer',
    name: 'Observer',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '>=0.1.0' },
    sdk: 1,
    enabledByDefault: true,
  },
  server: defineServerPlugin({
    setup(ctx) {
      held = ctx;
    },
  }),
};

describe('conditions of changes mean what filters of views mean', () => {
  let server: TestServer;
  let ann: TestClient;
  let projectId = '';
  let tableId = '';

  beforeAll(async () => {
    server = await createTestServer({ plugins: [observer] });
    ann = await server.signUp('ann@example.com');
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    projectId = project.body.id;
    const table = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Price', uidt: 'Decimal' },
        { title: 'Count', uidt: 'Number' },
        { title: 'Sold', uidt: 'Checkbox' },
        { title: 'Day', uidt: 'Date' },
      ],
    });
    tableId = table.body.id;
    await ann.post('/api/v1/db/data/bulk/v1/Shop/Things', [
      { Name: 'Chair', Price: '9.90', Count: 10, Sold: true, Day: '2026-01-02' },
      { Name: 'chair', Price: '10', Count: 9, Sold: false, Day: '2026-10-01' },
      { Name: '', Price: '-3', Count: 0 },
      { Name: 'armchair 100%', Price: '100', Count: 100, Day: '1999-12-31' },
      {},
    ]);
  });
  afterAll(() => server?.dispose());

  const conditions: readonly (readonly [string, string, CellValue | undefined])[] = [
    ...(['eq', 'neq', 'like', 'nlike', 'gt', 'lte'] as const).map((op) => ['Name', op, 'chair'] as const),
    ['Name', 'like', '%air'],
    ['Name', 'like', 'c%r'],
    ['Name', 'in', 'Chair,chair'],
    ...(['empty', 'notempty', 'null', 'notnull'] as const).map((op) => ['Name', op, undefined] as const),
    ...(['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const).map((op) => ['Price', op, '10.0'] as const),
    ['Price', 'btw', '-3,9.9'],
    ['Price', 'nbtw', '-3,9.9'],
    ['Count', 'gt', 9],
    ['Count', 'in', '9,10'],
    ['Count', 'null', undefined],
    ['Sold', 'eq', true],
    ['Sold', 'eq', false],
    ['Sold', 'neq', true],
    ['Day', 'gt', '2026-01-02'],
    ['Day', 'lte', '2026-01-02'],
    ['Day', 'notnull', undefined],
  ];

  test.each(conditions)('%s %s %s', async (title, operator, value) => {
    if (held === undefined) throw new Error('The plugin did not start.');
    const scope = held.get(AccessServiceToken).systemScope(projectId, 'test');
    const handle = await held.get(SchemaStoreToken).open(scope, tableId);
    const rows = held.get(RowStoreToken);
    const { table } = handle;
    const columnId = table.columnByTitle.get(title)?.id ?? '';
    const filters: readonly FilterNode[] = [
      { kind: 'condition', logicalOp: 'and', columnId, operator, value },
    ];
    const condition = await rows.conditionOf(handle, { filters, reader: scope.principal });
    if (condition === undefined) throw new Error('The filter asks nothing.');
    const page = { limit: 100, offset: 0 };
    const met = await rows.list(handle, { filters }, page);
    const kindOf = (id: string) => table.columnById.get(id)?.storage;
    const isMet = (row: Row) =>
      meets(condition, {
        kindOf,
        cells: new Map(table.columns.map((column) => [column.id, row[column.title] ?? null])),
      });
    const all = await rows.list(handle, {}, page);
    expect(all.filter(isMet).map(({ Id }) => Id)).toEqual(met.map(({ Id }) => Id));
  });
});
