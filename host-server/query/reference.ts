import type { Expression, Predicate, StorageKind } from '@trellis/sdk/shared';
import { Decimal } from 'decimal.js';
import { columnId, type Cell, type TableFixture } from './testing.ts';

/** The meaning of trees, worked out in plain JavaScript over rows in memory. It shares no code with the compiler. */

const Exact = Decimal.clone({ precision: 200 });

/** A value with its kind; undefined is null. */
export type Value =
  { readonly kind: StorageKind; readonly value: Decimal | number | string | boolean } | undefined;

type Truth = boolean | undefined;

/** A row of the fixtures. */
export interface Place {
  readonly table: string;
  readonly index: number;
}

export const library: Readonly<Record<string, TableFixture>> = {
  author: {
    columns: {
      id: 'integer',
      name: 'string',
      notes: 'text',
      whole: 'integer',
      price: 'decimal',
      ratio: 'float',
      alive: 'boolean',
      born: 'date',
    },
    rows: [
      [1, 'Äpfel', 'ende ', 0, '1.50', 0.5, true, '2000-01-01'],
      [2, 'apfel', '', 7, '-0.000001', -2.25, false, '1999-12-31'],
      [3, 'APFEL', null, -7, '1000000.123456', 1024, null, '2024-02-29'],
      [4, null, '100% _!', 2147483647, '0', 0, true, null],
      [5, '東京', 'Москва', null, null, null, false, '1970-01-01'],
      [6, 'ende', 'ENDE', -2147483648, '1.5', -0.125, null, '2023-03-31'],
      [7, '', '0', 1, '99999.99', 1048576, true, '1900-02-28'],
    ],
  },
  book: {
    columns: {
      id: 'integer',
      author: 'integer',
      title: 'string',
      whole: 'integer',
      price: 'decimal',
      out: 'date',
    },
    rows: [
      [11, 1, 'b', 3, '9.90', '2001-05-31'],
      [12, 1, 'B', null, '0.10', null],
      [13, 1, 'a', -3, null, '1999-01-31'],
      [14, 2, null, 5, '5', '2024-02-29'],
      [15, null, 'ohne', 8, '8.88', '2020-01-01'],
      [16, 6, 'Ä', 0, '0.00', '2000-02-29'],
    ],
  },
  tag: {
    columns: { id: 'integer', label: 'string', whole: 'integer' },
    rows: [
      [21, 'rot', 1],
      [22, 'Rot', 2],
      [23, null, null],
    ],
  },
  book_tag: {
    columns: { id: 'integer', book: 'integer', tag: 'integer' },
    rows: [
      [31, 11, 21],
      [32, 11, 22],
      [33, 14, 23],
      [34, 16, 21],
      [35, 15, 22],
    ],
  },
};

const plain = { through: undefined } as const;

/** One foreign key from both sides, and the way over the junction table from both sides. */
export const links = [
  {
    id: 'books',
    kind: 'hasMany',
    tableId: 'author',
    columnIds: ['author.id'],
    toTableId: 'book',
    toColumnIds: ['book.author'],
    ...plain,
  },
  {
    id: 'author',
    kind: 'belongsTo',
    tableId: 'book',
    columnIds: ['book.author'],
    toTableId: 'author',
    toColumnIds: ['author.id'],
    ...plain,
  },
  {
    id: 'tags',
    kind: 'manyToMany',
    tableId: 'book',
    columnIds: ['book.id'],
    toTableId: 'tag',
    toColumnIds: ['tag.id'],
    through: { tableId: 'book_tag', columnIds: ['book_tag.book'], toColumnIds: ['book_tag.tag'] },
  },
] as const;

function cellOf({ table, index }: Place, id: string): Value {
  const fixture = library[table];
  const names = Object.keys(fixture?.columns ?? {});
  const name = names.find((candidate) => columnId(table, candidate) === id);
  if (fixture === undefined || name === undefined)
    throw new Error(`The table '${table}' has no column '${id}'.`);
  return typed(fixture.columns[name] ?? 'text', fixture.rows[index]?.[names.indexOf(name)] ?? null);
}

function typed(kind: StorageKind, cell: Cell): Value {
  if (cell === null) return undefined;
  if (kind === 'integer' || kind === 'bigint' || kind === 'decimal')
    return { kind, value: new Exact(String(cell)) };
  return { kind, value: cell };
}

/** The rows that a link leads to from a row, in the order of their keys. */
export function linkedRows(place: Place, linkId: string, where: Predicate | undefined): readonly Place[] {
  const link = links.find((candidate) => candidate.id === linkId);
  if (link === undefined) throw new Error(`No link '${linkId}'.`);
  const own = cellOf(place, link.columnIds[0]);
  const rowsOf = (table: string) => (library[table]?.rows ?? []).map((_, index): Place => ({ table, index }));
  const meets = (left: Value, right: Value) =>
    left !== undefined && right !== undefined && compare(left, right) === 0;
  const { through } = link;
  const there = rowsOf(link.toTableId).filter((other) =>
    through === undefined
      ? meets(own, cellOf(other, link.toColumnIds[0]))
      : rowsOf(through.tableId).some(
          (middle) =>
            meets(own, cellOf(middle, through.columnIds[0])) &&
            meets(cellOf(middle, through.toColumnIds[0]), cellOf(other, link.toColumnIds[0])),
        ),
  );
  return where === undefined ? there : there.filter((other) => evaluatePredicate(where, other) === true);
}

/** The value of a tree for a row. */
export function evaluate(of: Expression, place: Place): Value {
  switch (of.kind) {
    case 'column':
      return cellOf(place, of.columnId);
    case 'literal':
      return typed(of.storage, of.value);
    case 'arithmetic':
      return arithmetic(of.operator, evaluate(of.left, place), evaluate(of.right, place), kindOf(of));
    case 'concat':
      return { kind: 'text', value: of.items.map((item) => textOf(evaluate(item, place))).join('') };
    case 'case': {
      const branch = of.branches.find(({ when }) => evaluatePredicate(when, place) === true);
      const chosen = branch?.value ?? of.otherwise;
      const value = chosen === undefined ? undefined : evaluate(chosen, place);
      return value && inKind(value, kindOf(of));
    }
    case 'test': {
      const truth = evaluatePredicate(of.predicate, place);
      return truth === undefined ? undefined : { kind: 'boolean', value: truth };
    }
    case 'related':
      return aggregate(of, linkedRows(place, of.linkId, of.where));
    case 'call':
      return call(
        of.function,
        of.arguments.map((argument) => evaluate(argument, place)),
      );
  }
}

/** The kind of a number, which is that of the tree and not only of the value: a case of 1 and 0.5 gives decimals. */
function kindOf(of: Expression): StorageKind {
  const common = (...kinds: StorageKind[]): StorageKind =>
    (['float', 'decimal', 'bigint', 'integer'] as const).find((kind) => kinds.includes(kind)) ??
    kinds[0] ??
    'text';
  switch (of.kind) {
    case 'column': {
      const [table = '', name = ''] = of.columnId.split('.');
      return library[table]?.columns[name] ?? 'text';
    }
    case 'literal':
      return of.storage;
    case 'arithmetic': {
      const kind = of.operator === 'divide' ? 'float' : common(kindOf(of.left), kindOf(of.right));
      if (kind === 'integer' || kind === 'bigint') return 'bigint';
      return kind === 'float' && of.operator !== 'modulo' ? 'float' : 'decimal';
    }
    case 'case':
      return common(
        ...of.branches.map(({ value }) => kindOf(value)),
        ...(of.otherwise === undefined ? [] : [kindOf(of.otherwise)]),
      );
    case 'related': {
      if (of.aggregate === 'count' || of.aggregate === 'countDistinct' || of.of === undefined)
        return 'bigint';
      const kind = kindOf(of.of);
      return of.aggregate === 'sum' && kind !== 'float' ? 'decimal' : kind;
    }
    case 'call':
      return /^ADD_/.test(of.function) ? 'date' : /^(UPPER|LOWER)$/.test(of.function) ? 'text' : 'integer';
    case 'concat':
      return 'text';
    case 'test':
      return 'boolean';
  }
}

function numberOf({ value }: Exclude<Value, undefined>): Decimal {
  return new Exact(value as Decimal | number);
}

function inKind(value: Exclude<Value, undefined>, kind: StorageKind): Value {
  if (kind === 'float') return { kind, value: Number(numberOf(value)) };
  if (kind === 'decimal' || kind === 'bigint' || kind === 'integer') return { kind, value: numberOf(value) };
  return value;
}

function arithmetic(operator: string, left: Value, right: Value, kind: StorageKind): Value {
  if (left === undefined || right === undefined) return undefined;
  const [a, b] = [numberOf(left), numberOf(right)];
  if (operator === 'divide') return b.isZero() ? undefined : { kind, value: Number(a) / Number(b) };
  if (operator === 'modulo') return b.isZero() ? undefined : { kind, value: a.mod(b) };
  if (kind === 'float') {
    const [x, y] = [Number(a), Number(b)];
    return { kind, value: operator === 'add' ? x + y : operator === 'subtract' ? x - y : x * y };
  }
  return { kind, value: operator === 'add' ? a.add(b) : operator === 'subtract' ? a.sub(b) : a.mul(b) };
}

function textOf(value: Value): string {
  if (value === undefined) return '';
  return value.value instanceof Decimal ? value.value.toFixed() : String(value.value);
}

function compare(left: Exclude<Value, undefined>, right: Exclude<Value, undefined>): number {
  if (left.kind === 'float' || right.kind === 'float')
    return Math.sign(Number(numberOf(left)) - Number(numberOf(right)));
  if (left.value instanceof Decimal) return left.value.cmp(numberOf(right));
  const [a, b] = [Buffer.from(String(left.value)), Buffer.from(String(right.value))];
  return Buffer.compare(a, b);
}

function aggregate(of: Extract<Expression, { kind: 'related' }>, places: readonly Place[]): Value {
  if (of.aggregate === 'count' || of.of === undefined)
    return { kind: 'bigint', value: new Exact(places.length) };
  const { of: item } = of;
  const all = places.map((place) => evaluate(item, place));
  const values = all.filter((value) => value !== undefined);
  switch (of.aggregate) {
    case 'countDistinct': {
      const distinct = values.filter(
        (value, index) => values.findIndex((other) => compare(value, other) === 0) === index,
      );
      return { kind: 'bigint', value: new Exact(distinct.length) };
    }
    case 'sum': {
      if (values.length === 0) return undefined;
      const isFloat = values.some(({ kind }) => kind === 'float');
      const total = values.reduce((sum, value) => sum.add(numberOf(value)), new Exact(0));
      return isFloat ? { kind: 'float', value: Number(total) } : { kind: 'decimal', value: total };
    }
    case 'first':
      return all[0];
    default: {
      const sorted = values.toSorted(compare);
      return of.aggregate === 'min' ? sorted[0] : sorted.at(-1);
    }
  }
}

const day = 86_400_000;
const dateText = (at: number) => new Date(at).toISOString().slice(0, 10);

function call(name: string, values: readonly Value[]): Value {
  const [first, second] = values;
  if (name === 'IS_EMPTY') return { kind: 'boolean', value: first === undefined || first.value === '' };
  if (values.includes(undefined) || first === undefined) return undefined;
  const whole = (value: number): Value => ({ kind: 'integer', value: new Exact(value) });
  const at = new Date(`${textOf(first)}T00:00:00Z`);
  switch (name) {
    case 'UPPER':
      return { kind: 'text', value: textOf(first).toUpperCase() };
    case 'LOWER':
      return { kind: 'text', value: textOf(first).toLowerCase() };
    case 'LENGTH':
      return whole(Array.from(textOf(first)).length);
    case 'YEAR':
      return whole(at.getUTCFullYear());
    case 'MONTH':
      return whole(at.getUTCMonth() + 1);
    case 'DAY':
      return whole(at.getUTCDate());
    case 'WEEKDAY':
      return whole((at.getUTCDay() + 6) % 7);
    case 'DAYS_BETWEEN':
      return whole((Date.parse(textOf(second)) - at.getTime()) / day);
    default:
      return { kind: 'date', value: added(name, at, Number(textOf(second))) };
  }
}

/** A month later than the 31st is the last day of a shorter month. */
function added(name: string, at: Date, amount: number): string {
  const days = { ADD_DAYS: 1, ADD_WEEKS: 7 }[name];
  if (days !== undefined) return dateText(at.getTime() + amount * days * day);
  const months = amount * ({ ADD_MONTHS: 1, ADD_QUARTERS: 3, ADD_YEARS: 12 }[name] ?? 0);
  const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return dateText(first.getTime() + (Math.min(at.getUTCDate(), last) - 1) * day);
}

/** Whether a condition holds for a row; undefined where it is neither true nor false. */
export function evaluatePredicate(of: Predicate, place: Place): Truth {
  const value = (item: Expression) => evaluate(item, place);
  const compared = (left: Value, right: Value, test: (order: number) => boolean): Truth =>
    left === undefined || right === undefined ? undefined : test(compare(left, right));
  switch (of.kind) {
    case 'always':
      return of.value;
    case 'and':
      return all(of.items.map((item) => evaluatePredicate(item, place)));
    case 'or':
      return not(all(of.items.map((item) => not(evaluatePredicate(item, place)))));
    case 'not':
      return not(evaluatePredicate(of.item, place));
    case 'compare': {
      const tests = {
        eq: (order: number) => order === 0,
        neq: (order: number) => order !== 0,
        gt: (order: number) => order > 0,
        gte: (order: number) => order >= 0,
        lt: (order: number) => order < 0,
        lte: (order: number) => order <= 0,
      };
      return compared(value(of.left), value(of.right), tests[of.comparison]);
    }
    case 'in': {
      const item = value(of.item);
      if (of.values.length === 0) return false;
      const hits = of.values.map((choice) => compared(item, value(choice), (order) => order === 0));
      return hits.includes(true) ? true : hits.includes(undefined) ? undefined : false;
    }
    case 'between':
      return all([
        compared(value(of.item), value(of.low), (order) => order >= 0),
        compared(value(of.item), value(of.high), (order) => order <= 0),
      ]);
    case 'like': {
      const item = value(of.item);
      return item === undefined ? undefined : isLike(textOf(item), of.pattern);
    }
    case 'isNull':
      return value(of.item) === undefined;
    case 'some':
      return linkedRows(place, of.linkId, of.where).length > 0;
    case 'call':
      return value(of)?.value === true;
  }
}

const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);
const all = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.toLowerCase().split('%');
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 's').test(text.toLowerCase());
}
