import type { Expression, Predicate } from '@trellis/sdk/shared';
import {
  alike,
  arithmetic,
  call,
  compare,
  conditionOf,
  empty,
  isNull,
  not,
  order,
  when,
  whole,
  words,
  type Kind,
  type Typed,
} from '../typed.ts';
import type { Value } from '../values.ts';
import { balanced, expressionsOf, itemAt, type FormulaFunction, type Parameter } from './define.ts';

const condition: Parameter = { name: 'condition', takes: 'condition' };
const value: Parameter = { name: 'value', takes: 'any' };
const logic = { group: 'Logic', takesEmpty: true } as const;

/** Converts the arguments at certain places to the same kind. */
function alikeAt(items: readonly Typed[], isResult: (index: number) => boolean): readonly Typed[] {
  const results = alike(items.filter((_, index) => isResult(index)));
  let next = 0;
  return items.map((item, index) => (isResult(index) ? (results[next++] ?? item) : item));
}

const kindAt = (items: readonly Typed[], isResult: (index: number) => boolean): Kind => {
  const [first] = items.filter((item, index) => isResult(index) && item.kind !== 'nothing');
  return first?.kind ?? 'nothing';
};

function condition3(
  name: 'AND' | 'OR',
  summary: string,
  run: (values: readonly Value[]) => boolean | null,
): FormulaFunction {
  const holds = (items: readonly Typed[]): Predicate => ({
    kind: name === 'AND' ? 'and' : 'or',
    items: items.map(conditionOf),
  });
  return {
    ...logic,
    name,
    parameters: [condition],
    repeats: 1,
    result: 'boolean',
    summary,
    holds,
    build: (items) => ({ kind: 'test', predicate: holds(items) }),
    run,
  };
}

/** A boolean function. */
function predicate(
  definition: Pick<FormulaFunction, 'name' | 'parameters' | 'repeats' | 'summary' | 'run' | 'prepare'>,
  holds: (items: readonly Typed[]) => Predicate,
): FormulaFunction {
  return {
    ...logic,
    ...definition,
    result: 'boolean',
    holds,
    build: (items) => ({ kind: 'test', predicate: holds(items) }),
  };
}

function constant(name: string, kind: Kind, of: boolean | null, summary: string): FormulaFunction {
  return {
    ...logic,
    name,
    parameters: [],
    result: kind,
    summary,
    build: () => (of === null ? empty('nothing') : { kind: 'literal', value: of, storage: 'boolean' }),
    run: () => of,
  };
}

function firstFilled(name: string, summary: string): FormulaFunction {
  return {
    ...logic,
    name,
    parameters: [value],
    repeats: 1,
    result: (items) => kindAt(items, () => true),
    summary,
    prepare: alike,
    build: (items) => ({
      kind: 'case',
      branches: items.map(({ expression }) => ({ when: not(isNull(expression)), value: expression })),
    }),
    run: (values) => values.find((found) => found !== null) ?? null,
  };
}

const isSwitchResult = (length: number) => (index: number) =>
  index > 0 && (index % 2 === 0 || (index === length - 1 && length % 2 === 0));
const isOdd = (index: number) => index % 2 === 1;

export const logicFunctions: readonly FormulaFunction[] = [
  {
    ...logic,
    name: 'IF',
    parameters: [condition, { name: 'then', takes: 'any' }, { name: 'else', takes: 'any', optional: true }],
    result: (items) => kindAt(items, (index) => index > 0),
    summary: 'One value where the condition holds, else the other one.',
    prepare: (items) => alikeAt(items, (index) => index > 0),
    build: (items) => when(conditionOf(itemAt(items, 0)), itemAt(items, 1).expression, items[2]?.expression),
    run: ([holds, then = null, otherwise = null]) => (holds === true ? then : otherwise),
  },
  {
    ...logic,
    name: 'IFS',
    parameters: [condition, value],
    repeats: 2,
    result: (items) => kindAt(items, isOdd),
    summary: 'The value of the first condition that holds.',
    prepare: (items) => alikeAt(items, isOdd),
    build: (items) => ({
      kind: 'case',
      branches: items.flatMap((item, index) =>
        isOdd(index) ? [{ when: conditionOf(itemAt(items, index - 1)), value: item.expression }] : [],
      ),
    }),
    run: (values) => values.find((_, index) => isOdd(index) && values[index - 1] === true) ?? null,
  },
  {
    ...logic,
    name: 'SWITCH',
    parameters: [
      value,
      { name: 'case', takes: 'any' },
      { name: 'result', takes: 'any' },
      { name: 'default', takes: 'any', optional: true },
    ],
    repeats: 2,
    result: (items) => kindAt(items, isSwitchResult(items.length)),
    summary: 'The result of the first case that equals the value, else the default.',
    prepare(items) {
      const isResult = isSwitchResult(items.length);
      return alikeAt(
        alikeAt(items, (index) => !isResult(index)),
        isResult,
      );
    },
    build(items) {
      const { expression: switched } = itemAt(items, 0);
      const branches = items.flatMap((item, index) =>
        index > 0 && index % 2 === 0
          ? [{ when: compare('eq', switched, itemAt(items, index - 1).expression), value: item.expression }]
          : [],
      );
      const otherwise = items.length % 2 === 0 ? items.at(-1)?.expression : undefined;
      return { kind: 'case', branches, ...(otherwise !== undefined && { otherwise }) };
    },
    run(values) {
      const [switched = null] = values;
      for (let index = 2; index < values.length; index += 2)
        if (order(switched, values[index - 1] ?? null) === 0) return values[index] ?? null;
      return values.length % 2 === 0 ? (values.at(-1) ?? null) : null;
    },
  },
  condition3('AND', 'Whether all conditions hold.', (values) =>
    values.includes(false) ? false : values.includes(null) ? null : true,
  ),
  condition3('OR', 'Whether one of the conditions holds.', (values) =>
    values.includes(true) ? true : values.includes(null) ? null : false,
  ),
  predicate(
    {
      name: 'NOT',
      parameters: [condition],
      summary: 'Whether the condition does not hold.',
      run: ([holds = null]) => (holds === null ? null : !holds),
    },
    (items) => not(conditionOf(itemAt(items, 0))),
  ),
  predicate(
    {
      name: 'XOR',
      parameters: [condition],
      repeats: 1,
      summary: 'Whether an odd number of the conditions holds.',
      run: (values) => values.filter((holds) => holds === true).length % 2 === 1,
    },
    (items) => {
      const counts = items.map((item) => when(conditionOf(item), whole(1), whole(0)));
      const total = balanced(counts, (left, right) => arithmetic('add', left, right));
      return compare('eq', arithmetic('modulo', total, whole(2)), whole(1));
    },
  ),
  predicate(
    {
      name: 'ISBLANK',
      parameters: [value],
      summary: 'Whether a value is empty; an empty text is.',
      run: ([given = null]) => given === null || given === '',
    },
    (items) => ({ kind: 'call', function: 'IS_EMPTY', arguments: expressionsOf(items) }),
  ),
  predicate(
    {
      name: 'ISERROR',
      parameters: [value],
      summary: 'Whether a value is not there, as that of 1 / 0; an empty text is there.',
      run: ([given = null]) => given === null,
    },
    (items) => isNull(itemAt(items, 0).expression),
  ),
  constant('BLANK', 'nothing', null, 'No value.'),
  constant('ERROR', 'nothing', null, 'No value, as of what cannot be worked out.'),
  constant('TRUE', 'boolean', true, 'True.'),
  constant('FALSE', 'boolean', false, 'False.'),
  firstFilled('COALESCE', 'The first of the values that is there.'),
  firstFilled('IFERROR', 'The first of the values that could be worked out: 1 / 0 cannot.'),
  {
    ...logic,
    name: 'RECORD_ID',
    parameters: [],
    result: 'text',
    summary: 'The key of the row, as a text.',
    build: (_, { keyIds }) => rowKey(keyIds),
    run: (_, { id }) => id,
  },
];

/** The key of a row in the form of `formatRowKey`. */
function rowKey(keyIds: readonly string[]): Expression {
  const parts = keyIds.map((columnId) => call('TEXT', { kind: 'column', columnId }));
  const [first = empty('text')] = parts;
  if (parts.length <= 1) return first;
  const items = parts.map(escapedPart);
  return {
    kind: 'concat',
    items: items.flatMap((part, index) => (index === 0 ? [part] : [words('___'), part])),
  };
}

const underscores = '__';
const coded = '%5F%5F';

/** A part of a key, with separators escaped: see `formatRowKey`. */
function escapedPart(part: Expression): Expression {
  const replace = (text: Expression, search: string, by: string) =>
    call('REPLACE', text, words(search), words(by));
  const kept = replace(replace(part, '%25', '%2525'), '%5F', '%255F');
  // Between added underscores, those at its ends are pairs as well, and are escaped in the same way.
  const between: Expression = { kind: 'concat', items: [words(underscores), kept, words(underscores)] };
  // An odd one is left after the pairs.
  const escaped = replace(replace(between, underscores, coded), '%5F_', coded);
  const length = arithmetic('subtract', call('LENGTH', escaped), whole(2 * coded.length));
  return call('SUBSTRING', escaped, whole(coded.length + 1), length);
}
