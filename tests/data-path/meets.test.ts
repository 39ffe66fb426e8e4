import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  defineServerPlugin,
  RowStoreToken,
  SchemaStoreToken,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import {
  meets,
  meetsFilters,
  TrellisError,
  type CellValue,
  type ColumnTypeDefinition,
  type FilterColumn,
  type FilterNode,
  type FilterOperator,
  type Row,
} from '@trellis/sdk/shared';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import fc from 'fast-check';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

/**
 * What `meets` says of a row is held against which rows the databases give: generated filters over every operator of every type whose
 * cells are stored, on the three databases.
 */

const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? 20_261_123);
const numRuns = Number(process.env['TRELLIS_TEST_FILTERS'] ?? 120);

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

/** Letters that differ between databases if anything does. */
const words = [
  'Chair',
  'chair',
  ' chair ',
  'armchair 100%',
  '100_!',
  'Straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'ısparta',
  '5 K',
  '5 k',
  'ΣΑΣ',
  'σας',
  'ŉ',
  'é',
  'é',
  '😀',
  'ｚ',
  '0',
  '10',
  '9',
];

const email = 'ann@example.com';
/** The column that holds each of the words. */
const text = 'The SingleLineText';

/** What cells of a type may be given. */
function inputsOf(type: ColumnTypeDefinition): readonly unknown[] {
  if (type.namesPeople === true) return [email, null];
  const examples = type.examples.map(({ input }) => input);
  if (type.id === 'SingleLineText' || type.id === 'LongText') return [...examples, ...words, ''];
  if (type.storage === 'integer' || type.storage === 'bigint' || type.storage === 'decimal')
    return type.id === 'Rating' || type.id === 'Year' ? examples : [...examples, 9, 10, '-3'];
  return examples;
}

interface Table {
  readonly handle: TableHandle;
  readonly types: readonly ColumnTypeDefinition[];
  readonly operators: readonly FilterOperator[];
  readonly columns: ReadonlyMap<string, FilterColumn>;
  readonly rows: readonly Row[];
}

/** A table with a column of every type that people write, named by the type, and generated rows. */
async function createTable(server: TestServer): Promise<Table> {
  const ann = await server.signUp(email);
  const types = server.host.registries
    .get('columnTypes')
    .list()
    .filter(
      ({ storage, creatable, editable, stamp, numbersRows }) =>
        storage !== 'virtual' &&
        creatable !== false &&
        editable !== false &&
        stamp === undefined &&
        numbersRows !== true,
    );
  const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
  const table = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Things',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      ...types.map(({ id }) => ({ title: `The ${id}`, uidt: id })),
    ],
  });
  expect(table).toMatchObject({ status: 200 });
  const generated = fc.record(
    Object.fromEntries(types.map((type) => [`The ${type.id}`, fc.constantFrom(...inputsOf(type))])),
  );
  const rows = fc
    .sample(generated, { seed, numRuns: 60 })
    .map((row, index) => ({ ...row, [text]: words[index] ?? row[text] }));
  expect(await ann.post('/api/v1/db/data/bulk/v1/Shop/Things', [...rows, {}])).toMatchObject({ status: 200 });
  if (held === undefined) throw new Error('The plugin did not start.');
  const scope = held.get(AccessServiceToken).systemScope(project.body.id, 'test');
  const handle = await held.get(SchemaStoreToken).open(scope, table.body.id);
  const columns = handle.table.columns.map((column) => {
    const type = server.host.registries.get('columnTypes').get(column.type);
    const options = { ...type?.options?.defaults, ...column.meta };
    const { id, title, required, storage } = column;
    return [id, { type, context: { id, title, required, storage, options } }] as const;
  });
  return {
    handle,
    types,
    operators: server.host.registries.get('filterOperators').list(),
    columns: new Map(columns),
    rows: await held.get(RowStoreToken).list(handle, {}, { limit: 100, offset: 0 }),
  };
}

/** Conditions by a column of a type and one of its operators. */
function conditions({ handle, types, operators, rows }: Table) {
  const pairs = types.flatMap((type) =>
    operators
      .filter(({ id, appliesTo }) => type.operators.includes(id) || appliesTo?.(type) === true)
      .map((operator) => ({ type, operator })),
  );
  const ofWords = pairs.filter(({ type }) => `The ${type.id}` === text);
  return fc.oneof(fc.constantFrom(...pairs), fc.constantFrom(...ofWords)).chain(({ type, operator }) => {
    const title = `The ${type.id}`;
    const cells = rows.map((row) => row[title] ?? null).filter((cell) => cell !== null && cell !== '');
    const values = fc
      .constantFrom<unknown>(...cells, ...inputsOf(type))
      .filter((value) => value !== null && value !== '');
    return fc.record({
      kind: fc.constant('condition' as const),
      logicalOp: fc.constantFrom('and' as const, 'or' as const, 'not' as const),
      columnId: fc.constant(handle.table.columnByTitle.get(title)?.id ?? ''),
      operator: fc.constant(operator.id),
      value: valueFor(operator, values) as fc.Arbitrary<CellValue | undefined>,
    });
  });
}

function valueFor(
  { id, arity, takes }: FilterOperator,
  values: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  if (arity === 'none') return fc.constant(undefined);
  if (id === 'within') return fc.constantFrom('this year', '2026-03-29', 'last 200 weeks');
  if (id === 'older' || id === 'later') return fc.constantFrom('7 days', '2 years', '300 weeks');
  if (takes === 'words')
    return fc
      .tuple(values, fc.nat(4), fc.integer({ min: 1, max: 4 }), fc.constantFrom('', '%', '%%'))
      .map(([value, from, length, sign]) => {
        const letters = Array.from(typeof value === 'string' ? value : JSON.stringify(value));
        const part = letters.slice(from, from + length).join('');
        return `${sign === '%%' ? '%' : ''}${part}${sign === '' ? '' : '%'}`;
      })
      .filter((value) => value !== '');
  if (arity === 'two') return fc.tuple(values, values).map(([low, high]) => [low, high]);
  if (arity === 'list') return fc.array(values, { minLength: 1, maxLength: 3 });
  return values;
}

function trees(table: Table): fc.Arbitrary<readonly FilterNode[]> {
  const leaf: fc.Arbitrary<FilterNode> = conditions(table);
  const nodes = (depth: number): fc.Arbitrary<FilterNode> =>
    depth === 0
      ? leaf
      : fc.oneof(
          { arbitrary: leaf, weight: 2 },
          {
            weight: 1,
            arbitrary: fc.record({
              kind: fc.constant('group' as const),
              logicalOp: fc.constantFrom('and' as const, 'or' as const, 'not' as const),
              children: fc.array(nodes(depth - 1), { maxLength: 3 }),
            }),
          },
        );
  return fc.array(nodes(2), { minLength: 1, maxLength: 4 });
}

function suite(start: () => Promise<TestServer>): void {
  let server: TestServer | undefined;
  let table: Table;

  beforeAll(async () => {
    server = await start();
    table = await createTable(server);
  });
  afterAll(() => server?.dispose());

  const cellsOf = (row: Row) =>
    new Map(table.handle.table.columns.map(({ id, title }) => [id, row[title] ?? null]));

  /** The rows that the database gives; undefined where it refuses a value. */
  async function given(filters: readonly FilterNode[]) {
    const rows = held?.get(RowStoreToken);
    const { handle } = table;
    try {
      const condition = await rows?.conditionOf(handle, { filters, reader: handle.scope.principal });
      const met = await rows?.list(handle, { filters }, { limit: 100, offset: 0 });
      return { condition, ids: met?.map(({ Id }) => Number(Id)) };
    } catch (error) {
      if (error instanceof TrellisError && error.code === 'FILTER_VALUE') return undefined;
      throw error;
    }
  }

  function expectSame(
    filters: readonly FilterNode[],
    { condition, ids }: NonNullable<Awaited<ReturnType<typeof given>>>,
  ): void {
    const { handle, columns, operators, rows } = table;
    const kindOf = (id: string) => handle.table.columnById.get(id)?.storage;
    const told = (meeting: (row: Row) => boolean) =>
      rows
        .filter(meeting)
        .map(({ Id }) => Number(Id))
        .join(' ');
    const byChange = told(
      (row) => condition === undefined || meets(condition, { kindOf, cells: cellsOf(row) }),
    );
    const byPage = told((row) => meetsFilters(cellsOf(row), filters, { columns, operators }));
    const expected = ids?.join(' ');
    expect({ filters, byChange, byPage }).toEqual({ filters, byChange: expected, byPage: expected });
  }

  test('each word is compared with each other as the database does it', async () => {
    const columnId = table.handle.table.columnByTitle.get(text)?.id ?? '';
    for (const operator of ['eq', 'gt', 'lte', 'like'])
      for (const value of words) {
        const filters = [{ kind: 'condition', logicalOp: 'and', columnId, operator, value }] as const;
        const found = await given(filters);
        if (found === undefined) throw new Error(`The database does not take '${value}'.`);
        expectSame(filters, found);
      }
  });

  test('a row meets filters where the database gives it', async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(trees(table), async (filters) => {
        const found = await given(filters);
        fc.pre(found !== undefined);
        expectSame(filters, found);
        judged += 1;
      }),
      { seed, numRuns, maxSkipsPerRun: 20 },
    );
    expect(judged).toBe(numRuns);
  });
}

describe('conditions on rows mean what filters of views mean (sqlite)', () => {
  suite(() => createTestServer({ plugins: [observer] }));
});

describeEachServer('conditions on rows mean what filters of views mean', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  suite(() => createTestServer({ plugins: [observer], database: databases }));
});
