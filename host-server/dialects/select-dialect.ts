import { mssqlDates } from './dates/mssql.ts';
import { mysqlDates } from './dates/mysql.ts';
import { postgresDates } from './dates/postgres.ts';
import { sqliteDates } from './dates/sqlite.ts';
import type { Dialect, DialectName } from './dialect.ts';
import { mssqlErrors } from './errors/mssql.ts';
import { mysqlErrors } from './errors/mysql.ts';
import { postgresErrors } from './errors/postgres.ts';
import { sqliteErrors } from './errors/sqlite.ts';
import { mssqlFunctions } from './functions/mssql.ts';
import { mysqlFunctions } from './functions/mysql.ts';
import { postgresFunctions } from './functions/postgres.ts';
import { sqliteFunctions } from './functions/sqlite.ts';
import { mssqlIdentifiers } from './identifiers/mssql.ts';
import { mysqlIdentifiers } from './identifiers/mysql.ts';
import { postgresIdentifiers } from './identifiers/postgres.ts';
import { sqliteIdentifiers } from './identifiers/sqlite.ts';
import { mssqlIntrospection } from './introspection/mssql.ts';
import { mysqlIntrospection } from './introspection/mysql.ts';
import { postgresIntrospection } from './introspection/postgres.ts';
import { sqliteIntrospection } from './introspection/sqlite.ts';
import { mssqlJson } from './json/mssql.ts';
import { mysqlJson } from './json/mysql.ts';
import { postgresJson } from './json/postgres.ts';
import { sqliteJson } from './json/sqlite.ts';
import { mssqlLimits } from './limits/mssql.ts';
import { mysqlLimits } from './limits/mysql.ts';
import { postgresLimits } from './limits/postgres.ts';
import { sqliteLimits } from './limits/sqlite.ts';
import { mssqlNumbers } from './numbers/mssql.ts';
import { mysqlNumbers } from './numbers/mysql.ts';
import { postgresNumbers } from './numbers/postgres.ts';
import { sqliteNumbers } from './numbers/sqlite.ts';
import { mssqlObjects } from './objects/mssql.ts';
import { mysqlObjects } from './objects/mysql.ts';
import { postgresObjects } from './objects/postgres.ts';
import { sqliteObjects } from './objects/sqlite.ts';
import { mssqlSchema } from './schema/mssql.ts';
import { mysqlSchema } from './schema/mysql.ts';
import { postgresSchema } from './schema/postgres.ts';
import { sqliteSchema } from './schema/sqlite.ts';
import { mssqlStatements } from './statements/mssql.ts';
import { mysqlStatements } from './statements/mysql.ts';
import { postgresStatements } from './statements/postgres.ts';
import { sqliteStatements } from './statements/sqlite.ts';
import { mssqlTexts } from './texts/mssql.ts';
import { mysqlTexts } from './texts/mysql.ts';
import { postgresTexts } from './texts/postgres.ts';
import { sqliteTexts } from './texts/sqlite.ts';
import { parseNativeType } from './types/default.ts';
import { mssqlTypes } from './types/mssql.ts';
import { mysqlTypes } from './types/mysql.ts';
import { postgresTypes } from './types/postgres.ts';
import { sqliteTypes } from './types/sqlite.ts';

function mssqlDialect(schema?: string): Dialect {
  const identifiers = mssqlIdentifiers(schema);
  return {
    name: 'mssql',
    types: mssqlTypes,
    schema: mssqlSchema(identifiers),
    introspection: mssqlIntrospection(schema),
    objects: mssqlObjects(schema),
    dates: mssqlDates,
    numbers: mssqlNumbers,
    texts: mssqlTexts,
    json: mssqlJson,
    limits: mssqlLimits,
    errors: mssqlErrors,
    identifiers,
    functions: mssqlFunctions,
    statements: mssqlStatements,
  };
}

const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  sqlite: {
    name: 'sqlite',
    types: sqliteTypes,
    schema: sqliteSchema,
    introspection: sqliteIntrospection,
    objects: sqliteObjects,
    dates: sqliteDates,
    numbers: sqliteNumbers,
    texts: sqliteTexts,
    json: sqliteJson,
    limits: sqliteLimits,
    errors: sqliteErrors,
    identifiers: sqliteIdentifiers,
    functions: sqliteFunctions,
    statements: sqliteStatements,
  },
  postgres: {
    name: 'postgres',
    types: postgresTypes,
    schema: postgresSchema,
    introspection: postgresIntrospection,
    objects: postgresObjects,
    dates: postgresDates,
    numbers: postgresNumbers,
    texts: postgresTexts,
    json: postgresJson,
    limits: postgresLimits,
    errors: postgresErrors,
    identifiers: postgresIdentifiers,
    functions: postgresFunctions,
    statements: postgresStatements,
  },
  mysql: {
    name: 'mysql',
    types: mysqlTypes,
    schema: mysqlSchema,
    introspection: mysqlIntrospection,
    objects: mysqlObjects,
    dates: mysqlDates,
    numbers: mysqlNumbers,
    texts: mysqlTexts,
    json: mysqlJson,
    limits: mysqlLimits,
    errors: mysqlErrors,
    identifiers: mysqlIdentifiers,
    functions: mysqlFunctions,
    statements: mysqlStatements,
  },
  mssql: mssqlDialect(),
};

/**
 * The only place that chooses by database; all other code uses the dialect that it is given.
 *
 * @param schema the schema of tables, for a database whose statements have to name it
 */
export function dialectOf(name: DialectName, schema?: string): Dialect {
  return name === 'mssql' && schema !== undefined ? mssqlDialect(schema) : DIALECTS[name];
}

/** Every dialect, for rules that must hold on all databases. */
export const allDialects: readonly Dialect[] = Object.values(DIALECTS);

/** Whether a text names a native type of one of the databases, in any case and with or without sizes. */
export function isNativeType(text: string): boolean {
  const { name } = parseNativeType(text);
  return Object.values(DIALECTS).some(({ types }) => types.knows(name));
}
