import type { SqlFragment } from '../../sql/fragment.ts';

/** The SQL of JSON columns. */
export interface JsonSql {
  /** The member at `path` as text; null if it is missing or JSON null, or if the column holds no JSON. */
  textAt(value: SqlFragment, path: readonly string[]): SqlFragment;
  isEmpty(value: SqlFragment): SqlFragment;
}

/** `$."a"."b"`: the path syntax of SQLite and MySQL. */
export function jsonPath(path: readonly string[]): string {
  return `$${path.map((key) => `.${JSON.stringify(key)}`).join('')}`;
}
