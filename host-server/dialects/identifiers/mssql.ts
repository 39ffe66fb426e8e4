import { createIdentifiers, type Identifiers } from './default.ts';

/** SQL Server allows 128 characters of up to 3 bytes. @param schema the schema of tables; default is the user's own */
export function mssqlIdentifiers(schema?: string): Identifiers {
  return createIdentifiers('[]', 384, schema);
}
