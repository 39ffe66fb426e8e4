import { expect, test } from '@jest/globals';
import type { AccessScope } from '@trellis/sdk/server';
import { readTextList, writeTextList } from '@trellis/sdk/shared';
import fc from 'fast-check';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

/**
 * Random rows, filters and sorts, judged by an evaluator in memory. The same seed runs on every database, so that all of them
 * give the same rows in the same order.
 */
interface Cells {
  readonly Name: string | null;
  readonly Notes: string | null;
  readonly People: number | null;
  readonly Price: number | null;
  readonly Open: boolean | null;
  readonly Day: string | null;
}
type DataPath = Awaited<ReturnType<typeof createDataPath>>;
type Title = keyof Cells;
type Truth = boolean | undefined;

interface Condition {
  readonly title: Title;
  readonly operator: string;
  readonly value: string;
}
type Joiner = '~and' | '~or' | '~not' | '~ornot';
type Tree = Condition | readonly (readonly [Joiner, Tree])[];

/** A person with every right in a project. */
async function memberOf(
  { metadata, access }: Pick<DataPath, 'metadata' | 'access'>,
  projectId: string | undefined,
): Promise<AccessScope> {
  const principal = { kind: 'user', id: 'us_1', email: 'ann@example.com', accountRoles: ['super'] } as const;
  await metadata.database.write(async (unit) => {
    const grant = { project_id: projectId, account_id: principal.id, role: 'owner', created_at: 0 };
    await unit.run(unit.knex('trellis_grant').insert(grant));
    await metadata.generations.bump(unit, 'access');
  });
  return access.scopeFor(principal, projectId ?? '', 'test');
}

const texts = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'a b',
  'é',
  'É',
  '%',
  '_',
  'a_b',
  '100%',
  "o'x",
  '"',
  '\\',
  '!',
  'x,y',
  '?',
  '🙂',
  ' a',
];
const numbers = [-2, -1, 0, 1, 2, 3, 10, 1_000_000_007];
const prices = [-1.5, 0, 0.1, 1, 1.5, 2.25, 10];
const days = ['1999-12-31', '2000-02-29', '2026-03-29', '2026-10-25'];
const kinds = {
  Name: 'text',
  Notes: 'text',
  People: 'number',
  Price: 'number',
  Open: 'boolean',
  Day: 'day',
} as const;
const samples: Readonly<Record<(typeof kinds)[Title], readonly string[]>> = {
  text: texts.filter((text) => !text.includes(')')),
  number: [...numbers, ...prices.filter(Number.isInteger)].map(String),
  boolean: ['true', 'false'],
  day: days,
};

const orNull = <Value>(values: readonly Value[]) =>
  fc.option(fc.constantFrom(...values), { nil: null, freq: 5 });
const cells: fc.Arbitrary<Cells> = fc.record({
  Name: orNull(texts),
  Notes: orNull(texts),
  People: orNull(numbers),
  Price: orNull(prices),
  Open: orNull([true, false]),
  Day: orNull(days),
});

const words = ['null', 'notnull', 'empty', 'notempty'];
const unary = [...words, 'blank', 'notblank'];
const condition: fc.Arbitrary<Condition> = fc
  .constantFrom(...(Object.keys(kinds) as Title[]))
  .chain((title) => {
    const kind = kinds[title];
    const one = fc.constantFrom(...samples[kind]);
    const plain = one.filter((text) => !text.includes(',') && text.trim() === text && text !== '');
    const ordered =
      kind === 'boolean' ? ['eq', 'neq'] : ['eq', 'neq', 'not', 'gt', 'gte', 'ge', 'lt', 'lte', 'le'];
    const like = kind === 'text' ? ['like', 'nlike'] : [];
    const lists = fc
      .array(plain, { maxLength: 4 })
      .map((values) => ({ operator: 'in', value: writeTextList(values) }));
    const ranges = fc
      .record({ operator: fc.constantFrom('btw', 'nbtw'), low: plain, high: plain })
      .map(({ operator, low, high }) => ({ operator, value: `${low},${high}` }));
    return fc
      .oneof(
        fc.record({ operator: fc.constantFrom(...ordered, ...like), value: one }),
        fc.record({ operator: fc.constantFrom(...unary), value: fc.constant('') }),
        fc.record({ operator: fc.constantFrom('is', 'isnot'), value: fc.constantFrom(...words) }),
        ...(kind === 'boolean' ? [] : [lists, ranges]),
      )
      .map((rest) => ({ title, ...rest }));
  });
const { tree } = fc.letrec<{ tree: Tree; item: Tree }>((tie) => ({
  tree: fc
    .tuple(
      fc.tuple(fc.constantFrom<Joiner>('~and', '~not'), tie('item')),
      fc.array(fc.tuple(fc.constantFrom<Joiner>('~and', '~or', '~not', '~ornot'), tie('item')), {
        maxLength: 3,
      }),
    )
    .map(([first, rest]) => [first, ...rest] as Tree),
  item: fc.oneof({ depthSize: 'small', maxDepth: 3 }, condition, tie('tree')),
}));

function print(of: Tree): string {
  if (!isGroup(of)) return `(${of.title},${of.operator},${of.value})`;
  return of
    .map(([joiner, item], index) => {
      const word = index === 0 && joiner === '~and' ? '' : joiner;
      return word + (isGroup(item) ? `(${print(item)})` : print(item));
    })
    .join('');
}

function isGroup(of: Tree): of is readonly (readonly [Joiner, Tree])[] {
  return Array.isArray(of);
}

const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);
const and = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
const or = (truths: readonly Truth[]): Truth => not(and(truths.map(not)));

function judge(of: Tree, row: Cells): Truth {
  if (!isGroup(of)) return judgeCondition(of, row);
  const alternatives: Truth[][] = [[]];
  of.forEach(([joiner, item], index) => {
    if (index > 0 && joiner.startsWith('~or')) alternatives.push([]);
    const truth = judge(item, row);
    alternatives.at(-1)?.push(joiner.endsWith('not') ? not(truth) : truth);
  });
  return or(alternatives.map(and));
}

type Comparable = string | number | boolean;

function judgeCondition({ title, operator, value }: Condition, row: Cells): Truth {
  const cell = row[title];
  const kind = kinds[title];
  const read = (text: string): Comparable =>
    kind === 'number' ? Number(text) : kind === 'boolean' ? text === 'true' : text;
  const isEmpty = kind === 'text' ? (cell === null ? undefined : cell === '') : cell === null;
  const isUnary: Readonly<Record<string, Truth>> = {
    null: cell === null,
    notnull: cell !== null,
    empty: isEmpty,
    notempty: cell !== null && cell !== '',
    blank: cell === null || cell === '',
    notblank: cell !== null && cell !== '',
  };
  if (operator in isUnary) return isUnary[operator];
  if (operator === 'is') return isUnary[value];
  if (operator === 'isnot') return not(isUnary[value]);
  if (kind === 'boolean') {
    const same = (cell ?? false) === read(value);
    if (operator === 'eq') return value === 'false' ? same : cell === null ? undefined : same;
    return value === 'true' ? !same : cell === null ? undefined : !same;
  }
  if (operator === 'in' && value === '') return false;
  if (cell === null) return undefined;
  const against = (text: string) => byCodePoint(cell, read(text));
  const [low = '', high = ''] = value.split(',');
  switch (operator) {
    case 'eq':
      return against(value) === 0;
    case 'neq':
    case 'not':
      return against(value) !== 0;
    case 'gt':
      return against(value) > 0;
    case 'gte':
    case 'ge':
      return against(value) >= 0;
    case 'lt':
      return against(value) < 0;
    case 'lte':
    case 'le':
      return against(value) <= 0;
    case 'in':
      return readTextList(value).some((text) => against(text) === 0);
    case 'btw':
      return against(low) >= 0 && against(high) <= 0;
    case 'nbtw':
      return !(against(low) >= 0 && against(high) <= 0);
    case 'like':
      return isLike(String(cell), value);
    case 'nlike':
      return !isLike(String(cell), value);
    default:
      throw new Error(`The reference does not know '${operator}'.`);
  }
}

function isLike(text: string, words: string): boolean {
  const parts = (words.includes('%') ? words : `%${words}%`).toLowerCase().split('%');
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*');
  return new RegExp(`^${pattern}$`, 's').test(text.toLowerCase());
}

function byCodePoint(left: Comparable, right: Comparable): number {
  if (typeof left !== 'string' || typeof right !== 'string') return left < right ? -1 : left > right ? 1 : 0;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Empty cells first, letters before case. */
function byCell(left: Comparable | null, right: Comparable | null): number {
  if (left === null || right === null) return Number(right === null) - Number(left === null) || 0;
  if (typeof left === 'string' && typeof right === 'string') {
    return byCodePoint(left.toLowerCase(), right.toLowerCase()) || byCodePoint(left, right);
  }
  return byCodePoint(left, right);
}

const sorting = fc.uniqueArray(
  fc.record({ title: fc.constantFrom(...(Object.keys(kinds) as Title[])), down: fc.boolean() }),
  { maxLength: 3, selector: ({ title }) => title },
);

const input = {
  title: 'Shops',
  columns: [
    { title: 'Id', columnName: 'id', type: 'ID' },
    { title: 'Name', type: 'SingleLineText' },
    { title: 'Notes', type: 'LongText' },
    { title: 'People', type: 'Number' },
    { title: 'Price', type: 'Decimal' },
    { title: 'Open', type: 'Checkbox' },
    { title: 'Day', type: 'Date' },
  ],
};

describeEachMetadata('filters and sorts', (open) => {
  async function start() {
    const path = await createDataPath(await open());
    const scope = await path.newProject('Atlas');
    const table = await path.schema.createTable(scope, input);
    return { ...path, scope, table };
  }

  test('give the rows that an evaluator in memory gives, in its order', async () => {
    const { rowStore, handleOf, scope, table, dispose } = await start();
    const rows = fc.sample(cells, { numRuns: 150, seed: 7 });
    await rowStore.createMany(
      await handleOf(scope, table.id),
      rows.map((row, index) => ({ Id: index + 1, ...row })),
    );
    await fc.assert(
      fc.asyncProperty(tree, sorting, async (of, sorts) => {
        const found = await rowStore.list(
          await handleOf(scope, table.id),
          {
            where: print(of),
            sort: sorts.map(({ title, down }) => (down ? '-' : '') + title),
            fields: ['Id'],
          },
          { limit: 1000, offset: 0 },
        );
        const expected = rows
          .map((row, index) => ({ row, id: index + 1 }))
          .filter(({ row }) => judge(of, row) === true)
          .sort((a, b) => {
            for (const { title, down } of sorts) {
              const order = byCell(a.row[title], b.row[title]) * (down ? -1 : 1);
              if (order !== 0) return order;
            }
            return a.id - b.id;
          });
        expect(found.map((row) => Number(row['Id']))).toEqual(expected.map(({ id }) => id));
        expect(await rowStore.count(await handleOf(scope, table.id), { where: print(of) })).toBe(
          expected.length,
        );
      }),
      { numRuns: 200, seed: 11 },
    );
    await dispose();
  });

  test('joined as filter objects mean what they mean as text', async () => {
    const { rowStore, handleOf, scope, table, dispose } = await start();
    const rows = fc.sample(cells, { numRuns: 60, seed: 3 });
    await rowStore.createMany(
      await handleOf(scope, table.id),
      rows.map((row) => ({ ...row })),
    );
    const id = (title: string) => table.columnByTitle.get(title)?.id ?? '';
    const page = { limit: 1000, offset: 0 };
    const byText = await rowStore.list(
      await handleOf(scope, table.id),
      { where: '(People,gt,0)~or((Name,like,a)~not(Open,eq,true))' },
      page,
    );
    const of = (logicalOp: 'and' | 'or' | 'not', title: string, operator: string, value: string) =>
      ({ kind: 'condition', logicalOp, columnId: id(title), operator, value }) as const;
    const group = {
      kind: 'group',
      logicalOp: 'or',
      children: [of('and', 'Name', 'like', 'a'), of('not', 'Open', 'eq', 'true')],
    } as const;
    const byObjects = await rowStore.list(
      await handleOf(scope, table.id),
      { filters: [of('and', 'People', 'gt', '0'), group] },
      page,
    );
    expect(byObjects).toEqual(byText);
    expect(byText.length).toBeGreaterThan(0);
    await dispose();
  });

  const hostile = [
    "' or '1'='1",
    '" or ""="',
    "'; drop table trellis_account; --",
    '1) or (1=1',
    '\\',
    "\\' or 1=1 -- ",
    '`; delete from x; `',
    '$1',
    '?',
    '??',
    ':name',
    '{{x}}',
    '%00',
    '\u0000',
    '\uD800',
    '__proto__',
    'constructor',
    'x'.repeat(5000),
    '(select 1)',
    'id -- ',
    'Id desc, (select 1)',
    '-',
    '+',
    '*',
  ];

  test('hold against hostile text: a value is a value, and nothing else is understood', async () => {
    const { rowStore, handleOf, scope, table, filterOperators, dispose } = await start();
    await rowStore.createMany(await handleOf(scope, table.id), [
      { Name: 'a', People: 1 },
      { Name: 'b', People: 2 },
    ]);
    const page = { limit: 1000, offset: 0 };
    const all = await rowStore.list(await handleOf(scope, table.id), {}, page);
    const ask = async (query: object) => {
      try {
        return await rowStore.list(await handleOf(scope, table.id), query, page);
      } catch (error) {
        return error as Error & { readonly status: number };
      }
    };
    for (const text of hostile) {
      const inValue = await ask({ where: `(Name,eq,${text})` });
      if (!text.includes(')')) {
        // What no text column can hold is a 400; everything else is compared and found nowhere.
        if (Array.isArray(inValue)) expect(inValue).toEqual([]);
        else expect(inValue).toMatchObject({ status: 400 });
      }
      for (const query of [
        { where: `(${text},eq,1)` },
        { where: `(Name,${text},1)` },
        { where: text },
        { fields: [text] },
        { sort: [text] },
        { sort: [`-${text}`] },
        { sortKeys: [{ columnId: text, direction: 'asc' }] },
        { filters: [{ kind: 'condition', logicalOp: 'and', columnId: text, operator: 'eq', value: '1' }] },
      ]) {
        const answer = await ask(query);
        expect({ query, answer }).toMatchObject({ answer: { status: 400 } });
        expect((answer as Error).message).not.toMatch(/syntax error|SQLITE|near "|at line/i);
      }
      for (const operator of filterOperators.list()) {
        const answer = await ask({ where: `(People,${operator.id},${text})` });
        if (!Array.isArray(answer)) expect(answer).toMatchObject({ status: 400 });
      }
      const written = await rowStore.create(await handleOf(scope, table.id), { [text]: 1, Name: text }).then(
        ({ result }) => result,
        (error: Error & { status: number }) => error,
      );
      if (written instanceof Error) expect(written).toMatchObject({ status: 400 });
      else {
        expect(written['Name']).toBe(text);
        await rowStore.delete(await handleOf(scope, table.id), rowStore.keyOf(table, written) ?? '');
      }
    }
    expect(await rowStore.list(await handleOf(scope, table.id), {}, page)).toEqual(all);
    await dispose();
  });

  test('of a comparison whose plugin is off are refused in a view, and passed over for a member who asks so', async () => {
    const { rowStore, handleOf, views, access, scope, table, schema, metadata, filterOperators, dispose } =
      await start();
    const view = table.defaultView?.id ?? '';
    const columnId = table.columnByTitle.get('Name')?.id ?? '';
    const plugin = filterOperators.register(
      {
        id: 'soundsLike',
        label: 'sounds like',
        arity: 'one',
        build: () => ({ kind: 'always', value: true }),
      },
      'sounds',
    );
    await views.createFilter(scope, view, { columnId, operator: 'soundsLike', value: 'a' });
    await plugin.dispose();
    await schema.table(scope, table.id);
    await expect(
      rowStore.list(await handleOf(scope, table.id, view), {}, { limit: 25, offset: 0 }),
    ).rejects.toMatchObject({ status: 409, code: 'FILTER_OPERATOR_DISABLED' });
    await rowStore.createMany(await handleOf(scope, table.id), [{ Name: 'Ada' }, { Name: null }]);
    const asked = { skipDisabledFilters: true };
    const member = await memberOf({ metadata, access }, scope.projectId);
    const all = await rowStore.count(await handleOf(scope, table.id), {});
    await views.createFilter(scope, view, { columnId, operator: 'notnull' });
    const filled = await rowStore.count(await handleOf(scope, table.id), { where: '(Name,notnull)' });
    expect(filled).toBeLessThan(all);
    // The other filters hold.
    expect(await rowStore.count(await handleOf(member, table.id, view), asked)).toBe(filled);
    // Whoever is no member is not asked what the owner meant to be hidden.
    await expect(rowStore.count(await handleOf(scope, table.id, view), asked)).rejects.toMatchObject({
      code: 'FILTER_OPERATOR_DISABLED',
    });
    await dispose();
  });

  test('of values that do not suit their column are not saved', async () => {
    const { views, scope, table, dispose } = await start();
    const view = table.defaultView?.id ?? '';
    const day = table.columnByTitle.get('Day')?.id ?? '';
    const refusal = { status: 400, code: 'FILTER_VALUE', params: { column: 'Day' } };
    const wrong = { columnId: day, operator: 'eq', value: 'soon' };
    await expect(views.createFilter(scope, view, wrong)).rejects.toMatchObject(refusal);
    await expect(views.createFilter(scope, view, { children: [wrong] })).rejects.toMatchObject(refusal);
    const { id } = await views.createFilter(scope, view, { ...wrong, value: '' });
    await expect(views.updateFilter(scope, id, { value: 'soon' })).rejects.toMatchObject(refusal);
    await views.updateFilter(scope, id, { value: '2026-03-29' });
    await expect(views.updateFilter(scope, id, { operator: 'btw' })).rejects.toMatchObject(refusal);
    await dispose();
  });

  test('that no longer suit their column are named, and passed over for a member who asks so', async () => {
    const { rowStore, handleOf, views, access, scope, table, schema, metadata, dispose } = await start();
    const view = table.defaultView?.id ?? '';
    const columnId = table.columnByTitle.get('Name')?.id ?? '';
    await rowStore.createMany(await handleOf(scope, table.id), [{ Name: '1' }, { Name: '2' }]);
    const { id } = await views.createFilter(scope, view, { columnId, operator: 'eq', value: 'Ada' });
    await schema.updateColumn(scope, columnId, { type: 'Number' });
    const unfit = { status: 409, code: 'FILTER_UNFIT', params: { column: 'Name' } };
    const read = async (query: object) => rowStore.count(await handleOf(scope, table.id, view), query);
    await expect(read({})).rejects.toMatchObject(unfit);
    await expect(read({ skipDisabledFilters: true })).rejects.toMatchObject(unfit);
    const member = await memberOf({ metadata, access }, scope.projectId);
    const shown = await rowStore.list(
      await handleOf(member, table.id, view),
      { skipDisabledFilters: true },
      { limit: 25, offset: 0 },
    );
    expect(shown.map(({ Name }) => Number(Name))).toEqual(expect.arrayContaining([1, 2]));
    await views.updateFilter(scope, id, { order: 2 });
    await views.deleteFilter(scope, id);
    expect(await read({})).toBe(shown.length);
    await dispose();
  });
});
