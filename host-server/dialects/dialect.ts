import type { DateSql } from './dates/default.ts';
import type { ErrorReader } from './errors/default.ts';
import type { FunctionSql } from './functions/default.ts';
import type { Identifiers } from './identifiers/default.ts';
import type { Introspection } from './introspection/default.ts';
import type { JsonSql } from './json/default.ts';
import type { Limits } from './limits/default.ts';
import type { NumberSql } from './numbers/default.ts';
import type { ObjectCatalogue } from './objects/default.ts';
import type { SchemaDialect } from './schema/default.ts';
import type { StatementSql } from './statements/default.ts';
import type { TextSql } from './texts/default.ts';
import type { TypeMap } from './types/default.ts';

/** The databases that `select-dialect.ts` knows. Other modules do not compare names; they ask a topic of the dialect. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql' | 'mssql';

/** All differences between databases, by topic. */
export interface Dialect {
  readonly name: DialectName;
  readonly types: TypeMap;
  readonly schema: SchemaDialect;
  readonly introspection: Introspection;
  readonly objects: ObjectCatalogue;
  readonly dates: DateSql;
  readonly numbers: NumberSql;
  readonly texts: TextSql;
  readonly json: JsonSql;
  readonly limits: Limits;
  readonly errors: ErrorReader;
  readonly identifiers: Identifiers;
  readonly functions: FunctionSql;
  readonly statements: StatementSql;
}
