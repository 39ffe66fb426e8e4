import { describe, expect, jest, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { ColumnSchema, FilterSchema, ServerColumnType } from '@trellis/sdk/server';
import type { FilterNode, FilterOperator } from '@trellis/sdk/shared';
import fc from 'fast-check';
import { dialectOf } from '../dialects/select-dialect.ts';
import { predicateOfFilters, predicateOfSavedFilters, type QueryScope } from './build-predicate.ts';
import type { CompileContext } from './compile-context.ts';

const column = { id: 'cl_name', title: 'Name', type: 'Text', storage: 'string' } as ColumnSchema;
const operators = new Registry<FilterOperator>({ id: 'filterOperators', absentPolicy: 'refused' });
operators.register(
  {
    id: 'eq',
    label: 'is',
    arity: 'one',
    build: ({ column: left, literal, value }) => ({
      kind: 'compare',
      comparison: 'eq',
      left,
      right: literal(value),
    }),
  },
  'test',
);
const scope: QueryScope = {
  context: {
    table: { columnById: new Map([[column.id, column]]) },
    reach: { columnTypes: new Registry<ServerColumnType>({ id: 'columnTypes', absentPolicy: 'raw' }) },
  } as unknown as CompileContext,
  visible: 'all',
  operators,
  reader: { kind: 'guest', id: '', email: '', accountRoles: [] },
};

const logicalOp = fc.constantFrom<FilterNode['logicalOp']>('and', 'or', 'not');
const condition: fc.Arbitrary<FilterNode> = fc.record({
  kind: fc.constant('condition' as const),
  logicalOp,
  columnId: fc.constant(column.id),
  operator: fc.constant('eq'),
  value: fc.constantFrom('a', 'b', 'c'),
});
const group = (children: fc.Arbitrary<readonly FilterNode[]>): fc.Arbitrary<FilterNode> =>
  fc.record({ kind: fc.constant('group' as const), logicalOp, children });

/** A group without any condition in it, at most so deep. */
const hollow = (depth: number): fc.Arbitrary<FilterNode> =>
  group(depth === 0 ? fc.constant([]) : fc.array(hollow(depth - 1), { maxLength: 2 }));

/** A tree of filters without hollow groups, and the same tree with some strewn into it. */
type Pair = readonly [bare: readonly FilterNode[], full: readonly FilterNode[]];

function strewn(depth: number): fc.Arbitrary<Pair> {
  const leaf = condition.map((node): Pair => [[node], [node]]);
  const inner = (): fc.Arbitrary<Pair> =>
    fc
      .tuple(logicalOp, strewn(depth - 1))
      .filter(([, [bare]]) => bare.length > 0)
      .map(([joiner, pair]) => {
        const [bare, full] = pair.map((children): readonly FilterNode[] => [
          { kind: 'group', logicalOp: joiner, children },
        ]);
        return [bare ?? [], full ?? []];
      });
  const item = depth === 0 ? leaf : fc.oneof(leaf, inner());
  return fc
    .array(fc.tuple(fc.array(hollow(2), { maxLength: 2 }), item), { maxLength: 4 })
    .map((items) => [
      items.flatMap(([, [bare]]) => bare),
      items.flatMap(([hollows, [, full]]) => [...hollows, ...full]),
    ]);
}

describe('a group of filters without a condition', () => {
  test('filters nothing, wherever it stands and however it is joined', () => {
    fc.assert(
      fc.property(strewn(3), ([bare, full]) => {
        expect(predicateOfFilters(scope, full)).toEqual(predicateOfFilters(scope, bare));
      }),
    );
  });

  test('is no condition at all when nothing else is asked', () => {
    fc.assert(
      fc.property(fc.array(hollow(3)), (filters) => {
        expect(predicateOfFilters(scope, filters)).toBeUndefined();
      }),
    );
  });

  test('filters nothing in a saved view either, where it may hold a condition that is still being typed', () => {
    const saved = (parts: Partial<FilterSchema>) =>
      ({ logicalOp: 'and', isGroup: false, children: [], ...parts }) as FilterSchema;
    const finished = saved({ columnId: column.id, operator: 'eq', value: 'a' });
    const unfinished = saved({ columnId: column.id, operator: 'eq', value: '' });
    const nested = saved({ isGroup: true, children: [saved({ isGroup: true, children: [unfinished] })] });
    for (const joiner of ['and', 'or', 'not'] as const) {
      const filters = [finished, { ...nested, logicalOp: joiner }];
      expect(predicateOfSavedFilters(scope, filters)).toEqual(predicateOfSavedFilters(scope, [finished]));
    }
    expect(predicateOfSavedFilters(scope, [nested])).toBeUndefined();
  });
});

test('many conditions on one computed column work out its kind once', () => {
  const columnTypes = new Registry<ServerColumnType>({ id: 'columnTypes', absentPolicy: 'raw' });
  const formula = {
    id: 'cl_sum',
    title: 'Sum',
    type: 'Sum',
    columnName: '',
    storage: 'virtual',
  } as ColumnSchema;
  const compute = jest.fn(() => ({ kind: 'literal', value: 7, storage: 'integer' }) as const);
  columnTypes.register(
    { id: 'Sum', label: 'Sum', server: { compute } } as unknown as ServerColumnType,
    'test',
  );
  const context = {
    dialect: dialectOf('sqlite'),
    table: { columnById: new Map([[formula.id, formula]]) },
    reach: { columnTypes, snapshot: {} },
  } as unknown as CompileContext;
  const filters = Array<FilterNode>(500).fill({
    kind: 'condition',
    logicalOp: 'or',
    columnId: formula.id,
    operator: 'eq',
    value: 7,
  });
  compute.mockClear();
  expect(predicateOfFilters({ ...scope, context }, filters)).toMatchObject({ kind: 'or' });
  // Whether it is computed at all is asked for each of them; that compiles nothing.
  expect(compute.mock.calls.length).toBeLessThan(600);
});
