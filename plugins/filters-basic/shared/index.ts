import {
  filterList,
  type CellValue,
  type Comparison,
  type Expression,
  type FilterOperator,
  type FilterOperatorInput,
  type LinkedFilterInput,
  type Predicate,
} from '@trellis/sdk/shared';

import { dateOperators } from './date-operators.ts';

const not = (item: Predicate): Predicate => ({ kind: 'not', item });
const isNull = ({ column, isMissing }: FilterOperatorInput): Predicate =>
  isMissing ?? { kind: 'isNull', item: column };

/** Of cells with several values: none of them meets it. Where there is none, that is so. */
const noneMeets =
  (build: (input: FilterOperatorInput) => Predicate) =>
  (linked: LinkedFilterInput): Predicate =>
    not(linked.some(build));
const hasNone = (linked: LinkedFilterInput): Predicate => not(linked.some());
const hasSome = (linked: LinkedFilterInput): Predicate => linked.some();

function isTextual({ storage }: FilterOperatorInput): boolean {
  return storage === 'string' || storage === 'text' || storage === 'json';
}

function literalNull(literal: Expression): boolean {
  return literal.kind === 'literal' && literal.value === null;
}

function compare(comparison: Comparison, input: FilterOperatorInput): Predicate {
  const right = input.literal(input.value);
  return { kind: 'compare', comparison, left: input.column, right };
}

/** An empty checkbox counts as not ticked. */
function equal(input: FilterOperatorInput): Predicate {
  const same = compare('eq', input);
  if (same.kind === 'compare' && literalNull(same.right)) return isNull(input);
  const isUnticked = same.kind === 'compare' && same.right.kind === 'literal' && same.right.value === false;
  return isUnticked ? { kind: 'or', items: [same, isNull(input)] } : same;
}

/** Rows without a value are not "different"; only a ticked box differs from an unticked one. */
function different(input: FilterOperatorInput): Predicate {
  const other = compare('neq', input);
  if (other.kind === 'compare' && literalNull(other.right)) return not(isNull(input));
  const isTicked = other.kind === 'compare' && other.right.kind === 'literal' && other.right.value === true;
  return isTicked ? { kind: 'or', items: [other, isNull(input)] } : other;
}

function textOf(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `%` is a wildcard; without one the text may stand anywhere. */
function like(input: FilterOperatorInput): Predicate {
  const words = textOf(input.value);
  // SQLite would end the pattern there, and the others refuse it in words of their own.
  if (words.includes('\0')) throw new RangeError('must not hold the NUL character');
  return { kind: 'like', item: input.column, pattern: words.includes('%') ? words : `%${words}%` };
}

/** The two ends of a range. */
function endsOf(value: CellValue | undefined): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  const text = textOf(value);
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

function oneOf(input: FilterOperatorInput): Predicate {
  const parts = filterList(input.value);
  if (parts.length > 1000) throw new RangeError('has more than 1000 values');
  return { kind: 'in', item: input.column, values: parts.map((part) => input.literal(part)) };
}

function between(input: FilterOperatorInput): Predicate {
  const parts = endsOf(input.value);
  if (parts.length !== 2) throw new RangeError('needs two values, such as 1,10');
  return { kind: 'between', item: input.column, low: input.literal(parts[0]), high: input.literal(parts[1]) };
}

/** Only texts can be empty without being null. */
function empty(input: FilterOperatorInput): Predicate {
  if (!isTextual(input)) return isNull(input);
  const blank: Expression = { kind: 'literal', value: '', storage: 'text' };
  if (input.storage === 'json') return isNull(input);
  return { kind: 'compare', comparison: 'eq', left: input.column, right: blank };
}

function notEmpty(input: FilterOperatorInput): Predicate {
  const filled = not(isNull(input));
  return isTextual(input) && input.storage !== 'json'
    ? { kind: 'and', items: [filled, not(empty(input))] }
    : filled;
}

/**
 * Whether a person sees nothing in a cell: it was never filled, or was emptied, as texts are to '' and lists to []. A link is blank
 * where it leads to no row, whatever names the rows. As footers and formulas count it.
 */
function blank(input: FilterOperatorInput): Predicate {
  if (input.isMissing !== undefined || !isTextual(input)) return isNull(input);
  return { kind: 'call', function: 'IS_EMPTY', arguments: [input.column] };
}

const notBlank = (input: FilterOperatorInput): Predicate => not(blank(input));

/** Of values of linked rows: whether there is one to be seen. */
function someFilled(linked: LinkedFilterInput): Predicate {
  return linked.linkedTo === undefined ? linked.some(notBlank) : hasSome(linked);
}

function is(input: FilterOperatorInput): Predicate {
  switch (textOf(input.value).trim().toLowerCase()) {
    case 'null':
      return isNull(input);
    case 'notnull':
      return not(isNull(input));
    case 'empty':
      return empty(input);
    case 'notempty':
      return notEmpty(input);
    default:
      throw new RangeError("must be one of 'null', 'notnull', 'empty', 'notempty'");
  }
}

export { periodUnits, readDistance, readPeriod, writeDistance, writePeriod, type Period } from './periods.ts';

function isLinked(linked: LinkedFilterInput): Predicate {
  const word = textOf(linked.value).trim().toLowerCase();
  if (word === 'null' || word === 'empty') return hasNone(linked);
  if (word === 'notnull' || word === 'notempty') return hasSome(linked);
  return linked.some(is);
}

/** The comparisons that the v1 API knows, best known first, and `blank`, which is what people mean by empty. */
export const filterOperators: readonly FilterOperator[] = [
  { id: 'eq', label: 'is equal', arity: 'one', build: equal },
  {
    id: 'neq',
    aliases: ['not'],
    label: 'is not equal',
    arity: 'one',
    build: different,
    buildLinked: noneMeets(equal),
  },
  { id: 'like', takes: 'words', label: 'contains', arity: 'one', build: like },
  {
    id: 'nlike',
    takes: 'words',
    label: 'does not contain',
    arity: 'one',
    build: (input) => not(like(input)),
    buildLinked: noneMeets(like),
  },
  {
    id: 'blank',
    label: 'is empty',
    arity: 'none',
    build: blank,
    buildLinked: (linked) => not(someFilled(linked)),
  },
  { id: 'notblank', label: 'is not empty', arity: 'none', build: notBlank, buildLinked: someFilled },
  {
    id: 'empty',
    coveredBy: 'blank',
    label: 'is an empty text',
    arity: 'none',
    build: empty,
    buildLinked: hasNone,
  },
  {
    id: 'notempty',
    coveredBy: 'notblank',
    label: 'is not an empty text',
    arity: 'none',
    build: notEmpty,
    buildLinked: hasSome,
  },
  { id: 'null', coveredBy: 'blank', label: 'is null', arity: 'none', build: isNull, buildLinked: hasNone },
  {
    id: 'notnull',
    coveredBy: 'notblank',
    label: 'is not null',
    arity: 'none',
    build: (input) => not(isNull(input)),
    buildLinked: hasSome,
  },
  { id: 'gt', label: '>', arity: 'one', build: (input) => compare('gt', input) },
  { id: 'gte', aliases: ['ge'], label: '≥', arity: 'one', build: (input) => compare('gte', input) },
  { id: 'lt', label: '<', arity: 'one', build: (input) => compare('lt', input) },
  { id: 'lte', aliases: ['le'], label: '≤', arity: 'one', build: (input) => compare('lte', input) },
  { id: 'in', label: 'is one of', arity: 'list', build: oneOf },
  { id: 'btw', label: 'is between', arity: 'two', build: between },
  {
    id: 'nbtw',
    label: 'is not between',
    arity: 'two',
    build: (input) => not(between(input)),
    buildLinked: noneMeets(between),
  },
  { id: 'is', takes: 'words', label: 'is', arity: 'one', build: is, buildLinked: isLinked },
  {
    id: 'isnot',
    takes: 'words',
    label: 'is not',
    arity: 'one',
    build: (input) => not(is(input)),
    buildLinked: (linked) => not(isLinked(linked)),
  },
  ...dateOperators,
];
