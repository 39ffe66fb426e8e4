import { createIdentifiers, type Identifiers } from './default.ts';

/** SQL Server counts 128 characters of up to 3 bytes. @param schema where tables are; the user's own where it is left out */
export function mssqlIdentifiers(schema?: string): Identifiers {
  return createIdentifiers('[]', 384, schema);
}
