import { createHash } from 'node:crypto';
import type { IndexSpec } from '../../dialects/schema/schema-changer.ts';

/**
 * Names of what a link has in the database. They follow from table and columns, so that a step that is run again finds them, and hold
 * a hash of both: databases share some of these names among all tables, and names that are cut would meet.
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

/** By which the linked rows of a row are found. */
export function linkIndex(tableName: string, columns: readonly string[]): IndexSpec {
  return { name: nameOf('link', tableName, columns), columns };
}
