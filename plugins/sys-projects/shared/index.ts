export { readDatabaseAddress, type DatabaseAddress } from './database-address.ts';
import type { BaseEntity } from '@trellis/sdk/shared';

/** The names of databases without an alias. */
const kindLabels: Readonly<Record<string, string>> = {
  pg: 'PostgreSQL',
  mysql2: 'MySQL / MariaDB',
  sqlite3: 'SQLite',
  mssql: 'SQL Server',
};

/** The displayed name of a project's database. @param t translates a text of the page */
export function nameOfDatabase(
  { alias, type, is_meta: isOwn }: BaseEntity,
  t: (text: string) => string,
): string {
  if (alias !== null && alias !== '') return alias;
  return t(isOwn ? 'Database of this server' : (kindLabels[type] ?? type));
}
