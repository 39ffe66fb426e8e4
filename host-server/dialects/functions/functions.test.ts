import { describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { StorageKind } from '@trellis/sdk/shared';
import type { Database } from '../../databases/database.ts';
import { decimalKey, decimalOfKey, DecimalSum } from '../../databases/sqlite/decimal-key.ts';
import { describeEachDatabase } from '../../databases/testing.ts';
import { bound, sql, text, toRaw, type SqlFragment } from '../../sql/fragment.ts';
import { likePattern, type SqlType } from './default.ts';

const WORDS = [
  'apple',
  'Apple',
  'APPLE',
  'äpfel',
  'Äpfel',
  'apfel',
  'zebra',
  'a',
  'a ',
  '',
  '50% off!',
  'under_score',
  'back\\slash',
];
const DECIMALS = [
  '1.5',
  '1.50',
  '10',
  '9',
  '-1.2',
  '-1.25',
  '0',
  '0.000000000000000000000000000001',
  '123456789012345678901234567890',
];

async function withColumn(
  open: () => Promise<Database>,
  kind: StorageKind,
  values: readonly unknown[],
): Promise<Database> {
  const database = await open();
  const codec = database.dialect.types.codec(kind, database.dialect.types.nativeFor(kind));
  await database.schema((changer) =>
    changer.createTable({
      name: 't',
      columns: [
        { name: 'id', kind: 'integer' },
        { name: 'v', kind },
      ],
      primaryKey: ['id'],
    }),
  );
  await database.write(async (unit) => {
    for (const [id, value] of values.entries())
      await unit.run(unit.knex('t').insert({ id, v: codec.toDatabase(value) as never }));
  });
  return database;
}

const V = text('v');

async function idsWhere(database: Database, condition: SqlFragment): Promise<unknown[]> {
  const { rows } = await database.read((unit) =>
    unit.rows(
      unit
        .knex('t')
        .select('id')
        .whereRaw(toRaw(unit.knex, condition) as never)
        .orderBy('id'),
    ),
  );
  return rows.map(([id]) => id);
}

async function valuesOrdered(database: Database, terms: readonly SqlFragment[]): Promise<unknown[]> {
  const order = terms.map((term) => toRaw(database.builder, term));
  const { rows } = await database.read((unit) => {
    const query = unit.knex('t').select('v');
    for (const term of order) query.orderByRaw(term as never);
    return unit.rows(query);
  });
  return rows.map(([value]) => value);
}

async function answer(database: Database, expression: SqlFragment): Promise<unknown> {
  const { rows } = await database.read((unit) => unit.rows(unit.knex.select(toRaw(unit.knex, expression))));
  return rows[0]?.[0];
}

describeEachDatabase('an expression means the same', (open) => {
  const string: SqlType = { kind: 'string' };
  const decimal: SqlType = { kind: 'decimal' };

  test('for text: exact equality, patterns without case, order by letter and then case', async () => {
    const database = await withColumn(open, 'string', [...WORDS, null]);
    const { functions } = database.dialect;
    const value = (word: string) => functions.value(string, word);
    for (const word of WORDS) {
      expect(await idsWhere(database, functions.equals(string, V, value(word)))).toEqual([
        WORDS.indexOf(word),
      ]);
    }
    const like = (shape: Parameters<typeof likePattern>[0], words: string) =>
      idsWhere(database, functions.like(V, likePattern(shape, words)));
    expect(await like('contains', 'PPL')).toEqual([0, 1, 2]);
    expect(await like('startsWith', 'ÄPF')).toEqual([3, 4]);
    expect(await like('endsWith', 'LE')).toEqual([0, 1, 2]);
    expect(await like('exactly', 'APFEL')).toEqual([5]);
    expect(await like('contains', '50% off!')).toEqual([10]);
    expect(await like('contains', '%')).toEqual([10]);
    expect(await like('contains', '_')).toEqual([11]);
    expect(await like('contains', '\\')).toEqual([12]);
    expect(await idsWhere(database, functions.isEmpty(string, V))).toEqual([9, 13]);
    expect(await idsWhere(database, functions.oneOf(string, V, [value('a'), value('zebra')]))).toEqual([
      6, 7,
    ]);
    expect(await idsWhere(database, functions.oneOf(string, V, []))).toEqual([]);
    expect(await idsWhere(database, functions.same(string, V, text('null')))).toEqual([13]);
    expect(await idsWhere(database, sql`not (${functions.same(string, V, value('apple'))})`)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
    ]);
    expect(await idsWhere(database, functions.compare(string, '>', V, value('under')))).toEqual([
      3, 4, 6, 11,
    ]);
    const groups = await database.read((unit) => {
      const key = toRaw(unit.knex, functions.groupKey(string, V));
      return unit.rows(
        unit
          .knex('t')
          .select(key)
          .count()
          .groupByRaw(key as never),
      );
    });
    expect(groups.rows).toHaveLength(WORDS.length + 1);
    expect(new Set(groups.rows.map(([word]) => word))).toEqual(new Set([...WORDS, null]));
    const ordered = [
      null,
      '',
      '50% off!',
      'a',
      'a ',
      'apfel',
      'APPLE',
      'Apple',
      'apple',
      'back\\slash',
      'under_score',
      'zebra',
      'Äpfel',
      'äpfel',
    ];
    expect(await valuesOrdered(database, functions.orderBy(string, V, 'asc'))).toEqual(ordered);
    expect(await valuesOrdered(database, functions.orderBy(string, V, 'desc'))).toEqual(
      [...ordered].reverse(),
    );
  });

  test('for texts of blanks and of characters without width, which are not empty', async () => {
    const database = await withColumn(open, 'string', ['', ' ', '\t', '\u200b', '\u0301', null]);
    const { functions, texts } = database.dialect;
    expect(await idsWhere(database, functions.isEmpty(string, V))).toEqual([0, 5]);
    const made = texts.replace(V, bound('x'), bound('y'));
    expect(await idsWhere(database, functions.isEmpty({ kind: 'text' }, made))).toEqual([0, 5]);
  });

  test('for sums of whole numbers: by number, beyond what a float holds too', async () => {
    const sums = ['9007199254740993', '-9007199254740993', '9007199254740992', '12', '2', '-3', '0'];
    const database = await withColumn(open, 'decimal', [...sums, null]);
    const whole = { kind: 'decimal', isWhole: true } as const;
    const ordered = async (direction: 'asc' | 'desc') =>
      (await valuesOrdered(database, database.dialect.functions.orderBy(whole, V, direction))).map((raw) =>
        raw === null ? null : `${raw as string | number}`.replace(/\.0*$/, ''),
      );
    const rising = [null, '-9007199254740993', '-3', '0', '2', '12', '9007199254740992', '9007199254740993'];
    expect(await ordered('asc')).toEqual(rising);
    expect(await ordered('desc')).toEqual(rising.toReversed());
  });

  test('for decimals: by number, to the last digit', async () => {
    const database = await withColumn(open, 'decimal', [...DECIMALS, null]);
    const { functions, types } = database.dialect;
    const codec = types.codec('decimal', types.nativeFor('decimal'));
    const value = (digits: string) => functions.value(decimal, codec.toDatabase(digits));
    expect(await idsWhere(database, functions.equals(decimal, V, value('1.500')))).toEqual([0, 1]);
    expect(
      await idsWhere(database, functions.equals(decimal, V, value('123456789012345678901234567891'))),
    ).toEqual([]);
    expect(await idsWhere(database, functions.compare(decimal, '<', V, value('-1.2')))).toEqual([5]);
    expect(await idsWhere(database, functions.compare(decimal, '>=', V, value('9.5')))).toEqual([2, 8]);
    expect(await idsWhere(database, functions.oneOf(decimal, V, [value('9.0'), value('0.00')]))).toEqual([
      3, 6,
    ]);
    const ordered = (await valuesOrdered(database, functions.orderBy(decimal, V, 'asc'))).map((raw) =>
      raw === null ? null : Number(raw),
    );
    expect(ordered).toEqual([null, -1.25, -1.2, 0, 1e-30, 1.5, 1.5, 9, 10, 1.2345678901234568e29]);
    const ofAll = async (aggregate: SqlFragment) =>
      database.read(async (unit) =>
        codec.fromDatabase(
          (await unit.rows(unit.knex('t').select(toRaw(unit.knex, aggregate)))).rows[0]?.[0],
        ),
      );
    const trimmed = (raw: unknown) =>
      String(raw)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');
    expect(trimmed(await ofAll(functions.sum(decimal, V)))).toBe(
      '123456789012345678901234567909.550000000000000000000000000001',
    );
    expect(trimmed(await ofAll(functions.minimum(decimal, V)))).toBe('-1.25');
    expect(trimmed(await ofAll(functions.maximum(decimal, V)))).toBe('123456789012345678901234567890');
  });

  test('for numbers, text and days', async () => {
    const database = await open();
    const { functions, dates, json, numbers, texts, types } = database.dialect;
    const number = async (expression: SqlFragment) => Number(await answer(database, expression));
    const n = (value: number) => functions.value({ kind: 'float' }, value);
    const s = (value: string) => functions.value(string, value);
    const day = (value: string) => functions.value({ kind: 'date' }, value);
    const wire = async (kind: StorageKind, expression: SqlFragment) =>
      types.codec(kind, types.nativeFor(kind)).fromDatabase(await answer(database, expression));

    expect(await number(functions.arithmetic('float', 'divide', n(7), n(2)))).toBe(3.5);
    expect(await answer(database, functions.arithmetic('float', 'divide', n(7), n(0)))).toBeNull();
    // A quotient has the digits of a double, also where the database takes its parts for exact numbers.
    expect(await number(functions.arithmetic('float', 'divide', n(0.5), n(6)))).toBeCloseTo(1 / 12, 12);
    expect(await number(numbers.double('log10', [n(1000)]))).toBe(3);
    expect(await number(numbers.double('power', [n(2), n(10)]))).toBe(1024);
    expect(await number(numbers.double('sqrt', [n(9)]))).toBe(3);
    expect(await answer(database, numbers.double('sqrt', [n(-9)]))).toBeNull();
    const round = async (value: number, places: number, how: 'half' | 'up' | 'ceiling' | 'floor') =>
      number(numbers.round({ kind: 'float' }, n(value), text(String(places)), how));
    expect(await round(2, 0, 'ceiling')).toBe(2);
    expect(await round(-2.5, 0, 'floor')).toBe(-3);
    expect(await round(2.345, 1, 'half')).toBe(2.3);
    expect(await round(1.005, 2, 'half')).toBe(1.01);
    expect(await round(-1.001, 2, 'up')).toBe(-1.01);
    expect(await answer(database, functions.cast({ kind: 'float' }, 'text', n(1 / 3)))).toBe(
      '0.333333333333333',
    );
    expect(await number(functions.length(s('äö😀')))).toBe(3);
    expect(await answer(database, functions.lower(s('ÄÖ')))).toBe('äö');
    expect(await answer(database, functions.upper(s('äö')))).toBe('ÄÖ');
    expect(await answer(database, texts.concat([s('a'), text('null'), s('b')]))).toBe('ab');
    expect(Boolean(await answer(database, functions.boolean(true)))).toBe(true);

    expect(await wire('date', dates.add('date', day('2024-01-31'), bound(1), 'month'))).toBe('2024-02-29');
    expect(await wire('date', dates.add('date', day('2024-01-31'), bound(-1), 'week'))).toBe('2024-01-24');
    expect(await wire('date', dates.add('date', day('2024-02-29'), bound(1), 'year'))).toBe('2025-02-28');
    expect(await wire('date', dates.add('date', day('2024-01-31'), bound(1), 'quarter'))).toBe('2024-04-30');
    const moment = functions.value({ kind: 'datetime' }, '2024-12-31 23:30:00');
    const later = String(await wire('datetime', dates.add('datetime', moment, bound(45), 'minute')));
    expect(later.replace('T', ' ').slice(0, 19)).toBe('2025-01-01 00:15:00');
    expect(await number(dates.weekday(day('2022-10-05')))).toBe(2);
    expect(await number(dates.part('month', day('2022-10-05')))).toBe(10);
    expect(await number(dates.part('hour', moment))).toBe(23);
    expect(await number(dates.daysBetween(day('2024-02-28'), day('2024-03-01')))).toBe(2);
    expect(await wire('date', dates.dateOf(moment))).toBe('2024-12-31');
    expect(String(await wire('date', dates.today()))).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(String(await wire('datetime', dates.now()))).toMatch(/^\d{4}-\d\d-\d\d/);

    const document = functions.value({ kind: 'json' }, '{"a":{"b\\"c":"deep"},"n":null}');
    expect(await answer(database, json.textAt(document, ['a', 'b"c']))).toBe('deep');
    expect(await answer(database, json.textAt(document, ['n']))).toBeNull();
    expect(await answer(database, json.textAt(document, ['missing']))).toBeNull();
  });
});

describe('the key by which SQLite orders decimals', () => {
  const Exact = Decimal.clone({ precision: 200, toExpNeg: -500, toExpPos: 500 });
  const number = fc
    .tuple(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc.integer({ min: -60, max: 60 }),
      fc.constantFrom('', '0', '00'),
    )
    .map(([digits, exponent, zeros]) => {
      const plain = new Exact(`${digits}e${exponent}`).toFixed();
      return plain.includes('.') ? plain + zeros : plain;
    });

  test('orders and equals as the numbers do', () => {
    fc.assert(
      fc.property(number, number, (left, right) => {
        const [leftKey, rightKey] = [decimalKey(left) ?? '', decimalKey(right) ?? ''];
        const byKey = leftKey < rightKey ? -1 : leftKey > rightKey ? 1 : 0;
        expect(byKey).toBe(new Exact(left).comparedTo(new Exact(right)));
      }),
      { numRuns: 2000 },
    );
  });

  test('holds the number itself', () => {
    fc.assert(
      fc.property(number, (value) => {
        expect(decimalOfKey(decimalKey(value) ?? '')).toBe(new Exact(value).toFixed());
      }),
    );
  });

  test('is null for what is no number', () => {
    for (const value of ['', '.', 'x', '1.2.3', 'Infinity', '0x10', null])
      expect(decimalKey(value)).toBeNull();
  });

  test('has a sum that is exact', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 20 }), (values) => {
        const sum = new DecimalSum();
        for (const value of values) sum.add(value);
        expect(sum.result()).toBe(values.reduce((total, value) => total.plus(value), new Exact(0)).toFixed());
      }),
    );
    expect(new DecimalSum().result()).toBeNull();
  });
});
