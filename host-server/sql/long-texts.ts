import type { Knex } from 'knex';

/** How many bytes the texts of a row take together, as a column of a select list; the texts themselves are not read for it. */
export function selectBytes(knex: Knex, columns: readonly string[], as: string): Knex.Raw {
  const sizes = columns.map(() => 'coalesce(octet_length(??), 0)').join(' + ');
  return knex.raw(`${sizes} as ??`, [...columns, as]);
}

/** Characters of a text from a position on, 0 for the first, as a column of a select list. */
export function selectPiece(
  knex: Knex,
  column: string,
  { from, length, as }: { readonly from: number; readonly length: number; readonly as: string },
): Knex.Raw {
  return knex.raw('substr(??, ?, ?) as ??', [column, from + 1, length, as]);
}

/** The condition that a text begins with another one, of which no character is a placeholder. */
export function beginsWith(knex: Knex, column: string, text: string): Knex.Raw {
  return knex.raw('substr(??, 1, ?) = ?', [column, text.length, text]);
}

/**
 * A pattern for `like` by which texts are found that begin with another one, by an index where there is one. What a pattern reads as its own
 * stands for any character in it, so that whoever asks compares what was found.
 */
export function beginPattern(text: string): string {
  return `${text.replaceAll(/[%_[\]\\]/g, '_')}%`;
}
