import fc from 'fast-check';
import { library, type Tables } from './library.ts';
import type { Cell } from './tables.ts';

/** Characters that databases, drivers and collations are known to treat differently. */
const characters = fc.constantFrom(
  'a',
  'A',
  'b',
  'é',
  'É',
  'e\u0301',
  'ä',
  'Ö',
  'ñ',
  'б',
  'Ж',
  'λ',
  '東',
  'ア',
  'ｱ',
  '😀',
  '👩‍👧',
  '\u200b',
  '\u00a0',

  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  "'",
  '"',
  '`',
  '\\',
  '%',
  '_',
  '!',
  '?',
  ':a',
  '$1',
  '--',
  ';',
  '0',
  '1',
  '.',
  '-',
  'null',
);
const text = fc.array(characters, { maxLength: 6 }).map((parts) => parts.join(''));
const whole = fc.oneof(
  fc.constantFrom(0, 1, -1, 9, 10, 2147483647, -2147483648),
  fc.integer({ min: -1000, max: 1000 }),
);
const decimal = fc.oneof(
  fc.constantFrom(
    '0',
    '-0.5',
    '0.000001',
    '-0.000001',
    '0.1',
    '0.30',
    '999999999.999999',
    '-999999999.999999',
  ),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2)),
);
/** Doubles whose sums are exact in any order. */
const ratio = fc.oneof(
  fc.constantFrom(0, 0.5, -0.015625, 1048576, -1048576),
  fc.integer({ min: -4096, max: 4096 }).map((parts) => parts / 64),
);
const date = fc.oneof(
  fc.constantFrom(
    '1000-01-01',
    '1582-10-10',
    '1752-09-03',
    '1899-12-31',
    '1900-02-28',
    '1969-12-31',
    '1970-01-01',
  ),
  fc.constantFrom('1996-02-29', '2000-02-29', '2024-02-29', '2024-12-31', '2038-01-20', '9800-12-31'),
  fc
    .date({ min: new Date('1950-01-01'), max: new Date('2050-12-31'), noInvalidDate: true })
    .map((at) => at.toISOString().slice(0, 10)),
);

const orNull = (cell: fc.Arbitrary<Cell>): fc.Arbitrary<Cell> => fc.option(cell, { nil: null, freq: 6 });

/** Rows with consecutive keys from a number on. */
function rows(first: number, cells: readonly fc.Arbitrary<Cell>[]) {
  return fc
    .array(fc.tuple(...cells.map(orNull)), { minLength: 4, maxLength: 9 })
    .map((made) => made.map((row, index): readonly Cell[] => [first + index, ...row]));
}

const keys = (first: number) => fc.integer({ min: first, max: first + 9 });

/** The tables of `library` with other rows: unusual texts, limits of numbers and dates, links to missing rows. */
export const generatedLibrary: fc.Arbitrary<Tables> = fc
  .record({
    author: rows(1, [text, text, whole, decimal, ratio, fc.boolean(), date]),
    book: rows(11, [keys(1), text, whole, decimal, date]),
    tag: rows(21, [text, whole]),
    book_tag: rows(31, [keys(11), keys(21)]),
  })
  .map((made) =>
    Object.fromEntries(
      Object.entries(made).map(([name, rowsOf]) => [
        name,
        { columns: library[name]?.columns ?? {}, rows: rowsOf },
      ]),
    ),
  );
