import type { Knex } from 'knex';

/** A column of a select list with the total bytes of a row's texts, which are not read for it. */
export function selectBytes(knex: Knex, columns: readonly string[], as: string): Knex.Raw {
  const sizes = columns.map(() => 'coalesce(octet_length(??), 0)').join(' + ');
  return knex.raw(`${sizes} as ??`, [...columns, as]);
}

/** A column of a select list with the characters of a text from a position on, 0 for the first. */
export function selectPiece(
  knex: Knex,
  column: string,
  { from, length, as }: { readonly from: number; readonly length: number; readonly as: string },
): Knex.Raw {
  return knex.raw('substr(??, ?, ?) as ??', [column, from + 1, length, as]);
}

/** The condition that a text begins with another one, without any placeholders. */
export function beginsWith(knex: Knex, column: string, text: string): Knex.Raw {
  return knex.raw('substr(??, 1, ?) = ?', [column, text.length, text]);
}

/**
 * A pattern for `like` that finds texts beginning with another one, by an index if there is one. Special characters of the text
 * match any character, so the caller must compare what was found.
 */
export function beginPattern(text: string): string {
  return `${text.replaceAll(/[%_[\]\\]/g, '_')}%`;
}
