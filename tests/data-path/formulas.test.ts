import { expect, test } from '@jest/globals';
import { formatRowKey, parsePattern, type StorageKind } from '@trellis/sdk/shared';
import fc from 'fast-check';
import type { Database } from '../../host-server/databases/database.ts';
import { describeEachDatabase } from '../../host-server/databases/testing.ts';
import { compileExpression } from '../../host-server/query/compile-expression.ts';
import { reading, tableSql, type CompileContext } from '../../host-server/query/compile-context.ts';
import { compiledForAll, computedDecoder, isTooLarge } from '../../host-server/query/computed-columns.ts';
import {
  columnId,
  createTables,
  type Cell,
  type TableFixture,
} from '../../host-server/query/testing/tables.ts';
import { sql } from '../../host-server/sql/fragment.ts';
import {
  compileFormula,
  exampleOf,
  formulaFunctions,
  kindOfStorage,
  parseFormula,
  printFormula,
  valueOfCell,
  type FormulaNode,
  type FormulaTable,
  type Value,
} from '../../plugins/columns-formula/shared/index.ts';
import { checkPattern } from '../../plugins/columns-formula/shared/patterns/check-pattern.ts';

/** What the three databases compute for a formula is held against what the formula's own functions work out. */

const seed = Number(process.env.TRELLIS_TEST_SEED ?? 20_261_122);
const columns = {
  id: 'integer',
  whole: 'integer',
  big: 'bigint',
  price: 'decimal',
  ratio: 'float',
  name: 'string',
  notes: 'text',
  done: 'boolean',
  day: 'date',
  at: 'datetime',
} as const satisfies Record<string, StorageKind>;

const written: readonly (readonly Cell[])[] = [
  [1, 0, 0, '0', 0, 'Ada Lovelace', 'a-b-c', true, '2024-02-29', '2024-02-29 23:59:59'],
  [2, 7, 4_000_000_000, '1.005', 0.5, ' apfel ', '', false, '1999-12-31', '1999-12-31 00:00:00'],
  [3, -7, -12, '-2.5', -2.25, '', 'ÄÖ brücke', null, '2000-01-01', '2000-01-01 12:30:15'],
  [4, null, null, null, null, null, null, null, null, null],
  [5, 2_147_483_647, 1, '999999.99', 1e9, '東京都', '-12.5', true, '1970-01-01', '1970-01-01 00:00:00'],
  [6, -1, -1, '0.000001', 1e-7, 'б😀y', '100% _!\\', false, '2023-03-31', '2023-03-31 06:07:08'],
  [7, 12, 365, '12.345', 3.75, 'a,b,,c', 'a', null, '1900-02-28', '1901-07-04 18:00:00'],
];

/** Rows that those of `t` are linked with, and rows beyond these. */
const items: TableFixture = {
  columns: { id: 'integer', t: 'integer', count: 'integer', price: 'decimal', word: 'string', day: 'date' },
  rows: [
    [1, 1, 3, '1.25', 'Ada', '2024-02-29'],
    [2, 1, null, '-2.5', '', null],
    [3, 1, 3, null, 'b, c', '1999-12-31'],
    [4, 2, 7, '0.001', null, '2000-01-01'],
    [5, 3, null, null, null, null],
    [6, 6, -1, '99.99', '東京', '2023-03-31'],
    [7, 6, 0, '0', '"q"', '2023-03-31'],
    [8, null, 5, '5', 'nobody', '2001-01-01'],
  ],
};
const remarks: TableFixture = {
  columns: { id: 'integer', item: 'integer', text: 'string' },
  rows: [
    [1, 3, 'last'],
    [2, 1, 'first'],
    [3, 1, null],
    [4, 4, 'only'],
  ],
};
const lists = {
  't.counts': { linkId: 'items', columnId: 'items.count' },
  't.prices': { linkId: 'items', columnId: 'items.price' },
  't.words': { linkId: 'items', columnId: 'items.word' },
  't.days': { linkId: 'items', columnId: 'items.day' },
  't.remarks': { linkId: 'items', columnId: 'items.remarks' },
  'items.remarks': { linkId: 'remarks', columnId: 'remarks.text' },
} as const;
const linkTo = (id: string, tableId: string, toColumnId: string) =>
  ({
    id,
    kind: 'hasMany',
    tableId,
    columnIds: [columnId(tableId, 'id')],
    toTableId: id,
    toColumnIds: [toColumnId],
    through: undefined,
  }) as const;
const links = [linkTo('items', 't', 'items.t'), linkTo('remarks', 'items', 'remarks.item')];
const kindsOfLists = {
  counts: 'integer',
  prices: 'decimal',
  words: 'string',
  days: 'date',
  remarks: 'string',
} as const;

/** What the cells of a list hold, worked out from the rows that were written down. */
function listOf(row: readonly Cell[], id: string): readonly Value[] {
  const of = (fixture: TableFixture, by: string, key: Cell) => {
    const names = Object.keys(fixture.columns);
    return fixture.rows
      .filter((linked) => linked[names.indexOf(by)] === key)
      .map((linked) => (name: string) => linked[names.indexOf(name)] ?? null);
  };
  const [, title = ''] = id.split('.');
  const mine = of(items, 't', row[0] ?? null);
  const cells =
    title === 'remarks'
      ? mine.flatMap((item) => of(remarks, 'item', item('id')).map((remark) => remark('text')))
      : mine.map((item) => item(title.slice(0, -1)));
  const kind = kindOfStorage(kindsOfLists[title as keyof typeof kindsOfLists]);
  return cells.map((found) => valueOfCell(kind, found));
}

const table: FormulaTable = {
  columns: [
    ...Object.entries(columns).map(([name, kind]) => ({
      id: columnId('t', name),
      title: name,
      kind: kindOfStorage(kind),
    })),
    ...Object.entries(kindsOfLists).map(([name, kind]) => ({
      id: columnId('t', name),
      title: name,
      kind: kindOfStorage(kind),
      isList: true,
    })),
  ],
  keyIds: [columnId('t', 'id')],
  facts: {
    createdBy: columnId('t', 'name'),
    changedBy: columnId('t', 'notes'),
    createdAt: columnId('t', 'at'),
    changedAt: columnId('t', 'at'),
  },
};

const cellOf = (row: readonly Cell[], id: string): Value => {
  const names = Object.keys(columns);
  const index = names.findIndex((name) => columnId('t', name) === id);
  const kind = Object.values(columns)[index];
  return valueOfCell(kindOfStorage(kind), row[index]);
};

/** One form for equal values: numbers by the digits that all databases share. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') return Math.abs(value) < 1e-12 ? 0 : Number(value.toPrecision(11));
  return value;
}

async function answers(database: Database, context: CompileContext, formula: string): Promise<unknown[]> {
  const from = reading(context);
  const { expression, kind } = compileFormula(parseFormula(formula), table);
  const { sql: value, type } = compiledForAll(from, (on) => compileExpression(on, expression));
  const statement = sql`select ${value} from ${tableSql(from)} order by t0.id`;
  const { rows } = await database.read((unit) => unit.rows(statement));
  const decode = computedDecoder(from, type);
  return rows.map(([raw]) => plain(normal(valueOfCell(kind, decode(raw)))));
}

function normal(value: Value): unknown {
  return typeof value === 'object' && value !== null ? value.text.replace('T', ' ') : value;
}

function worked(formula: string, rows: readonly (readonly Cell[])[], now = 0): unknown[] {
  const { run } = compileFormula(parseFormula(formula), table);
  return rows.map((row) =>
    plain(
      normal(
        run({
          cell: (id) => cellOf(row, id),
          list: (id) => listOf(row, id),
          now,
          id: String(row[0] as number),
        }),
      ),
    ),
  );
}

type Formulas = Readonly<Record<'number' | 'text' | 'date' | 'condition', fc.Arbitrary<string>>>;

const quoted = (text: string) => printFormula({ kind: 'text', value: text, start: 0, end: 0 } as FormulaNode);
const bracketed = (strings: TemplateStringsArray, ...parts: readonly fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((values) => String.raw({ raw: strings }, ...values));

const somePattern = fc
  .constantFrom(
    '[0-9]+',
    '^[A-Z]',
    '[^a-z ]+',
    'a|b',
    'ä',
    '(?:ab)+c?',
    '[äöü]$',
    '.',
    '\\s',
    '\\W+',
    '-[0-9]{1,2}',
  )
  .map(quoted);

/** Patterns, of which many are refused. */
const patterns = fc
  .tuple(
    fc.constantFrom('', '', '^'),
    fc.array(
      fc
        .tuple(
          fc.constantFrom(
            'a',
            'b',
            'ä',
            '😀',
            '[ab]',
            '[^a]',
            '.',
            '\\d',
            '\\W',
            '[а-в]',
            '\\.',
            '[\\]^-]',
            '\n',
          ),
          fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}', '{0,2}'),
        )
        .map(([item, counts]) => item + counts),
      { minLength: 1, maxLength: 4 },
    ),
    fc.constantFrom('', '', '(ab|c)*', '(?:a|b+c)', '(b(a.)?){1,2}'),
    fc.constantFrom('', '', '$'),
  )
  .map(([start, items, group, end]) => start + items.join('') + group + end);

const mostPatterns = 60;
const acceptedPatterns = fc
  .sample(patterns, { seed, numRuns: mostPatterns * 10 })
  .filter((pattern) => {
    try {
      checkPattern(parsePattern(pattern).root);
      return true;
    } catch {
      return false;
    }
  })
  .slice(0, mostPatterns);

/** Formulas by the kind of their values. */
function formulas(depth: number): Formulas {
  const leaf: Formulas = {
    number: fc.oneof(
      fc.constantFrom('{whole}', '{big}', '{price}', '{ratio}', 'LEN({name})', 'MONTH({at})'),
      fc.integer({ min: -30, max: 30 }).map(String),
      fc.constantFrom('0.5', '-1.25', '1000000.5', '0.001', 'NULL'),
      fc.constantFrom('SUM({prices})', 'COUNT({counts})', 'COUNTA({words})', 'MAX({counts})'),
    ),
    text: fc.oneof(
      fc.constantFrom('RECORD_ID()', 'CREATED_BY()', 'LAST_MODIFIED_BY()', 'TEXT({ratio})'),
      fc.constantFrom('{name}', '{notes}', 'DATESTR({day})', 'NULL', 'TEXT({price})', 'TEXT({done})'),
      fc
        .constantFrom('', 'a', ',', ' b', 'Äpfel', 'İß', 'ŉ', 'ΣΑΣ', '東', '-', "it's", 'q"?', '%', '12.50')
        .map(quoted),
    ),
    date: fc.constantFrom(
      '{day}',
      '{at}',
      'CREATED_TIME()',
      'LAST_MODIFIED_TIME()',
      'MAX("2024-02-29")',
      'MAX("1999-12-31 23:30")',
      'NULL',
    ),
    condition: fc.constantFrom(
      '{done}',
      'TRUE',
      'FALSE()',
      'TRUE()',
      'NULL',
      'BLANK()',
      'ERROR()',
      'ISBLANK({name})',
      '({whole} > 0)',
    ),
  };
  if (depth === 0) return leaf;
  const { number, text, date, condition } = formulas(depth - 1);
  const small = fc.integer({ min: -3, max: 8 }).map(String);
  const count = fc.oneof(small, small, leaf.number);
  const places = fc.integer({ min: -3, max: 4 }).map(String);
  const unit = fc
    .constantFrom('day', 'week', 'month', 'quarter', 'year', 'hour', 'minute', 'second')
    .map(quoted);
  const amount = fc.integer({ min: -40, max: 40 }).map(String);
  const compare = fc.constantFrom('=', '!=', '<', '<=', '>', '>=');
  return {
    number: fc.oneof(
      leaf.number,
      bracketed`(${number} ${fc.constantFrom('+', '-', '*', '/', '%')} ${leaf.number})`,
      bracketed`-${leaf.number}`,
      bracketed`${fc.constantFrom('ADD', 'SUM', 'MIN', 'MAX', 'COUNT')}(${number}, ${number}, ${leaf.number})`,
      bracketed`${fc.constantFrom('ABS', 'SIGN', 'INT', 'CEILING', 'FLOOR', 'ROUND', 'TRUNC')}(${number})`,
      bracketed`${fc.constantFrom('ROUND', 'ROUNDUP', 'ROUNDDOWN', 'TRUNC')}(${leaf.number}, ${places})`,
      bracketed`MOD(${number}, ${leaf.number})`,
      bracketed`${fc.constantFrom('SUM', 'COUNT', 'MIN', 'MAX', 'AVG', 'COUNTA')}({prices}, ${leaf.number}, {counts})`,
      bracketed`${fc.constantFrom('SUM', 'COUNT', 'MIN', 'MAX', 'AVG')}(${fc.constantFrom('{counts}', '{prices}, {counts}', '{prices}')})`,
      bracketed`COUNTA(${text}, {words}, {remarks})`,
      bracketed`LEN(${text})`,
      bracketed`SEARCH(${text}, ${leaf.text})`,
      bracketed`VALUE(${text})`,
      bracketed`${fc.constantFrom('YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND', 'WEEKDAY')}(${date})`,
      bracketed`WEEKDAY(${date}, ${fc.constantFrom('sunday', 'wednesday').map(quoted)})`,
      bracketed`${fc.constantFrom('DATETIME_DIFF', 'DATEDIFF')}(${date}, ${date}, ${unit})`,
      bracketed`MEDIAN(${number}, ${leaf.number}, ${leaf.number})`,
      bracketed`MEDIAN(${leaf.number}, ${leaf.number})`,
      bracketed`ATAN2(${leaf.number}, ${leaf.number})`,
      bracketed`IF(${condition}, ${number}, ${number})`,
      bracketed`${fc.constantFrom('COALESCE', 'IFERROR')}(${number}, ${number})`,
      bracketed`IFS(${condition}, ${number}, ${condition}, ${number})`,
    ),
    text: fc.oneof(
      leaf.text,
      bracketed`CONCAT(${text}, ${text})`,
      bracketed`(${text} & ${fc.oneof(text, leaf.number, date, condition)})`,
      bracketed`JOIN(${leaf.text}, ${text}, ${text}, ${leaf.text})`,
      bracketed`JOIN(${leaf.text}, ${fc.constantFrom('{words}', '{remarks}', '{counts}', '{days}, {prices}')}, ${text})`,
      bracketed`${fc.constantFrom('TRIM', 'UPPER', 'LOWER')}(${text})`,
      bracketed`${fc.constantFrom('ENCODE_URL', 'URL')}(${text})`,
      bracketed`DATESTR(${date})`,
      bracketed`${fc.constantFrom('COALESCE', 'IFERROR')}(${text}, ${text})`,
      bracketed`PROPER(${text})`,
      bracketed`REGEX_EXTRACT(${text}, ${somePattern})`,
      bracketed`REGEX_REPLACE(${text}, ${somePattern}, ${leaf.text})`,
      bracketed`${fc.constantFrom('LEFT', 'RIGHT', 'REPEAT')}(${text}, ${count})`,
      bracketed`SUBSTR(${text}, ${count})`,
      bracketed`MID(${text}, ${count}, ${count})`,
      bracketed`REPLACE(${text}, ${leaf.text}, ${leaf.text})`,
      bracketed`${fc.constantFrom('PADLEFT', 'PADRIGHT')}(${text}, ${count}, ${leaf.text})`,
      bracketed`SPLIT(${text}, ${leaf.text}, ${count})`,
      // Of nothing and a number it would be a number.
      bracketed`IF(${condition}, TEXT(${text}), ${fc.oneof(text, leaf.number)})`,
      bracketed`SWITCH(${text}, ${leaf.text}, ${text}, ${leaf.text}, ${text})`,
      bracketed`DATETIME_FORMAT(${date}, ${fc.constantFrom('YYYY-MM-DD HH:mm:ss', 'D MMMM YY', 'ddd, h:mm A', 'M/D hh').map(quoted)})`,
    ),
    date: fc.oneof(
      leaf.date,
      bracketed`DATEADD(${date}, ${amount}, ${unit})`,
      bracketed`EOMONTH(${date}, ${amount})`,
      bracketed`DATETIME_PARSE(${text}, "YYYY-MM-DD")`,
      fc
        .constantFrom(
          'YYYY-MM-DD HH:mm:ss',
          'D.M.YYYY',
          'hh:mm A, MM/DD/YYYY',
          'H YYYY',
          'D MMM YYYY',
          'MMMM D, YYYY H:mm',
        )
        .map(quoted)
        .chain((format) => date.map((of) => `DATETIME_PARSE(DATETIME_FORMAT(${of}, ${format}), ${format})`)),
      bracketed`${fc.constantFrom('MIN', 'MAX')}(${date}, ${date})`,
      bracketed`${fc.constantFrom('MIN', 'MAX')}(${fc.constantFrom('{days}', '{days}, {day}', '{at}, {days}')})`,
      bracketed`IF(${condition}, ${date}, ${date})`,
    ),
    condition: fc.oneof(
      leaf.condition,
      bracketed`(${number} ${compare} ${number})`,
      bracketed`(${text} ${compare} ${text})`,
      bracketed`(${date} ${compare} ${date})`,
      bracketed`${fc.constantFrom('AND', 'OR', 'XOR')}(${condition}, ${condition})`,
      bracketed`NOT(${condition})`,
      bracketed`ISEMAIL(${text} & "@" & ${text} & "." & ${leaf.text})`,
      bracketed`ISBLANK(${fc.oneof(text, number)})`,
      bracketed`ISERROR(${fc.oneof(text, number)})`,
      bracketed`REGEX_MATCH(${text}, ${somePattern})`,
    ),
  };
}

/**
 * Functions whose values are near each other on all databases and not the same to the last digit, so that they stand around the others and
 * never within them.
 */
function measures(): fc.Arbitrary<string> {
  const { number } = formulas(1);
  const small = fc.oneof(
    fc.integer({ min: -400, max: 400 }).map((value) => String(value / 16)),
    fc.constant('{ratio}'),
  );
  return fc.oneof(
    bracketed`${fc.constantFrom('SQRT', 'LN', 'LOG', 'ATAN', 'DEGREES', 'RADIANS')}(${number})`,
    bracketed`${fc.constantFrom('EXP', 'SIN', 'COS', 'TAN', 'ASIN', 'ACOS')}(${small})`,
    bracketed`LOG(${fc.constantFrom('2', '10', '0.5', '{whole}', '0')}, ${number})`,
    bracketed`POWER(${small}, ${fc.constantFrom('0', '1', '2', '-3', '0.5', '{whole}', '{big}')})`,
    bracketed`PI() * ${small}`,
  );
}

/** Numbers of as many digits as all databases give alike, large ones and such as are next to nothing. */
const large: readonly (readonly Cell[])[] = [
  [1, 2_147_483_647, 999_999_999_999_999, '999999999999.999', 1e15],
  [2, -2_147_483_648, -999_999_999_999_999, '-999999999999.999', -1e15],
  [3, 1, 500_000_000_000_001, '0.000000000001', 1e-12],
  [4, -1, -1_000_000_000_000, '-0.000000000001', 123_456_789.125],
  [5, 0, 4_294_967_296, '1000000000000', 0],
].map((row) => [...row, ...(written[0]?.slice(row.length) ?? [])]);

/** Formulas over such numbers, with products that are no whole numbers of databases any more. */
function overLarge(): fc.Arbitrary<string> {
  const number = fc.constantFrom(
    '{whole}',
    '{big}',
    '{price}',
    '{ratio}',
    '999999999999999',
    '-0.000000000001',
    '3',
  );
  const places = fc.integer({ min: -15, max: 15 }).map(String);
  const small = fc.constantFrom('2', '-3', '0.5', '0.001');
  return fc.oneof(
    bracketed`${number} ${fc.constantFrom('+', '-', '/', '%', '=', '<', '>=')} ${number}`,
    bracketed`${number} * ${number} * ${small}`,
    bracketed`${fc.constantFrom('ABS', 'SIGN', 'INT', 'CEILING', 'FLOOR', 'ROUND', 'TRUNC', 'SQRT', 'LN', 'LOG', 'TEXT')}(${number})`,
    bracketed`${fc.constantFrom('ROUND', 'ROUNDUP', 'ROUNDDOWN', 'TRUNC')}(${number}, ${places})`,
    bracketed`${fc.constantFrom('ADD', 'SUM', 'AVG', 'MIN', 'MAX', 'MEDIAN', 'COUNT')}(${number}, ${number}, ${number})`,
    bracketed`${fc.constantFrom('MOD', 'POWER', 'ATAN2', 'COALESCE')}(${number}, ${small})`,
    bracketed`VALUE(TEXT(${number}))`,
    bracketed`${number} & ${number}`,
    bracketed`IF(${number} > ${number}, ${number}, ${number})`,
    bracketed`LEFT("abc", ${number})`,
    bracketed`DATEADD("2024-02-29", ${number}, "day")`,
  );
}

/** Doubles at the ends of what there is of them. */
const farthest: readonly (readonly Cell[])[] = [
  [1, 1, 1, '1', 1.7e308],
  [2, -3, 4_000_000_000, '999999999999.5', -1.7e308],
  [3, 2_147_483_647, -7, '0.000000000001', 1e200],
  [4, 0, 0, '0', 1e-200],
  [5, 7, 12, '-2.5', 1e-307],
  [6, null, null, null, null],
  [7, 5, 3, '12', 2.5],
].map((row) => [...row, ...(written[0]?.slice(row.length) ?? [])]);

/** Formulas whose values have no room in doubles, or in the decimals that are made of them; what is next to nothing is none of these. */
function beyondDoubles(): fc.Arbitrary<string> {
  const number = fc.constantFrom(
    '{ratio}',
    '{price}',
    '{whole}',
    'EXP(690)',
    'EXP(-690)',
    'POWER(10, 300)',
    'POWER(10, -300)',
    'SQRT({ratio})',
    'LN(ABS({price}))',
    '1000000',
    '0',
  );
  const sign = fc.constantFrom('+', '-', '*', '/');
  const double = fc.constantFrom(
    '{ratio}',
    '({ratio} / 1000000)',
    'SQRT({ratio})',
    'EXP(690)',
    '({ratio} * 2)',
  );
  const some = fc.oneof(
    number,
    bracketed`(${number} ${sign} ${number})`,
    bracketed`(${number} ${sign} ${number}) ${sign} (${number} ${sign} ${number})`,
    bracketed`((${number} ${sign} {ratio}) ${sign} {ratio}) ${sign} ${number}`,
    bracketed`IF(${number} > 1, ${number}, ${number})`,
  );
  return fc.oneof(
    some,
    bracketed`(${some}) ${sign} (${some})`,
    bracketed`${fc.constantFrom('{whole}', '{price}', 'POWER(10, 300)')} % ${fc.constantFrom('{price}', '{whole}', '7', 'EXP(690)')}`,
    bracketed`${fc.constantFrom('ADD', 'SUM', 'AVG', 'MEDIAN', 'MIN')}(${some}, ${number}, ${number}, ${number})`,
    bracketed`${fc.constantFrom('ROUND', 'ATAN', 'ABS', 'SIGN', 'ABS', 'DEGREES', 'RADIANS', 'SQRT', 'ATAN')}(${some})`,
    double.map((value) => `IF(ABS(${value}) > 0.001, TEXT(${value}) & ${value}, "")`),
    bracketed`LEFT("abc", ${some})`,
    bracketed`LOG(2, ${some})`,
    bracketed`-(${some})`,
    bracketed`POWER(${some}, 3)`,
  );
}

const cell: Readonly<Record<keyof typeof columns, fc.Arbitrary<Cell>>> = {
  id: fc.constant(0),
  whole: fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.constantFrom(2_147_483_647, -2_147_483_648)),
  big: fc.integer({ min: -1e9, max: 1e9 }),
  price: fc.integer({ min: -1e8, max: 1e8 }).map((cents) => String(cents / 1000)),
  ratio: fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 64),
  name: fc
    .oneof(fc.constantFrom('', ' ', 'aXbX', '東京 b'), fc.string({ unit: 'grapheme', maxLength: 6 }))
    .map(storable),
  notes: fc.string({ maxLength: 8 }).map(storable),
  done: fc.boolean(),
  day: fc
    .date({ min: new Date('0100-01-01'), max: new Date('9000-01-01'), noInvalidDate: true })
    .map((at) => at.toISOString().slice(0, 10)),
  at: fc
    .date({ min: new Date('1000-01-01'), max: new Date('9000-01-01'), noInvalidDate: true })
    .map((at) => at.toISOString().slice(0, 19).replace('T', ' ')),
};

/** Databases know the capitals of the letters that Unicode had when they were made: these came after 2020. */
const young =
  /[\u019b\u0264\u1c89\u1c8a\u2c2f\u2c5f\ua7c0-\ua7ff\u{10570}-\u{105bf}\u{10d50}-\u{10d85}\u{16ea0}-\u{16ed3}]/gu;

function storable(text: string): string {
  return text.replace(young, 'ä').replaceAll('\0', '');
}

const generatedRows = fc
  .array(fc.tuple(...Object.values(cell).map((of) => fc.option(of, { freq: 6 }))), {
    minLength: 6,
    maxLength: 8,
  })
  .map((rows) => rows.map((row, index) => [index + 1, ...row.slice(1)]));

test('each function stands in formulas that are generated', () => {
  const { number, text, date, condition } = formulas(2);
  const some = fc.sample(fc.oneof(number, text, date, condition, measures()), { seed, numRuns: 4000 });
  const generated = new Set(some.flatMap((formula) => formula.match(/[A-Z_]+[0-9]?(?=\()/g) ?? []));
  // What these give is not the same in two moments; a test of its own compares them.
  const others = new Set(['NOW', 'TODAY']);
  expect([...formulaFunctions.keys()].filter((name) => !generated.has(name) && !others.has(name))).toEqual(
    [],
  );
});

describeEachDatabase('a formula', (open) => {
  async function start(rows: readonly (readonly Cell[])[]) {
    const database = await open();
    const fixture: TableFixture = { columns, rows };
    const { context } = await createTables(database, { t: fixture, items, remarks }, links, lists);
    return { database, context: context('t') };
  }

  test('of this moment and this day is that of the clock, on every database', async () => {
    const { database, context } = await start(written);
    const at = (found: unknown) => Date.parse(`${String(found).replace(' ', 'T')}Z`);
    const before = Date.now();
    const moments = await answers(database, context, 'NOW()');
    const after = Date.now();
    expect(new Set(moments).size).toBe(1);
    // Moments of formulas have whole seconds.
    expect(at(moments[0])).toBeGreaterThan(before - 2000);
    expect(at(moments[0])).toBeLessThan(after + 2000);
    const isTrue = written.map(() => true);
    for (const formula of [
      'DATESTR(NOW()) = DATESTR(TODAY())',
      'DATETIME_DIFF(NOW(), TODAY(), "second") = HOUR(NOW()) * 3600 + MINUTE(NOW()) * 60 + SECOND(NOW())',
      'DATEADD(TODAY(), 1, "day") > NOW()',
      'WEEKDAY(TODAY()) = WEEKDAY(NOW())',
    ]) {
      expect([formula, worked(formula, written, Date.now())]).toEqual([formula, isTrue]);
      expect([formula, await answers(database, context, formula)]).toEqual([formula, isTrue]);
    }
  });

  test('of each function is what its help says, on every database', async () => {
    const { database, context } = await start(written);
    for (const definition of formulaFunctions.values()) {
      if (definition.name === 'NOW' || definition.name === 'TODAY') continue;
      const example = exampleOf(definition);
      expect([example, await answers(database, context, example)]).toEqual([
        example,
        worked(example, written),
      ]);
    }
  });

  test('names a row of several keys as calls do, whatever stands in them, on every database', async () => {
    const parts = ['a', '', '_', '__', '___', 'a_b', '_a', 'a_', '____a_____b', '%', '%5F', '%25_', 'ä_😀_'];
    const pairs = parts.flatMap((left, at) => [
      [left, parts[(at + 1) % parts.length] ?? ''],
      [left, left],
    ]);
    const database = await open();
    const fixture: TableFixture = {
      columns: { id: 'integer', left: 'string', right: 'text' },
      rows: pairs.map((pair, at) => [at, ...pair]),
    };
    const { context } = await createTables(database, { keyed: fixture }, []);
    const keyIds = [columnId('keyed', 'left'), columnId('keyed', 'right')];
    const { expression } = compileFormula(parseFormula('RECORD_ID()'), { columns: [], keyIds });
    const from = reading(context('keyed'));
    const { sql: value } = compileExpression(from, expression);
    const { rows } = await database.read((unit) =>
      unit.rows(sql`select ${value} from ${tableSql(from)} order by t0.id`),
    );
    expect(rows.map(([key]) => key)).toEqual(pairs.map((pair) => formatRowKey(pair)));
  });

  test('makes one value of the several in a cell, on every database', async () => {
    const { database, context } = await start(written);
    const expected: readonly (readonly [string, readonly unknown[]])[] = [
      ['COUNT({counts})', [2, 1, 0, 0, 0, 2, 0]],
      ['COUNTA({words})', [2, 0, 0, 0, 0, 2, 0]],
      ['SUM({prices})', [-1.25, 0.001, 0, 0, 0, 99.99, 0]],
      ['AVG({prices})', [-0.625, 0.001, null, null, null, 49.995, null]],
      ['MIN({days})', ['1999-12-31', '2000-01-01', null, null, null, '2023-03-31', null]],
      ['MAX({counts}, 2)', [3, 7, 2, 2, 2, 2, 2]],
      ['SUM({counts}, {whole}, 1)', [7, 15, -6, 1, 2_147_483_648, -1, 13]],
      ['JOIN(", ", {words})', ['Ada, b, c', '', '', '', '', '東京, "q"', '']],
      ['JOIN(" / ", {remarks})', ['first / last', 'only', '', '', '', '', '']],
      ['JOIN("-", {id}, {counts})', ['1-3-3', '2-7', '3', '4', '5', '6--1-0', '7']],
    ];
    for (const [formula, values] of expected) {
      expect([formula, worked(formula, written)]).toEqual([formula, values]);
      expect([formula, await answers(database, context, formula)]).toEqual([formula, values]);
    }
    // A million characters of more: each of them has as many as a cell takes.
    const long = 'JOIN("", {notes}, {words}, {notes})';
    const rows = written.slice(0, 1).map((row) => row.with(6, 'y'.repeat(999_999)));
    const { database: other, context: there } = await start(rows);
    expect(await answers(other, there, `RIGHT(${long}, 2)`)).toEqual(worked(`RIGHT(${long}, 2)`, rows));
  });

  test('takes no more memory than a long text, on every database', async () => {
    const rows = written.slice(0, 1).map((row) => row.with(6, 'y'.repeat(980_000)));
    const { database, context } = await start(rows);
    const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(', ');
    const longest = 1_000_000;
    const expected: readonly (readonly [string, number | string | null])[] = [
      ['LEN(REPLACE(REPEAT("x", 10000), "x", REPEAT("y", 98)))', 980_000],
      ['LEN(REPLACE(REPEAT("x", 10000), "x", REPEAT("y", 198)))', null],
      [`LEN(CONCAT(${times(120, '{notes}')}))`, longest],
      [`RIGHT(CONCAT({name}, {notes}, "z"), 1)`, 'z'],
      [`RIGHT({notes} & {notes} & "z", 1)`, 'y'],
      [`LEN(JOIN("--", {notes}, {notes}))`, longest - 2],
      [`LEN(URL({notes} & {notes}))`, longest],
      [`SPLIT(CONCAT(${times(60, '{notes}')}), "y", 5)`, ''],
      [`SPLIT(CONCAT("a,b,", {notes}, ",c"), ",", 4)`, 'c'],
      [
        `CONCAT(${Array.from({ length: 40 }, (_, index) => `${index},`)
          .map(quoted)
          .join(', ')})`,
        `${Array.from({ length: 40 }, (_, index) => index).join(',')},`,
      ],
    ];
    for (const [formula, value] of expected) {
      const start = formula.slice(0, 60);
      expect([start, worked(formula, rows)]).toEqual([start, [value]]);
      expect([start, await answers(database, context, formula)]).toEqual([start, [value]]);
    }
  });

  test('takes what is always empty beside a value of any kind, on every database', async () => {
    const { database, context } = await start(written);
    for (const nothing of ['NULL', 'MIN(NULL, NULL)', 'IF({done}, NULL, NULL)', 'COALESCE(NULL, NULL)'])
      for (const formula of [
        `DATEADD(IF({done}, ${nothing}, {day}), 1, "day")`,
        `EOMONTH(IF({whole} = 0, {at}, ${nothing}), 0)`,
        `IF({done}, {price}, ${nothing}) + 1`,
        `NOT(IF({done}, {done}, ${nothing}))`,
        `IF({done}, {name}, ${nothing}) & "!"`,
        `${nothing} & ISBLANK(${nothing})`,
      ])
        expect([formula, await answers(database, context, formula)]).toEqual([
          formula,
          worked(formula, written),
        ]);
  });

  test('knows what looks like an e-mail address, on every database', async () => {
    const { database, context } = await start(written.slice(0, 1));
    const long = (count: number) => `REPEAT("x", ${count})`;
    const expected: readonly (readonly [string, boolean | null])[] = [
      ['"ada@example.com"', true],
      ['"Ä.d+a@sub.example.co.uk"', true],
      ['"ada@example.com" & {line}', false],
      ['"ada@example"', false],
      ['"ada@example..com"', false],
      ['"ada@.com"', false],
      ['"ada@example.com."', false],
      ['"a@b@example.com"', false],
      ['"ada lovelace@example.com"', false],
      ['"ada@example.com|"', false],
      ['"@example.com"', false],
      ['""', false],
      ['NULL', null],
      [`${long(64)} & "@example.com"`, true],
      [`${long(65)} & "@example.com"`, false],
      [`"a@" & ${long(248)} & ".com"`, true],
      [`"a@" & ${long(249)} & ".com"`, false],
    ];
    for (const [text, value] of expected) {
      const formula = `ISEMAIL(${text.replace('{line}', quoted('\n'))})`;
      expect([formula, worked(formula, written.slice(0, 1))]).toEqual([formula, [value]]);
      expect([formula, await answers(database, context, formula)]).toEqual([formula, [value]]);
    }
  });

  test('reads dates out of texts and none out of others, on every database', async () => {
    const { database, context } = await start(written.slice(0, 1));
    const expected: readonly (readonly [text: string, format: string, string | null])[] = [
      ['2024-02-29', 'YYYY-MM-DD', '2024-02-29'],
      ['2023-02-29', 'YYYY-MM-DD', null],
      ['31.4.2024', 'D.M.YYYY', null],
      ['1.3.2024', 'D.M.YYYY', '2024-03-01'],
      ['01.03.2024', 'D.M.YYYY', '2024-03-01'],
      ['1.3.2024', 'DD.MM.YYYY', null],
      ['001.3.2024', 'D.M.YYYY', null],
      ['1.13.2024', 'D.M.YYYY', null],
      ['0.1.2024', 'D.M.YYYY', null],
      [' 1.3.2024', 'D.M.YYYY', null],
      ['1.3.2024\n', 'D.M.YYYY', null],
      ['1.3.2024 ', 'D.M.YYYY', null],
      ['1x3x2024', 'D.M.YYYY', null],
      ['2024', 'YYYY', '2024-01-01'],
      ['0001-01-01', 'YYYY-MM-DD', '0001-01-01'],
      ['0000-01-01', 'YYYY-MM-DD', null],
      ['9999-12-31 23:59:59', 'YYYY-MM-DD HH:mm:ss', '9999-12-31 23:59:59'],
      ['2024-03-01T24:00', 'YYYY-MM-DDTHH:mm', null],
      ['2024-03-01T07:30', 'YYYY-MM-DDTHH:mm', '2024-03-01 07:30:00'],
      ['2024-03-01t07:30', 'YYYY-MM-DDTHH:mm', null],
      ['3/1/2024 12:05 am', 'M/D/YYYY h:mm A', '2024-03-01 00:05:00'],
      ['3/1/2024 12:05 PM', 'M/D/YYYY h:mm A', '2024-03-01 12:05:00'],
      ['3/1/2024 13:05 PM', 'M/D/YYYY h:mm A', null],
      ['(2024) [1] {2} \\ ^$ a+b*c? a|b 東', '(YYYY) [M] {D} \\ ^$ a+b*c? a|b 東', '2024-01-02'],
      ['２０２４-03-01', 'YYYY-MM-DD', null],
      ['', 'YYYY', null],
      ['1 Mar 2024', 'D MMM YYYY', '2024-03-01'],
      ['MAY 31, 2024', 'MMMM D, YYYY', '2024-05-31'],
      ['may2024', 'MMMYYYY', '2024-05-01'],
      ['september 7 2024 1:05 pm', 'MMMM D YYYY h:mm A', '2024-09-07 13:05:00'],
      ['31 Sep 2024', 'D MMM YYYY', null],
      ['1 March 2024', 'D MMM YYYY', null],
      ['1 Mar 2024', 'D MMMM YYYY', null],
      ['1 Anf 2024', 'D MMM YYYY', null],
      ['1 März 2024', 'D MMMM YYYY', null],
    ];
    for (const [text, format, value] of expected) {
      const formula = `DATETIME_PARSE(${quoted(text)}, ${quoted(format)})`;
      expect([formula, worked(formula, written.slice(0, 1))]).toEqual([formula, [value]]);
      expect([formula, await answers(database, context, formula)]).toEqual([formula, [value]]);
    }
  });

  test('has the same capitals and small letters for all letters, on every database', async () => {
    const letters = Array.from({ length: 0x1_e950 }, (_, index) => String.fromCodePoint(index + 1))
      .filter((letter) => !/\p{Surrogate}/u.test(letter))
      .filter((letter) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter)
      .map(storable);
    const names = ['ΣΑΣ Σ', 'Straße', 'ŉ İx', 'ﬁn'];
    for (let at = 0; at < letters.length; at += 250) names.push(letters.slice(at, at + 250).join(' '));
    const rows = names.map((name, index) => (written[0] ?? []).with(0, index + 1).with(6, name));
    const { database, context } = await start(rows);
    for (const name of ['UPPER', 'LOWER', 'PROPER'])
      expect(await answers(database, context, `${name}({notes})`)).toEqual(worked(`${name}({notes})`, rows));
    expect(worked('UPPER({notes}) & LOWER({notes})', rows.slice(0, 3))).toEqual([
      'ΣΑΣ Σσασ σ',
      'STRAßEstraße',
      'ŉ İXŉ ix',
    ]);
  });

  test('finds the same by patterns, on every database', async () => {
    const letters = fc.constantFrom(...Array.from('aabbc1 -.äв😀^]\n'), '\\', '$1', '\\1');
    const names = fc.sample(fc.string({ unit: letters, maxLength: 9 }), { seed, numRuns: 40 });
    const rows = names.map((name, index) => (written[0] ?? []).with(0, index + 1).with(5, name));
    const { database, context } = await start(rows);
    const replacements = fc.sample(letters, { seed, numRuns: mostPatterns });
    for (const [index, by] of replacements.entries()) {
      const given = `{name}, ${quoted(acceptedPatterns[index] ?? 'a')}`;
      for (const formula of [
        `REGEX_MATCH(${given})`,
        `REGEX_EXTRACT(${given})`,
        `REGEX_REPLACE(${given}, ${quoted(by)})`,
      ]) {
        const expected = worked(formula, rows);
        expect([formula, await answers(database, context, formula)]).toEqual([formula, expected]);
      }
    }
  });

  test('of large numbers and of such as are next to nothing is what its functions say', async () => {
    const { database, context } = await start(large);
    await fc.assert(
      fc.asyncProperty(overLarge(), async (formula) =>
        expect(await answers(database, context, formula)).toEqual(worked(formula, large)),
      ),
      { numRuns: 250, seed },
    );
  });

  test('for which doubles have no room is empty, and the other rows are there', async () => {
    const { database, context } = await start(farthest);
    const nothing = farthest.map(() => null);
    for (const formula of ['EXP(700) * EXP(700)', 'EXP(-700) * EXP(-700)', 'EXP(700) / EXP(-700)']) {
      expect(worked(formula, farthest)).toEqual(nothing);
      expect([formula, await answers(database, context, formula)]).toEqual([formula, nothing]);
    }
    await fc.assert(
      fc.asyncProperty(beyondDoubles(), async (formula) =>
        expect(await answers(database, context, formula)).toEqual(worked(formula, farthest)),
      ),
      { numRuns: 250, seed },
    );
  });

  test.each([
    ['written down', written, 150],
    ...fc.sample(generatedRows, { seed, numRuns: 2 }).map((rows) => ['generated', rows, 60] as const),
  ])('over rows that were %s is what its functions say', async (_name, rows, numRuns) => {
    const { database, context } = await start(rows);
    const { number, text, date, condition } = formulas(3);
    const measured = measures();
    await fc.assert(
      fc.asyncProperty(fc.oneof(number, text, date, condition, measured), async (formula) => {
        const found = await answers(database, context, formula).catch((error: unknown) => {
          // Such a column is refused when it is made, on every database.
          fc.pre(!isTooLarge(error));
          throw error;
        });
        expect(found).toEqual(worked(formula, rows));
      }),
      { numRuns, seed },
    );
  });
});
