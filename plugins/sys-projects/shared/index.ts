export { readDatabaseAddress, type DatabaseAddress } from './database-address.ts';
import type { BaseEntity } from '@trellis/sdk/shared';

/** What databases are called that nobody named. */
const kindLabels: Readonly<Record<string, string>> = {
  pg: 'PostgreSQL',
  mysql2: 'MySQL / MariaDB',
  sqlite3: 'SQLite',
  mssql: 'SQL Server',
};

/** What people call a database of a project. @param t translates a text of the page */
export function nameOfDatabase(
  { alias, type, is_meta: isOwn }: BaseEntity,
  t: (text: string) => string,
): string {
  if (alias !== null && alias !== '') return alias;
  return t(isOwn ? 'Database of this server' : (kindLabels[type] ?? type));
}
