import { physicalName } from '../dialects/identifiers/physical-name.ts';
import type { ProjectSchema } from '@trellis/sdk/server';
import { isPrintable } from '@trellis/sdk/shared';
import { schemaErrors } from './schema-errors.ts';

/** The project's rules for names. */
export type NamingProject = Pick<ProjectSchema, 'meta'>;

const longestTitle = 255;
const clientName = /^[A-Za-z_]\w{0,39}$/;
const forbidden = /[./\\]/;

/** @throws TrellisError 400 when a title of a view or a project contains a character that cannot be shown or stored */
export function checkPrintable(title: string): string {
  if (!isPrintable(title)) throw schemaErrors.create('NAME_UNPRINTABLE');
  return title;
}

/** @throws TrellisError 400 in a project with strict names, for a title with other characters than letters, digits and underscores */
function checkStrict(title: string, { meta }: NamingProject): void {
  if (meta?.strictNames !== true) return;
  const others = new Set(title.replaceAll(/[A-Za-z0-9_]/g, ''));
  if (others.size > 0) throw schemaErrors.create('NAME_NOT_PLAIN', { characters: [...others].join(' ') });
  if (/^[0-9]/.test(title)) throw schemaErrors.create('NAME_START');
}

/** The separator between the words of a generated title. */
export function gapOf({ meta }: NamingProject): string {
  return meta?.strictNames === true ? '_' : ' ';
}

/** The title as given. Throws 400 unless it is short, free, trimmed, and without slashes, dots or control characters. */
export function checkTableTitle(title: string, taken: Iterable<string>, project: NamingProject): string {
  if (title.trim() === '') throw schemaErrors.create('TABLE_NAME_REQUIRED');
  if (title !== title.trim()) throw schemaErrors.create('TABLE_NAME_WHITESPACE');
  if (title.length > longestTitle) throw schemaErrors.create('TABLE_NAME_LONG', { limit: longestTitle });
  if (forbidden.test(title)) throw schemaErrors.create('NAME_CHARACTERS');
  checkPrintable(title);
  checkStrict(title, project);
  if (isTaken(title, taken)) throw schemaErrors.create('TABLE_TITLE_TAKEN');
  return title;
}

/** Checks a column's title by the rules of `checkTableTitle`, among the columns of its table. */
export function checkColumnTitle(title: string, taken: Iterable<string>, project: NamingProject): string {
  if (title.trim() === '') throw schemaErrors.create('COLUMN_NAME_REQUIRED');
  if (title !== title.trim()) throw schemaErrors.create('COLUMN_NAME_WHITESPACE');
  if (title.length > longestTitle) throw schemaErrors.create('COLUMN_NAME_LONG', { limit: longestTitle });
  if (forbidden.test(title)) throw schemaErrors.create('NAME_CHARACTERS');
  checkPrintable(title);
  checkStrict(title, project);
  if (isTaken(title, taken)) throw schemaErrors.create('COLUMN_TITLE_TAKEN');
  return title;
}

function isTaken(title: string, taken: Iterable<string>): boolean {
  const wanted = title.toLowerCase();
  return [...taken].some((other) => other.toLowerCase() === wanted);
}

/** The name in the database: the client's own if it is plain, free and no keyword, else one made from the title. */
export function chooseName(
  of: 'table' | 'column',
  title: string,
  wanted: string | undefined,
  taken: readonly string[],
): string {
  // The server's own names start with a prefix that ends in two underscores; a name made from a title has single ones only.
  const isUsable =
    wanted !== undefined &&
    clientName.test(wanted) &&
    !isTaken(wanted, taken) &&
    physicalName(wanted, [], of) === wanted.toLowerCase().replace(/_+/g, '_');
  return isUsable ? wanted : physicalName(title, taken, of);
}

/** `film_actor` as `FilmActor`; a name with blanks is kept. */
export function inflect(name: string, inflection: 'camelize' | 'none'): string {
  if (inflection === 'none' || /\s/.test(name)) return name;
  const words = name.split('_').filter((word) => word !== '');
  return words.length === 0
    ? name
    : words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The title, with a number added if it is taken. */
export function freeTitle(title: string, taken: ReadonlySet<string>): string {
  const wanted = title === '' ? 'Untitled' : title.slice(0, longestTitle - 4);
  if (!taken.has(wanted.toLowerCase())) return wanted;
  for (let count = 1; ; count += 1) {
    if (!taken.has(`${wanted}${count}`.toLowerCase())) return `${wanted}${count}`;
  }
}

/** The title, with a number added if one of the others has it. */
export function titleAmong(title: string, others: readonly { readonly title: string }[]): string {
  return freeTitle(title, new Set(others.map((other) => other.title.toLowerCase())));
}
