import { createHash } from 'node:crypto';
import type { IndexSpec } from '../../dialects/schema/schema-changer.ts';

/**
 * The index that keeps a column unique.
 *
 * Its name follows from table and column, so that it is found again, and holds a hash of both: index names are shared by all
 * tables of a database on SQLite and PostgreSQL, and names that are cut would meet.
 */
export function uniqueIndex(tableName: string, columnName: string): IndexSpec {
  const hash = createHash('sha256')
    .update(JSON.stringify([tableName, columnName]))
    .digest('hex');
  const readable = columnName
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, 30);
  return { name: `unique_${readable}_${hash.slice(0, 12)}`, columns: [columnName], unique: true };
}
