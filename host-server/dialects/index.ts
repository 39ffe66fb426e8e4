export type { Dialect, DialectName } from './dialect.ts';
export { dialectOf, isNativeType } from './select-dialect.ts';
export { physicalName } from './identifiers/physical-name.ts';
export type { Identifiers } from './identifiers/default.ts';
export type { ErrorReader } from './errors/default.ts';
export type { Limits } from './limits/default.ts';
export { ValueError } from './types/default.ts';
export type { NativeTypeReading, TypeMap, TypeOptions, ValueCodec } from './types/default.ts';
export type {
  ColumnSpec,
  DefaultValue,
  ForeignKeySpec,
  IndexSpec,
  ReferentialAction,
  SchemaChanger,
  TableSpec,
} from './schema/schema-changer.ts';
export type {
  IntrospectedColumn,
  IntrospectedForeignKey,
  IntrospectedSchema,
  IntrospectedTable,
  Introspection,
} from './introspection/default.ts';
export type { DateSql, DateUnit } from './dates/default.ts';
export { likePattern } from './functions/default.ts';
export type { Comparison, FunctionSql, MathFunction, SqlType } from './functions/default.ts';
export { bound, joined, sql, text, toRaw, type SqlFragment } from '../sql/fragment.ts';
export type { JsonSql } from './json/default.ts';
