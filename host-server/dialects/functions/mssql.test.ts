import { describe, expect, test } from '@jest/globals';
import { bound, text } from '../../sql/fragment.ts';
import { tsqlProblems } from '../../databases/testing/tsql.ts';
import { dialectOf } from '../select-dialect.ts';

/** No SQL Server runs here: what is written for it is held to what its manual says. */

const { functions, json, dates } = dialectOf('mssql');
const cell = text('[t].[c]');

function isTsql(query: string): void {
  expect(tsqlProblems(query.replaceAll('?', '@p0'))).toEqual([]);
}

describe('what is written for SQL Server', () => {
  test('shows an amount of money with its four places', () => {
    expect(functions.shown?.({ kind: 'decimal', native: 'money' }, cell).sql).toBe(
      'convert(varchar(64), [t].[c], 2)',
    );
    expect(functions.shown?.({ kind: 'decimal', native: 'decimal(38,4)' }, cell).sql).toBe(
      'cast([t].[c] as varchar(64))',
    );
  });

  test('compares a moment with a column of `datetime` as one, which counts in steps of 1/300 s', () => {
    const type = { kind: 'datetime', native: 'datetime' } as const;
    expect(functions.value(type, '2024-02-29 10:00:00.003').sql).toBe(
      'cast(cast(? as datetime2(6)) as datetime)',
    );
    // Before the first year that such a column holds.
    expect(functions.value(type, '1200-02-28 10:00:00').sql).toBe('cast(? as datetime2(6))');
    expect(functions.value({ kind: 'datetime', native: 'datetime2(7)' }, '2024-02-29').sql).toBe(
      'cast(? as datetime2(6))',
    );
  });

  test('compares the texts of keys as their foreign keys do, and other texts exactly', () => {
    const type = { kind: 'string', native: 'nvarchar(10)' } as const;
    const { ofKeys } = functions;
    // In the collation of the column: one that is asked for would come before it.
    expect(ofKeys?.equals(type, cell, text('[u].[d]')).sql).toBe('[t].[c] = [u].[d]');
    expect(ofKeys?.equals(type, cell, bound('a')).sql).toBe('[t].[c] = ?');
    expect(ofKeys?.oneOf(type, cell, [bound('a'), bound('b')]).sql).toBe('[t].[c] in (?, ?)');
    const letters = { kind: 'string', native: 'varchar(10)' } as const;
    expect(ofKeys?.equals(letters, cell, text('[u].[d]')).sql).toBe('[t].[c] = [u].[d]');
    expect(ofKeys?.oneOf(letters, cell, [bound('a')]).sql).toBe('[t].[c] in (cast(? as varchar(8000)))');
    // Columns that no foreign key holds together may have two collations, which SQL Server does not compare.
    const undeclared = ofKeys?.equalsUndeclared?.(type, cell, text('[u].[d]')).sql;
    expect(undeclared).toBe(functions.equals(type, cell, text('[u].[d]')).sql);
    expect(undeclared).toContain('[t].[c] = [u].[d] collate database_default and ');
    expect(ofKeys?.groupKey(type, cell).sql).toBe('[t].[c]');
    const long = { kind: 'text', native: 'ntext' } as const;
    expect(ofKeys?.groupKey(long, cell).sql).toBe(functions.groupKey(long, cell).sql);
    isTsql(`select 1 from [t] where ${ofKeys?.oneOf(type, cell, [text('?'), text('?')]).sql ?? ''}`);
  });

  test('leaves it to the column to refuse what is too long for it', () => {
    expect(functions.assigned({ kind: 'string', native: 'varchar(5)' }, 'too long').sql).toBe('?');
    expect(functions.assigned({ kind: 'string', native: 'nvarchar(5)' }, null).sql).toBe(
      'cast(? as nvarchar(5))',
    );
    expect(functions.assigned({ kind: 'decimal', native: 'decimal(5,2)' }, '1.5').sql).toBe(
      'cast(? as decimal(5,2))',
    );
  });

  test('lets an index of a code page find a text, and compares it exactly', () => {
    const type = { kind: 'string', native: 'varchar(20)' } as const;
    const value = functions.value(type, 'Zoë');
    const equal = functions.equals(type, cell, value);
    expect(equal.sql).toMatch(
      /^\(\[t\]\.\[c\] = cast\(\? as varchar\(8000\)\) collate database_default and .*BIN2/,
    );
    expect(equal.bindings).toEqual(['Zoë', 'Zoë']);
    const listed = functions.oneOf(type, cell, [value, value]);
    expect(listed.sql).toMatch(
      /^\(\[t\]\.\[c\] in \(cast\(\? as varchar\(8000\)\) collate database_default, /,
    );
    expect(listed.bindings).toHaveLength(4);
    const many = functions.oneOf(
      type,
      cell,
      Array.from({ length: 1000 }, () => value),
    );
    expect(many.bindings).toHaveLength(1000);
    const unicode = functions.equals({ kind: 'string', native: 'nvarchar(20)' }, cell, value);
    expect(unicode.sql).not.toContain('varchar(8000)');
    for (const { sql } of [equal, listed, unicode]) isTsql(`select 1 as one from [t] where ${sql}`);
  });

  test('keeps the digits of decimals for which the usual one has no place', () => {
    for (const native of ['decimal(38,0)', 'numeric(38,4)']) {
      const type = { kind: 'decimal', native } as const;
      const scale = native.includes(',4') ? 4 : 0;
      expect(functions.value(type, '1').sql).toBe(`cast(? as decimal(38,${scale}))`);
      expect(functions.cast(type, 'decimal', cell).sql).toBe(cell.sql);
      const words = functions.cast(type, 'text', cell);
      expect(words.sql).not.toContain('decimal(38,15)');
      isTsql(`select ${words.sql} as a from [t]`);
    }
    expect(functions.value({ kind: 'decimal', native: 'decimal(20,2)' }, '1').sql).toBe(
      'cast(? as decimal(38,15))',
    );
  });

  test('gives a member of a JSON value whole, however long it is', () => {
    const member = json.textAt(cell, ['a', 'b']);
    expect(member.bindings).toEqual(['$."a"', 'b']);
    expect(member.sql).not.toContain('json_value');
    isTsql(`select ${member.sql} as a from [t]`);
  });

  test('moves a date by no more than there are years, whatever the amount is', () => {
    const moved = dates.add('date', cell, text('9223372036854775807'), 'week');
    expect(moved.sql).toContain('try_cast(9223372036854775807 as bigint) * cast(7 as decimal(5,0))');
    isTsql(`select ${moved.sql} as a from [t]`);
  });
});
