import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createBuilder } from '../../databases/builders.ts';
import { placeBindings } from '../../databases/compile-query.ts';
import { dialectOf } from '../select-dialect.ts';
import { physicalName } from './physical-name.ts';

describe('a physical name', () => {
  test('stays readable', () => {
    const none: string[] = [];
    expect(physicalName('First Name', none, 'column')).toBe('first_name');
    expect(physicalName('Größe & Preis (€)', none, 'column')).toBe('grosse_and_preis_eur');
    expect(physicalName('2024 Sales', none, 'table')).toBe('t_2024_sales');
    expect(physicalName('顧客', none, 'table')).toBe('table_1');
    expect(physicalName('Order', none, 'table')).toBe('order_2');
    expect(physicalName('__proto__', none, 'column')).toBe('proto');
    expect(physicalName('Name', ['NAME', 'name_2'], 'column')).toBe('name_3');
  });

  test('has the one form that all databases take, and is new, whatever the title', () => {
    const title = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('Select', 'a'.repeat(100), '😀', '', 'Id'),
    );
    fc.assert(
      fc.property(fc.array(title, { maxLength: 30 }), (titles) => {
        const taken: string[] = [];
        for (const next of titles) {
          const name = physicalName(next, taken, 'column');
          expect(name).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
          expect(taken).not.toContain(name);
          taken.push(name);
        }
      }),
    );
  });
});

describe('an identifier', () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 12 })
    .filter((value) => !value.includes('\0') && !value.includes('\\?'));

  test.each(['sqlite', 'postgres', 'mysql'] as const)(
    'reaches %s whole and quoted, whatever is in it',
    (dialectName) => {
      const { identifiers } = dialectOf(dialectName);
      const knex = createBuilder(dialectOf(dialectName));
      const mark = dialectName === 'postgres' ? '"' : '`';
      fc.assert(
        fc.property(
          fc.oneof(
            name,
            fc.constantFrom('a.b', 'a as b', ' a ', '*', 'trellis~ff', '?', '??', ':a', '"', '`'),
          ),
          (value) => {
            const quoted = mark + value.replaceAll(mark, mark + mark) + mark;
            expect(identifiers.quote(value)).toBe(quoted);
            const { sql } = knex(identifiers.knexName(value)).select(identifiers.knexName(value)).toSQL();
            expect(placeBindings(sql, [], () => 'BOUND')).toBe(`select ${quoted} from ${quoted}`);
            const raw = identifiers.ref(knex, value, value).toSQL().sql;
            expect(placeBindings(raw, [], () => 'BOUND')).toBe(`${quoted}.${quoted}`);
          },
        ),
        { numRuns: 500 },
      );
    },
  );

  test('that no database keeps as it is, is refused', () => {
    for (const dialectName of ['sqlite', 'postgres', 'mysql'] as const) {
      const { identifiers } = dialectOf(dialectName);
      for (const value of ['', 'a\0b', 'a\\?', 'é'.repeat(600)])
        expect(() => identifiers.quote(value)).toThrow(TypeError);
    }
    expect(() => dialectOf('postgres').identifiers.quote('x'.repeat(64))).toThrow(/63 bytes/);
  });
});
