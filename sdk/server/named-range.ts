import type { ColumnSchema } from './schema.ts';

/** Words in the names of columns for the start of something, in languages that are common for tables. */
const beginnings = new Set(
  'start starts begin begins beginning from since first arrival beginn anfang von ab seit anreise ankunft début debut inicio desde'.split(
    ' ',
  ),
);
/** The same for columns for its end. */
const endings = new Set(
  'end ends finish finishes to until till through due deadline last departure ende schluss bis fällig frist abreise fin hasta'.split(
    ' ',
  ),
);
/** Words that occur in the names of both. */
const plain = new Set('date datetime time day at on datum zeit zeitpunkt tag termin am um fecha'.split(' '));
/** Endings of compound words: `Startdatum`, `startdate`. */
const plainEnd = /s?(?:datum|zeitpunkt|zeit|tag|termin|date|time|day)$/;
/** Compounds such as `Vertragsbeginn`, `Vertragsende`. */
const compound = /^(.+?)(beginn|anfang|start|ende|schluss)$/;

/** The meaning of a column's name: which end of a range it is, and of what. */
interface NamedEnd {
  readonly column: ColumnSchema;
  readonly isFirst: boolean;
  readonly of: string;
}

/**
 * Two of some columns whose names mean the start and the end of something, such as `Start` and `End`, `date_from` and `date_to`, in
 * any order. Pairs whose names otherwise match come first, then the first columns.
 *
 * @param columns of dates
 * @public
 */
export function namedRange(
  columns: readonly ColumnSchema[],
): { readonly from: ColumnSchema; readonly to: ColumnSchema } | undefined {
  const named = columns.flatMap((column) => namedEnd(column) ?? []);
  const pairs = named
    .filter(({ isFirst }) => isFirst)
    .flatMap((from) => named.filter(({ isFirst }) => !isFirst).map((to) => ({ from, to })));
  const isAlike = ({ from, to }: (typeof pairs)[number]) => from.of === to.of;
  const pair = pairs.find(isAlike) ?? pairs.find(({ from, to }) => from.of === '' || to.of === '');
  return pair && { from: pair.from.column, to: pair.to.column };
}

function namedEnd(column: ColumnSchema): NamedEnd | undefined {
  const words = wordsOf(column.title);
  const roles = words.map(roleOf);
  const [role, ...others] = roles.filter((each) => each !== undefined);
  if (role === undefined || others.some(({ isFirst }) => isFirst !== role.isFirst)) return undefined;
  const rest = words.map((word, at) => roles[at]?.of ?? (plain.has(word) ? '' : word));
  return { column, isFirst: role.isFirst, of: rest.filter((word) => word !== '').join(' ') };
}

/** `dateFrom`, `date_from` and `Date from` yield the same words. */
function wordsOf(title: string): readonly string[] {
  const spaced = title.normalize('NFC').replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2');
  return spaced
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Which end a word means, and of what, if the word contains that. */
function roleOf(word: string): Pick<NamedEnd, 'isFirst' | 'of'> | undefined {
  for (const core of [word, word.replace(plainEnd, '')]) {
    if (beginnings.has(core)) return { isFirst: true, of: '' };
    if (endings.has(core)) return { isFirst: false, of: '' };
    const [, of = '', end = ''] = compound.exec(core) ?? [];
    if (end !== '') return { isFirst: beginnings.has(end), of };
  }
  return undefined;
}
