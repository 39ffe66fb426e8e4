import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { foreignKeyType } from '../../metadata/models/column-rules.ts';

/** The columns of an existing table, with the display column marked, see `displayOfExternal`. */
export function withDisplayOfExternal(
  tableName: string,
  columns: readonly ColumnRow[],
): readonly ColumnRow[] {
  const display = displayOfExternal(tableName, columns);
  return columns.map((column) => ({ ...column, display: column === display }));
}

/**
 * The display column of an existing table: the text column whose name reads most like a name, else the first text that describes
 * the row rather than its place or state, else the key. Keys, foreign keys and lists of options are not used.
 */
export function displayOfExternal(tableName: string, columns: readonly ColumnRow[]): ColumnRow | undefined {
  const texts = columns
    .filter(({ storage, primary_key, uidt }) => {
      const isText = storage === 'string' || storage === 'text';
      return isText && !primary_key && uidt !== foreignKeyType && !uidt.endsWith('Select');
    })
    .map((column) => ({ column, words: wordsOf(column.column_name) }));
  const rules = [
    ...namesOfRows.map((reads) => readAs(reads)),
    namedAfter(tableName),
    endsWith('name'),
    endsWith('title'),
    saysWhat,
  ];
  const named = rules.map((holds) => texts.find(({ words }) => holds(words)));
  return (
    named.find((text) => text !== undefined)?.column ??
    columns.find(({ primary_key }) => primary_key) ??
    columns.find(({ uidt, storage }) => uidt !== foreignKeyType && storage !== 'virtual') ??
    columns[0]
  );
}

type Words = readonly string[];

/** The words of a name in lower case, for `BillingCity` and `billing_city` alike. */
function wordsOf(name: string): Words {
  const parts = name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').split(/[^\p{L}]+/u);
  return parts.filter((part) => part !== '').map((part) => part.toLowerCase());
}

/**
 * Patterns of name columns, best first: `name`, `full_name` and `DisplayName`, but not `username` or `file_name_hash`; then names
 * of people, where `title` is a job title; then titles.
 */
const namesOfRows = [
  /^(?:full|display)?name$/,
  /^(?:last|family|sur)name$/,
  /^(?:full|display)?(?:title|label|subject)$/,
];

const readAs = (pattern: RegExp) => (words: Words) => pattern.test(words.join(''));

/** Whether a column has the name of its table: `city` or `city_name` of `cities`. */
function namedAfter(tableName: string): (words: Words) => boolean {
  const whole = wordsOf(tableName).join('');
  const own = [whole, whole.replace(/s$/, ''), whole.replace(/ies$/, 'y')];
  const names = new Set(own.flatMap((name) => [name, `${name}name`, `${name}title`]));
  return (words) => names.has(words.join(''));
}

/** Words of texts that say where something is, its state, how to reach it or when it was, and of texts that nobody reads. */
const asides = new Set(
  [
    'address addr street city town state province region district county country postal postcode zip',
    'phone telephone tel fax mobile',
    'status type kind gender sex currency language locale timezone',
    'date datetime timestamp time created updated modified',
    'url uri path file host password passwd hash digest checksum token secret salt uuid guid',
  ].flatMap((line) => line.split(' ')),
);

/** The address of a mailbox tells people apart, the address of a house does not. */
const saysWhat = (words: Words): boolean =>
  words.some((word) => word.endsWith('mail')) || !words.some((word) => asides.has(word));

/** Matches `CompanyName` and `product_title`. */
const endsWith = (last: string) => (words: Words) =>
  words.length > 1 && words.at(-1) === last && saysWhat(words);
