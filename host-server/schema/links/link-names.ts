import { createHash } from 'node:crypto';
import type { IndexSpec } from '../../dialects/schema/schema-changer.ts';

/**
 * Names of a link's parts in the database. They follow from table and columns, so that a step that runs again finds them. They
 * contain a hash of both, since all tables of a database share some of these names, and shortened names could be equal.
 */
function nameOf(prefix: string, tableName: string, columns: readonly string[]): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([tableName, ...columns]))
    .digest('hex');
  const readable = (columns[0] ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, 30);
  return `${prefix}_${readable}_${hash.slice(0, 12)}`;
}

export function foreignKeyName(tableName: string, columns: readonly string[]): string {
  return nameOf('fk', tableName, columns);
}

/** The index that finds the linked rows of a row. */
export function linkIndex(tableName: string, columns: readonly string[]): IndexSpec {
  return { name: nameOf('link', tableName, columns), columns };
}
