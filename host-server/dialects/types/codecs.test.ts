import { describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { StorageKind } from '@trellis/sdk/shared';
import type { Database } from '../../databases/database.ts';
import { describeEachDatabase } from '../../databases/testing.ts';
import { dialectOf } from '../select-dialect.ts';
import type { TypeOptions } from './default.ts';
import { isValueError } from './value-errors.ts';
import { readDateTime } from './moments.ts';

function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

const date = fc
  .date({ min: new Date('1000-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map((value) => value.toISOString());
const text = fc.string({ unit: 'binary', maxLength: 60 }).map((value) => value.replaceAll('\0', ''));
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 30 }))
  .map(([digits, scale]) =>
    new (Decimal.clone({ precision: 80, toExpNeg: -100, toExpPos: 100 }))(`${digits}e-${scale}`).toFixed(),
  );

/** For each kind: values as they come over the wire, and what each of them must come back as. */
const KINDS: Partial<
  Record<StorageKind, { readonly values: fc.Arbitrary<unknown>; readonly back: (value: never) => unknown }>
> = {
  boolean: { values: fc.boolean(), back: (value: boolean) => value },
  integer: { values: fc.integer(), back: (value: number) => value },
  bigint: {
    values: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    back: (value: string) => value,
  },
  decimal: { values: decimal, back: (value: string) => value },
  float: {
    values: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
    back: (value: number) => value,
  },
  string: { values: text, back: (value: string) => value },
  text: { values: text, back: (value: string) => value },
  date: { values: date.map((value) => value.slice(0, 10)), back: (value: string) => value },
  time: { values: date.map((value) => value.slice(11, 19)), back: (value: string) => value },
  datetime: { values: date, back: (value: string) => readDateTime(value) },
  json: {
    values: fc.array(fc.jsonValue({ depthSize: 'small', stringUnit: 'grapheme' })),
    back: (value: unknown) => JSON.stringify(value),
  },
  binary: {
    values: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    back: (value: string) => value,
  },
};

/** Takes off the differences that the wire format has by database. */
function plain(kind: StorageKind, wire: unknown): unknown {
  switch (kind) {
    case 'boolean':
      return wire === true || wire === 1;
    case 'bigint':
      return String(wire);
    case 'float':
      return wire === 0 ? 0 : wire;
    case 'decimal':
      return String(wire)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');
    case 'datetime':
      return String(wire)
        .replace('T', ' ')
        .replace('Z', '')
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');
    case 'json':
      return JSON.stringify(typeof wire === 'string' && wire !== '' ? parsed(wire) : wire);
    default:
      return wire;
  }
}

function parsed(wire: string): unknown {
  try {
    return JSON.parse(wire) as unknown;
  } catch {
    // PostgreSQL's side is parsed already, and this was a JSON string.
    return wire;
  }
}

describeEachDatabase('every kind of value', (open) => {
  test('comes back as it was sent', async () => {
    const database = await open();
    for (const [kind, { values, back }] of Object.entries(KINDS) as [
      StorageKind,
      (typeof KINDS)['text'] & object,
    ][]) {
      const sent = fc.sample(values, { numRuns: 60, seed: 7 });
      const received = await roundTrip(database, kind, sent);
      expect(received.map((value) => plain(kind, value))).toEqual(
        sent.map((value) => plain(kind, back(value as never))),
      );
    }
  });

  test('does not move with the zone of this machine', async () => {
    const before = process.env['TZ'];
    const database = await open();
    for (const zone of ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata']) {
      process.env['TZ'] = zone;
      expect(await roundTrip(database, 'date', ['2026-03-29'])).toEqual(['2026-03-29']);
      const [moment] = await roundTrip(database, 'datetime', ['2026-03-29T02:30:00Z']);
      expect(plain('datetime', moment)).toBe('2026-03-29 02:30:00');
      expect(await roundTrip(database, 'time', ['02:30'])).toEqual(['02:30:00']);
    }
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  test('keeps null, the extremes and the odd ones', async () => {
    const database = await open();
    const cases: readonly (readonly [StorageKind, readonly unknown[]])[] = [
      ['decimal', ['123456789012345678901234567890', '0.000000000000000000000000000001', '-0.5', '0']],
      ['bigint', ['9223372036854775807', '-9223372036854775808', '0']],
      ['float', [1e308, 5e-324, 0.1]],
      [
        'text',
        ['', ' led and trailed ', 'a\nb\tc', '😀𝒳', "'; drop table t; --", '\\', '%_', 'x'.repeat(65_536)],
      ],
      ['date', ['2024-02-29', '2026-03-29']],
      ['datetime', ['2026-03-29 02:30:00', '2026-10-25 02:30:00.123456']],
    ];
    for (const [kind, sent] of cases) {
      const received = await roundTrip(database, kind, [...sent, null]);
      expect(received.map((value) => (value === null ? null : plain(kind, value)))).toEqual([...sent, null]);
    }
  });
});

async function roundTrip(
  database: Database,
  kind: StorageKind,
  values: readonly unknown[],
  options: TypeOptions = {},
): Promise<unknown[]> {
  const { types } = database.dialect;
  const table = `t_${kind}`;
  await database.schema(async (changer) => {
    await changer.dropTable(table);
    await changer.createTable({
      name: table,
      columns: [
        { name: 'id', kind: 'integer' },
        { name: 'value', kind, ...options },
      ],
      primaryKey: ['id'],
    });
  });
  const codec = types.codec(kind, types.nativeFor(kind, options));
  await database.write(async (unit) => {
    for (const [id, value] of values.entries()) {
      await unit.run(unit.knex(table).insert({ id, value: codec.toDatabase(value) as never }));
    }
  });
  const { rows } = await database.read((unit) => unit.rows(unit.knex(table).select('value').orderBy('id')));
  return rows.map(([value]) => codec.fromDatabase(value));
}

describe('a value that its column cannot hold exactly', () => {
  const refusals: readonly (readonly [StorageKind, readonly unknown[]])[] = [
    ['boolean', ['maybe', 2, [], {}]],
    ['integer', [1.5, '12x', Number.NaN, 2 ** 53, '', true]],
    ['bigint', [2 ** 53, -(2 ** 60), '99999999999999999999']],
    ['decimal', [Number.POSITIVE_INFINITY, Number.NaN, 2 ** 60, 'one', '', '.', '1e999']],
    ['float', [Number.NaN, Number.POSITIVE_INFINITY, 'x', '']],
    ['string', ['a\0b', '\uD800', 'x\uDFFF', {}, []]],
    ['date', ['2023-02-29', '2024-13-01', '31.12.2024', 'today', 20240101]],
    ['time', ['24:00:00', '10', '1:2:3']],
    ['datetime', ['2024-01-01T25:00:00', '2024-01-01 10:00 PM', '2024-01-01T10:00:00+99:00']],
    ['json', ['{', 'abc', undefined, '{"a":"\\u0000"}']],
  ];

  for (const name of ['sqlite', 'postgres', 'mysql'] as const) {
    test.each(refusals)(`is refused alike on ${name}: %s`, (kind, values) => {
      const { types } = dialectOf(name);
      const codec = types.codec(kind, types.nativeFor(kind));
      for (const value of values.filter((candidate) => candidate !== undefined)) {
        const problem = thrown(() => codec.toDatabase(value));
        expect(isValueError(problem)).toBe(true);
        // The end of a sentence that begins with the title of the column.
        expect(String((problem as Error).message)).toMatch(/^(must|has|keeps) /);
      }
    });
  }

  test('moves with its offset to UTC and by nothing else', () => {
    expect(readDateTime('2026-03-29T02:30:00+02:00')).toBe('2026-03-29 00:30:00');
    expect(readDateTime('2024-02-28T23:30:00.123456-01:30')).toBe('2024-02-29 01:00:00.123456');
    expect(readDateTime('2024-05-31')).toBe('2024-05-31 00:00:00');
    expect(readDateTime('2024-05-31 10:11Z')).toBe('2024-05-31 10:11:00');
  });

  test('keeps the digits of numbers within JSON', () => {
    const codec = dialectOf('postgres').types.codec('json', 'json');
    expect(codec.fromDatabase('{"card":"1234567890123456789","n":1e5,"m":0.1}')).toEqual({
      card: '1234567890123456789',
      n: 1e5,
      m: 0.1,
    });
    for (const text of ['{"n":9007199254740993}', '[0.12345678901234567890]', '[1e400]', '[1e-500]']) {
      expect(codec.fromDatabase(text)).toBe(text);
    }
  });

  test('is JSON again where it is a text of JSON', () => {
    for (const name of ['sqlite', 'postgres', 'mysql'] as const) {
      const { types } = dialectOf(name);
      const codec = types.codec('json', types.nativeFor('json'));
      for (const text of ['"abc"', '"12"', '"{}"'])
        expect([name, codec.toDatabase(codec.fromDatabase(text))]).toEqual([name, text]);
    }
  });

  test('is rounded half away from zero where a column has a scale', () => {
    for (const name of ['sqlite', 'mysql'] as const) {
      const { types } = dialectOf(name);
      const codec = types.codec('decimal', types.nativeFor('decimal', { precision: 5, scale: 2 }));
      expect(codec.toDatabase('1.005')).toBe('1.01');
      expect(codec.toDatabase('-1.005')).toBe('-1.01');
      expect(() => codec.toDatabase('1000')).toThrow(/before the point/);
    }
  });

  test('is kept in the type that was asked for, under whichever name', () => {
    expect(dialectOf('postgres').types.nativeFor('bigint', { native: 'INT8' })).toBe('bigint');
    expect(dialectOf('postgres').types.nativeFor('string', { native: 'varchar', length: 9 })).toBe(
      'character varying(9)',
    );
    expect(dialectOf('mysql').types.nativeFor('integer', { native: 'int unsigned' })).toBe('int unsigned');
    expect(dialectOf('mysql').types.codec('integer', 'int(10) unsigned').toDatabase('4294967295')).toBe(
      4294967295,
    );
    const decimal = dialectOf('sqlite').types.nativeFor('decimal', {
      native: 'decimal',
      precision: 9,
      scale: 3,
    });
    expect(decimal).toBe('decimal_text(9,3)');
    expect(dialectOf('sqlite').types.read(decimal)).toMatchObject({ kind: 'decimal', uidt: 'Decimal' });
  });

  test('is never given a native type outside the closed list', () => {
    for (const name of ['sqlite', 'postgres', 'mysql'] as const) {
      const { types } = dialectOf(name);
      for (const native of ['text; drop table x', "enum('a')", 'int) --', '']) {
        expect(() => types.nativeFor('string', { native })).toThrow('The database type must be one of:');
      }
      expect(() => types.nativeFor('string', { length: 1.5 })).toThrow('The length must be');
      expect(() => types.nativeFor('decimal', { precision: '1); drop' as never })).toThrow(
        'The precision must be',
      );
    }
  });
});
