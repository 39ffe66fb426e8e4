import { describe, expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { ServerColumnType } from '@trellis/sdk/server';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { changesOf, isSameDefault } from './plan-column-sync.ts';

describe('two defaults', () => {
  test.each([
    ['5', "'5'::text"],
    ['5', '((5))'],
    ['1.50', '(1.5)'],
    ["it's", "'it''s'::character varying(20)"],
    ['it', "N'it'"],
    ['CURRENT_TIMESTAMP', 'current_timestamp()'],
    ['CURRENT_TIMESTAMP', "date_trunc('second'::text, (CURRENT_TIMESTAMP AT TIME ZONE 'UTC'::text))"],
    ['true', '1'],
    ['true', "'1'"],
    ['Open', "'Open'::text"],
    ['Now or never', "'Now or never'"],
    ['NULL', "'NULL'"],
    [null, 'NULL::character varying'],
    [null, null],
  ])('are the same: %s and %s', (one, other) => expect(isSameDefault(one, other)).toBe(true));

  test.each([
    ['5', '6'],
    ['a', "'b'::text"],
    [null, "'b'"],
    ["'Open'", "'open'"],
    ['Open', "'open'::text"],
    ["'Now or never'", "'Now and then'"],
    ["'True'", "'true'"],
    [null, "'NULL'"],
    ['now()', "'now'"],
    ['5', null],
    ['CURRENT_TIMESTAMP', "'2024-01-01'"],
  ])('differ: %s and %s', (one, other) => expect(isSameDefault(one, other)).toBe(false));
});

describe('a native type that is understood by now', () => {
  const columnTypes = new Registry<ServerColumnType>({ id: 'columnTypes', absentPolicy: 'raw' });
  columnTypes.register(
    { id: 'SingleLineText', accepts: ['string', 'binary', 'bigint'] } as unknown as ServerColumnType,
    'test',
  );
  const column = (more: Partial<ColumnRow>) =>
    ({
      id: 'c_1',
      column_name: 'level',
      uidt: 'SingleLineText',
      native_type: 'bit(8)',
      storage: 'binary',
      computed: true,
      default_value: null,
      meta: null,
      ...more,
    }) as unknown as ColumnRow;
  const now = column({ uidt: 'Number', storage: 'bigint', computed: false });

  test('is a change of type, whatever the column was shown as', () => {
    const [change, ...others] = changesOf(column({}), now, columnTypes);
    expect(others).toEqual([]);
    expect(change?.difference).toMatchObject({ kind: 'columnTypeChanged', column: 'level' });
    expect(change?.patch).toMatchObject({ uidt: 'Number', storage: 'bigint', computed: false });
  });

  test('is no change once it was taken over, nor where a column was made to hold something else', () => {
    expect(changesOf(now, now, columnTypes)).toEqual([]);
    const json = column({ native_type: 'nvarchar(max)', storage: 'json', computed: false });
    expect(changesOf(json, { ...json, storage: 'text' }, columnTypes)).toEqual([]);
  });
});

describe('the choices of an enum', () => {
  const columnTypes = new Registry<ServerColumnType>({ id: 'columnTypes', absentPolicy: 'raw' });
  const select = {
    id: 'Choice',
    accepts: ['text'],
    valuesInOrder: (options: { readonly list?: readonly string[] }) => options.list,
    server: { optionsOfTexts: (list: readonly string[], former?: object) => ({ ...former, list }) },
  };
  columnTypes.register(select as unknown as ServerColumnType, 'test');
  const column = (list: readonly string[], more: object = {}) =>
    ({
      id: 'c_1',
      column_name: 'mood',
      uidt: 'Choice',
      native_type: 'mood',
      default_value: null,
      meta: { list, ...more },
    }) as unknown as ColumnRow;

  test('are taken over with what the column has beside them', () => {
    const [change, ...others] = changesOf(
      column(['a', 'b'], { width: 9 }),
      column(['a', 'b', 'c']),
      columnTypes,
    );
    expect(others).toEqual([]);
    expect(change?.difference).toMatchObject({ kind: 'columnRulesChanged', column: 'mood' });
    expect(change?.patch.meta).toEqual({ list: ['a', 'b', 'c'], width: 9 });
  });

  test('are the same in any order', () => {
    expect(changesOf(column(['b', 'a']), column(['a', 'b']), columnTypes)).toEqual([]);
  });
});
