import { createHash } from 'node:crypto';
import type { IndexSpec } from '../../dialects/schema/schema-changer.ts';

/** The index that keeps a column unique. */
export function uniqueIndex(tableName: string, columnName: string): IndexSpec {
  return { name: indexName('unique', tableName, columnName), columns: [columnName], unique: true };
}

/**
 * The name of an index over a column. It follows from table and column, so that it is found again. It contains a hash of both,
 * since on SQLite and PostgreSQL all tables share index names, and shortened names could be equal.
 */
export function indexName(kind: 'unique' | 'sorted', tableName: string, columnName: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([tableName, columnName]))
    .digest('hex');
  const readable = columnName
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, 30);
  return `${kind}_${readable}_${hash.slice(0, 12)}`;
}
