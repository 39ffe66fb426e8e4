const MAX_LENGTH = 40;

/** Words that are keywords in one of the databases, or names that a row object must not have. */
const RESERVED = new Set(
  (
    'add all alter analyze and any as asc asymmetric authorization begin between binary both by cascade case cast change ' +
    'check collate collation column commit condition constraint constructor continue convert create cross current_date ' +
    'current_role current_time current_timestamp current_user cursor database databases declare default deferrable ' +
    'delayed delete desc describe distinct div do drop dual each else end escape except exists exit explain false fetch ' +
    'float for force foreign freeze from full function generated glob grant group groups having if ignore ilike in index ' +
    'indexed infile initially inner insert int integer intersect interval into is isnull join key keys kill lateral ' +
    'leading left like limit lines load localtime localtimestamp lock long match mod natural no not notnull null numeric ' +
    'of offset on only optimize option or order outer over overlaps partition placing plan pragma precision primary ' +
    'procedure purge query raise range rank read real recursive references regexp reindex release rename repeat replace ' +
    'require restrict return returning revoke right rlike rollback row rowid rows savepoint schema select separator ' +
    'session_user set show similar some sql starting symmetric system table tablesample temp temporary terminated then ' +
    'to trailing transaction trigger true undo union unique unlock unsigned update usage use user using vacuum values ' +
    'varchar variadic varying verbose view virtual when where while window with without write xor year_month zerofill'
  ).split(' '),
);

/** Letters that NFKD does not decompose, with their form in ASCII. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ı', 'i'],
  ['&', ' and '],
  ['%', ' percent '],
  ['€', ' eur '],
  ['$', ' usd '],
]);

/**
 * Makes a readable physical name, `[a-z][a-z0-9_]{0,39}`, from a free title.
 * @param taken names in use, in any case; the result differs from all of them, ignoring case
 * @param fallback the name for a title without any Latin letter or digit, such as `table` or `column`
 */
export function physicalName(title: string, taken: Iterable<string>, fallback: 'table' | 'column'): string {
  const used = new Set(Array.from(taken, (name) => name.toLowerCase()));
  const base = readable(title, fallback);
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `_${count}`;
    const name = base.slice(0, MAX_LENGTH - suffix.length).replace(/_+$/, '') + suffix;
    if (!used.has(name) && !RESERVED.has(name)) return name;
  }
}

function readable(title: string, fallback: string): string {
  const ascii = Array.from(title.toLowerCase().normalize('NFKD'), (letter) => LETTERS.get(letter) ?? letter)
    .join('')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_LENGTH);
  if (ascii === '') return `${fallback}_1`;
  return /^[a-z]/.test(ascii) ? ascii : `${fallback[0]}_${ascii}`;
}
