import { argumentOf, quotedText } from '../fit.ts';
import { FormulaError, type ProblemCode } from '../problems.ts';
import { call, words, type Typed } from '../typed.ts';
import { momentAt, type Moment } from '../values.ts';
import { asText, itemAt, type FormulaFunction } from './define.ts';
import { monthNames } from './month-names.ts';

const name = 'DATETIME_PARSE';

type Part = 'year' | 'month' | 'day' | 'hour' | 'half hour' | 'minute' | 'second' | 'half';

interface Reading {
  readonly part: Part;
  /** The least and the most digits; absent for words. */
  readonly digits?: readonly [least: number, most: number];
  /** The words in place of digits, in any case: the first word stands for the least number. */
  readonly words?: readonly string[];
  readonly range: readonly [least: number, most: number];
}

const two = [2, 2] as const;
const some = [1, 2] as const;
const shortMonths = monthNames.map((name) => name.slice(0, 3));

/** What the letters of a format parse; undefined for those that can only be written. The longest come first. */
const letters: readonly (readonly [letters: string, reading: Reading | undefined])[] = [
  ['YYYY', { part: 'year', digits: [4, 4], range: [1, 9999] }],
  ['MMMM', { part: 'month', words: monthNames, range: [1, 12] }],
  ['dddd', undefined],
  ['MMM', { part: 'month', words: shortMonths, range: [1, 12] }],
  ['ddd', undefined],
  ['YY', undefined],
  ['MM', { part: 'month', digits: two, range: [1, 12] }],
  ['DD', { part: 'day', digits: two, range: [1, 31] }],
  ['HH', { part: 'hour', digits: two, range: [0, 23] }],
  ['hh', { part: 'half hour', digits: two, range: [1, 12] }],
  ['mm', { part: 'minute', digits: two, range: [0, 59] }],
  ['ss', { part: 'second', digits: two, range: [0, 59] }],
  ['M', { part: 'month', digits: some, range: [1, 12] }],
  ['D', { part: 'day', digits: some, range: [1, 31] }],
  ['H', { part: 'hour', digits: some, range: [0, 23] }],
  ['h', { part: 'half hour', digits: some, range: [1, 12] }],
  ['A', { part: 'half', words: ['AM', 'PM'], range: [0, 1] }],
];

interface Piece {
  readonly text: string;
  /** Undefined for a literal character. */
  readonly reading?: Reading;
  readonly isWrittenOnly?: boolean;
}

function piecesOf(format: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < format.length; at += pieces.at(-1)?.text.length ?? 1) {
    const found = letters.find(([one]) => format.startsWith(one, at));
    pieces.push(
      found === undefined
        ? { text: format.charAt(at) }
        : { text: found[0], reading: found[1], isWrittenOnly: found[1] === undefined },
    );
  }
  return pieces;
}

/** @throws FormulaError for a format that cannot be parsed, or not by all databases in the same way. */
function check(format: Typed, written: string): void {
  const fail = (problem: ProblemCode, part: string): never => {
    throw new FormulaError(problem, format, { function: name, part });
  };
  const pieces = piecesOf(written);
  const found = new Map<Part, string>();
  for (const [index, { text, reading, isWrittenOnly }] of pieces.entries()) {
    if (isWrittenOnly === true) fail('formatNotRead', text);
    if (reading === undefined) continue;
    const other = { hour: 'half hour', 'half hour': 'hour' }[reading.part as string] ?? reading.part;
    if (found.has(reading.part) || found.has(other as Part)) fail('formatTwice', text);
    found.set(reading.part, text);
    const next = pieces[index + 1];
    const isDigit = next !== undefined && (next.reading?.digits !== undefined || /^[0-9]/.test(next.text));
    if (reading.digits === some && isDigit) fail('formatRunsOn', text);
  }
  if (!found.has('year')) fail('formatNeeds', 'YYYY');
  if (found.has('half') && !found.has('half hour')) fail('formatNeeds', 'hh');
  if (found.has('half hour') && !found.has('half')) fail('formatNeeds', 'A');
}

const timeParts: readonly Part[] = ['hour', 'half hour', 'minute', 'second'];

const hasTime = (format: string): boolean =>
  piecesOf(format).some(({ reading }) => reading !== undefined && timeParts.includes(reading.part));

const formatIn = (items: readonly Typed[]): string => String(items[1]?.literal ?? '');

/** The parts of a date in a text; undefined if the text does not match. */
function partsIn(text: string, format: string): ReadonlyMap<Part, number> | undefined {
  const parts = new Map<Part, number>();
  let rest = text;
  for (const { text: piece, reading } of piecesOf(format)) {
    if (reading === undefined) {
      if (!rest.startsWith(piece)) return undefined;
      rest = rest.slice(piece.length);
      continue;
    }
    const { digits = two, words = [], range } = reading;
    const word = words.find((one) => rest.slice(0, one.length).toLowerCase() === one.toLowerCase());
    const [least, most] = digits;
    const found = words.length > 0 ? word : new RegExp(`^[0-9]{${least},${most}}`).exec(rest)?.[0];
    if (found === undefined) return undefined;
    const value = word === undefined ? Number(found) : words.indexOf(word) + range[0];
    if (value < range[0] || value > range[1]) return undefined;
    parts.set(reading.part, value);
    rest = rest.slice(found.length);
  }
  return rest === '' ? parts : undefined;
}

function read(text: string, format: string, kind: Moment['kind']): Moment | null {
  const parts = partsIn(text, format);
  if (parts === undefined) return null;
  const part = (of: Part, other = 0) => parts.get(of) ?? other;
  const hour = part('hour') + (part('half hour') % 12) + 12 * part('half');
  const at = new Date(0);
  at.setUTCFullYear(part('year'), part('month', 1) - 1, part('day', 1));
  // A day that does not exist would become one of the next month.
  if (at.getUTCDate() !== part('day', 1)) return null;
  return momentAt(kind, at.setUTCHours(hour, part('minute'), part('second')));
}

export const dateParse: FormulaFunction = {
  name,
  group: 'Dates',
  parameters: [
    { name: 'text', takes: 'text' },
    { name: 'format', takes: 'text' },
  ],
  result: (items) => (hasTime(formatIn(items)) ? 'datetime' : 'date'),
  summary:
    'The date that a text holds: YYYY, MMMM, MMM, MM, M, DD, D, HH, H, hh, h, mm, ss and A stand for its parts. Empty for a text that is no such date.',
  prepare(items) {
    const format = itemAt(items, 1);
    check(format, quotedText(format, argumentOf(name, 'format', 1)));
    return items;
  },
  build: (items) =>
    call(
      hasTime(formatIn(items)) ? 'READ_MOMENT' : 'READ_DATE',
      itemAt(items, 0).expression,
      words(formatIn(items)),
    ),
  run([text, format]) {
    const given = asText(format);
    return read(asText(text), given, hasTime(given) ? 'datetime' : 'date');
  },
};
