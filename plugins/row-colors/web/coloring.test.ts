import { describe, expect, test } from '@jest/globals';
import type { ColumnEntity, FilterNode, FilterOperator } from '@trellis/sdk/shared';
import { aColumn, aTable, numberType, textType } from '@trellis/sdk/testing/web';
import type { WebColumnType } from '@trellis/sdk/web';
import { filterOperators } from '#plugins/filters-basic/shared';
import {
  linkedKeysOf,
  linkOperators,
  linkToAnotherRecord,
  mostInCell,
} from '#plugins/columns-relation/shared';
import { singleSelect } from '#plugins/columns-select/shared';
import type { ColorOptions, ColorRule } from '../shared/index.ts';
import { groundOf, rowColoring } from './coloring.ts';
import { canDecide, problemOfRule } from './rule-problem.ts';

const select = { ...singleSelect, icon: 'list', Cell: () => null } as unknown as WebColumnType;
const link = {
  ...textType,
  ...linkToAnotherRecord,
  linkedKeysOf,
} as unknown as WebColumnType;
const formula = { ...textType, id: 'Formula', label: 'Formula' };
const types = [textType, numberType, select, link, formula];

const options = (...titles: readonly string[]) => ({
  options: titles.map((title, at) => ({ id: title, title, color: ['#cfdffe', '#c01a94'][at] ?? '#123456' })),
});
const columns: readonly ColumnEntity[] = [
  aColumn('title', 'Title', { uidt: textType.id, pv: true }),
  aColumn('pay', 'Pay', { uidt: 'Number', storage: 'integer' }),
  aColumn('state', 'State', { uidt: 'SingleSelect', meta: options('open', 'done') }),
  aColumn('friends', 'Friends', {
    uidt: 'LinkToAnotherRecord',
    virtual: true,
    storage: 'virtual',
    colOptions: { type: 'hm', fk_related_model_id: 'md_2', related_key_titles: ['Id'] },
  }),
  aColumn('place', 'Place', {
    uidt: 'LinkToAnotherRecord',
    virtual: true,
    storage: 'virtual',
    colOptions: { type: 'bt', fk_related_model_id: 'md_3', related_key_titles: ['Room', 'Shelf'] },
  }),
  aColumn('dark', 'Dark', {
    uidt: 'LinkToAnotherRecord',
    virtual: true,
    storage: 'virtual',
    colOptions: { type: 'hm', fk_related_model_id: 'md_2' },
  }),
  aColumn('twice', 'Twice', {
    uidt: 'Formula',
    virtual: true,
    storage: 'virtual',
    asked: { uidt: 'Number', storage: 'integer', meta: {} },
  }),
  aColumn('states', 'States', {
    uidt: 'Formula',
    virtual: true,
    storage: 'virtual',
    asked: { uidt: 'SingleSelect', storage: 'text', meta: options('open', 'done'), several: true },
  }),
];

const where = (columnId: string, operator: string, value: string, logicalOp: 'and' | 'or' = 'and') =>
  ({ kind: 'condition', logicalOp, columnId, operator, value }) satisfies FilterNode;
const rule = (color: string, ...filters: readonly FilterNode[]): ColorRule => ({
  id: `${color} ${filters.length}`,
  color,
  filters,
});
const red = '#cf2750';
const blue = '#2d6fdb';

function colorsOf(kept: Partial<ColorOptions>, of: readonly ColumnEntity[] = columns) {
  return rowColoring.of({
    table: aTable(of),
    additions: { 'row-colors': kept },
    types,
    operators: [...filterOperators, ...linkOperators],
  });
}
const colorOf = (kept: Partial<ColorOptions>, row: object, of?: readonly ColumnEntity[]) =>
  colorsOf(kept, of)?.colorOf(row as Readonly<Record<string, unknown>>)?.color;

describe('by rules', () => {
  const rules = [
    rule(red, where('state', 'eq', 'open'), where('pay', 'gt', '100')),
    rule(blue, where('pay', 'gt', '10')),
  ];

  test('the first rule that a row meets decides, and one that meets none has no colour', () => {
    expect(colorOf({ rules }, { state: 'open', pay: 101 })).toBe(red);
    expect(colorOf({ rules }, { state: 'done', pay: 101 })).toBe(blue);
    expect(colorOf({ rules: rules.toReversed() }, { state: 'open', pay: 101 })).toBe(blue);
    expect(colorOf({ rules }, { state: 'open', pay: 10 })).toBeUndefined();
    expect(colorOf({ rules }, {})).toBeUndefined();
  });

  test('a cell that is not read yet is not taken for an empty one, and the rules behind it wait too', () => {
    const asked = [
      rule(red, where('title', 'eq', 'x')),
      rule(blue, where('pay', 'empty', '')),
      rule(red, where('state', 'eq', 'open')),
    ];
    expect(colorOf({ rules: asked }, { title: 'y', pay: null, state: 'open' })).toBe(blue);
    expect(colorOf({ rules: asked }, { title: 'y', state: 'open' })).toBeUndefined();
    // What is asked first is known.
    expect(colorOf({ rules: asked }, { title: 'x', state: 'open' })).toBe(red);
  });

  test('the columns that rules ask of are read, each once', () => {
    expect(colorsOf({ rules })?.columnIds).toEqual(['state', 'pay']);
    expect(colorsOf({ rules: [] })).toBeUndefined();
  });

  test('a stripe is told from a whole row', () => {
    expect(colorsOf({ rules, place: 'stripe' })?.colorOf({ state: 'done', pay: 11 })).toEqual({
      color: blue,
      place: 'stripe',
    });
  });

  test('a text is empty that was never written, as is one that was taken away', () => {
    const rules = [rule(red, where('title', 'blank', '')), rule(blue, where('title', 'notblank', ''))];
    expect([null, '', ' ', 'x'].map((title) => colorOf({ rules }, { title }))).toEqual([
      red,
      red,
      blue,
      blue,
    ]);
  });

  test('a column that is computed is compared as what it holds', () => {
    const computed = [rule(red, where('twice', 'gt', '9'))];
    expect(colorOf({ rules: computed }, { twice: 10 })).toBe(red);
    expect(colorOf({ rules: computed }, { twice: 9 })).toBeUndefined();
  });

  test('of a list one value has to do, or none, and an empty one is empty', () => {
    const list = (operator: string, value = 'open') => [rule(red, where('states', operator, value))];
    const colored = (rules: readonly ColorRule[], states: readonly unknown[]) =>
      colorOf({ rules }, { states }) === red;
    expect([['open', 'done'], ['done'], [null], []].map((of) => colored(list('eq'), of))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([['open', 'done'], ['done'], [null], []].map((of) => colored(list('neq'), of))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect([['open'], []].map((of) => colored(list('null', ''), of))).toEqual([false, true]);
    expect(colored(list('eq', 'opened'), ['opened'])).toBe(false);
    const lists = [['open', null], [null, ''], []];
    expect(lists.map((of) => colored(list('blank', ''), of))).toEqual([false, true, true]);
    expect(lists.map((of) => colored(list('notblank', ''), of))).toEqual([true, false, false]);
  });

  test.each([
    ['a column that is gone', where('lost', 'neq', 'x')],
    ['an option that is called otherwise by now', where('state', 'neq', 'opened')],
    ['a comparison whose plugin is off', where('title', 'sounds-like', 'x')],
    ['what only a database can tell', where('friends', 'eq', 'x')],
    ['a value that is still to be typed', where('title', 'eq', '')],
    ['a value that does not suit its column', where('pay', 'eq', 'many')],
  ])('a rule with %s colours nothing, and the one behind it goes on', (_what, condition) => {
    const row = { title: 'x', pay: 1, state: 'open' };
    expect(colorOf({ rules: [rule(red, condition)] }, row)).toBeUndefined();
    // Not by half either: the other condition would mean other rows than the rule says.
    const half = rule(red, where('pay', 'eq', '1'), { ...condition, logicalOp: 'or' });
    const isWhole = condition.value === '';
    expect(colorOf({ rules: [half, rule(blue, where('pay', 'eq', '1'))] }, row)).toBe(isWhole ? red : blue);
  });
});

describe('by rules of picked rows', () => {
  const friend = (key: number) => ({ Id: key, Name: `Friend ${key}` });
  const friends = (operator: string, value: string) => [
    rule(red, where('friends', operator, value)),
    rule(blue, where('pay', 'gt', '10')),
  ];

  test('a row that is linked to one of them has the colour', () => {
    const rules = friends('linkedto', '7,9');
    expect(colorOf({ rules }, { friends: [friend(8), friend(9)], pay: 11 })).toBe(red);
    expect(colorOf({ rules }, { friends: [friend(8)], pay: 11 })).toBe(blue);
    expect(colorOf({ rules }, { friends: [], pay: 1 })).toBeUndefined();
    expect(colorsOf({ rules })?.columnIds).toEqual(['friends', 'pay']);
  });

  test('a row that is linked to none of them has it, where the rule says so', () => {
    const rules = friends('notlinkedto', '7');
    expect(colorOf({ rules }, { friends: [friend(8)], pay: 11 })).toBe(red);
    expect(colorOf({ rules }, { friends: [], pay: 11 })).toBe(red);
    expect(colorOf({ rules }, { friends: [friend(7)], pay: 11 })).toBe(blue);
  });

  test('a link to one row is compared by its whole key', () => {
    const rules = [rule(red, where('place', 'linkedto', '1___2'))];
    expect(colorOf({ rules }, { place: { Room: 1, Shelf: 2, Name: 'left' } })).toBe(red);
    expect(colorOf({ rules }, { place: { Room: 1, Shelf: 3, Name: 'right' } })).toBeUndefined();
    expect(colorOf({ rules }, { place: null })).toBeUndefined();
  });

  test('a row of whose links the page knows some has the colour where that is enough, else none', () => {
    const many = Array.from({ length: mostInCell }, (_, index) => friend(index));
    expect(colorOf({ rules: friends('linkedto', '3') }, { friends: many, pay: 11 })).toBe(red);
    expect(colorOf({ rules: friends('linkedto', '300') }, { friends: many, pay: 11 })).toBeUndefined();
    expect(colorOf({ rules: friends('notlinkedto', '3') }, { friends: many, pay: 11 })).toBe(blue);
    expect(colorOf({ rules: friends('notlinkedto', '300') }, { friends: many, pay: 11 })).toBeUndefined();
  });

  test('a row has it where it is linked to any row, or to none, as the rule says', () => {
    const some = [friend(8)];
    for (const operator of ['notblank', 'notempty', 'notnull']) {
      expect(colorOf({ rules: friends(operator, '') }, { friends: some, pay: 11 })).toBe(red);
      expect(colorOf({ rules: friends(operator, '') }, { friends: [], pay: 11 })).toBe(blue);
    }
    for (const operator of ['blank', 'empty', 'null']) {
      expect(colorOf({ rules: friends(operator, '') }, { friends: some, pay: 11 })).toBe(blue);
      expect(colorOf({ rules: friends(operator, '') }, { friends: [], pay: 11 })).toBe(red);
    }
    expect(colorOf({ rules: [rule(red, where('place', 'empty', ''))] }, { place: null })).toBe(red);
  });

  test('nothing is decided by cells that do not tell which rows they hold', () => {
    const dark = [rule(red, where('dark', 'notlinkedto', '7')), rule(blue, where('pay', 'gt', '10'))];
    expect(colorOf({ rules: dark }, { dark: [friend(8)], pay: 11 })).toBe(blue);
    expect(colorOf({ rules: friends('notlinkedto', '7') }, { friends: 'Ann', pay: 11 })).toBeUndefined();
    expect(
      colorOf({ rules: friends('notlinkedto', '7') }, { friends: [{ Name: 'Ann' }], pay: 11 }),
    ).toBeUndefined();
  });
});

test('no comparison is offered of a list that a rule with it could not decide', () => {
  const sameAsTitle: FilterOperator = {
    id: 'same',
    label: 'is the title',
    arity: 'one',
    appliesTo: () => true,
    build: ({ column }) => ({
      kind: 'compare',
      comparison: 'eq',
      left: column,
      right: { kind: 'column', columnId: 'title' },
    }),
  };
  const ground = groundOf(columns, types, [...filterOperators, sameAsTitle]);
  const problem = (id: string) => problemOfRule(rule(red, where('states', id, 'open')), ground, columns);
  expect(problem('same')).toEqual({ kind: 'undecided' });
  expect(canDecide('states', 'same', ground)).toBe(false);
  expect(problem('eq')).toBeUndefined();
  expect(canDecide('states', 'eq', ground)).toBe(true);
});

describe('by a list of options', () => {
  test('a row has the colour of its option, in the tone that can be told from others', () => {
    const kept = { by: 'column', columnId: 'state' } as const;
    expect(colorOf(kept, { state: 'open' })).toBe(blue);
    expect(colorOf(kept, { state: 'done' })).toBe('#c01a94');
    expect(colorOf(kept, { state: 'lost' })).toBeUndefined();
    expect(colorOf(kept, { state: null })).toBeUndefined();
    expect(colorsOf(kept)?.columnIds).toEqual(['state']);
  });

  test('nothing is coloured once the column is gone', () => {
    expect(colorsOf({ by: 'column', columnId: 'lost' })).toBeUndefined();
  });
});
