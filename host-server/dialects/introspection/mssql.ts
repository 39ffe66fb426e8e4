import type { Unit } from '../../sql/unit.ts';
import { mssqlTypes } from '../types/mssql.ts';
import {
  assembleSchema,
  gatherKeys,
  select,
  type Introspection,
  type IntrospectedColumn,
} from './default.ts';

interface ColumnRow {
  readonly of: string;
  readonly table_kind: string;
  /** `null` for a table without columns that the user may see. */
  readonly name: string | null;
  readonly type: string;
  /** The size in bytes; -1 for types without a limit. */
  readonly bytes: number;
  readonly digits: number;
  readonly scale: number;
  readonly nullable: boolean;
  readonly counts: boolean;
  readonly computed: boolean;
  readonly fallback: string | null;
}

interface KeyRow {
  readonly of: string;
  readonly name: string;
  readonly column_name: string;
  readonly is_primary: boolean;
}

interface ForeignKeyRow {
  readonly of: string;
  readonly name: string;
  readonly column_name: string;
  readonly target: string;
  /** `null` if it is the same schema. */
  readonly target_schema: string | null;
  readonly target_column: string;
  readonly on_delete: string;
  readonly on_update: string;
}

interface CheckRow {
  readonly of: string;
  readonly rule: string | null;
}

/** The types whose size is stated in characters. */
const sizedInCharacters = new Set(['nvarchar', 'nchar']);
const sizedInBytes = new Set(['varchar', 'char', 'varbinary', 'binary']);
const sizedInFractions = new Set(['datetime2', 'time', 'datetimeoffset']);

/** A column's type as statements write it: `nvarchar(50)`, `decimal(10,2)`, `varbinary(max)`. */
function nativeOf({ type, bytes, digits, scale }: ColumnRow): string {
  if (sizedInCharacters.has(type)) return `${type}(${bytes === -1 ? 'max' : bytes / 2})`;
  if (sizedInBytes.has(type)) return `${type}(${bytes === -1 ? 'max' : bytes})`;
  if (sizedInFractions.has(type)) return `${type}(${scale})`;
  return type === 'decimal' || type === 'numeric' ? `${type}(${digits},${scale})` : type;
}

/** Removes the brackets that SQL Server puts around defaults: `((0))`, `(getdate())`. */
function withoutBrackets(printed: string): string {
  for (let text = printed.trim(); ;) {
    if (!text.startsWith('(') || closing(text) !== text.length - 1) return text;
    text = text.slice(1, -1).trim();
  }
}

/** The position of the bracket that closes the first one. */
function closing(text: string): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === "'") isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** A check that a text is JSON: SQL Server has had a type for JSON only recently. */
const jsonRule = /^isjson\(\[((?:[^\]]|\]\])+)\]\)\s*(?:=\s*\(?1\)?|>\s*\(?0\)?)$/i;

async function jsonColumns(unit: Unit, inSchema: string, bindings: readonly string[]): Promise<Set<string>> {
  const checks = await select<CheckRow>(
    unit,
    'select t.name as [of], r.definition as [rule] from sys.check_constraints r join sys.tables t on t.object_id = r.parent_object_id ' +
      `where ${inSchema} and r.is_disabled = 0 and r.definition like N'%isjson(%'`,
    bindings,
  );
  return new Set(
    checks.flatMap(({ of, rule }) => {
      const name = jsonRule.exec(withoutBrackets(rule ?? ''))?.[1];
      return name === undefined ? [] : [JSON.stringify([of, name.replaceAll(']]', ']')])];
    }),
  );
}

/** @param schema the schema whose tables are read; default is the user's own */
export function mssqlIntrospection(schema?: string): Introspection {
  const inSchema = `t.schema_id = ${schema === undefined ? 'schema_id()' : 'schema_id(?)'}`;
  const bindings = schema === undefined ? [] : [schema];
  return {
    async hasSchema(unit, name) {
      return (await select(unit, 'select 1 as found from sys.schemas where name = ?', [name])).length > 0;
    },

    async read(unit) {
      const columns = await select<ColumnRow>(
        unit,
        'select t.name as [of], t.type as table_kind, c.name as name, ' +
          'case when u.is_user_defined = 1 and u.is_assembly_type = 0 then type_name(c.system_type_id) else u.name end as [type], ' +
          'c.max_length as bytes, c.precision as digits, c.scale as scale, c.is_nullable as nullable, c.is_identity as counts, ' +
          "cast(case when c.is_computed = 1 or u.name in (N'timestamp', N'rowversion') or c.generated_always_type <> 0 then 1 else 0 end as bit) as computed, " +
          'd.definition as fallback from sys.objects t left join sys.columns c on c.object_id = t.object_id ' +
          'left join sys.types u on u.user_type_id = c.user_type_id left join sys.default_constraints d on d.object_id = c.default_object_id ' +
          `where ${inSchema} and t.type in ('U', 'V') and t.is_ms_shipped = 0 order by t.name, c.column_id`,
        bindings,
      );
      const keys = await select<KeyRow>(
        unit,
        'select t.name as [of], i.name as name, c.name as column_name, i.is_primary_key as is_primary from sys.indexes i ' +
          'join sys.tables t on t.object_id = i.object_id join sys.index_columns k on k.object_id = i.object_id and k.index_id = i.index_id ' +
          'join sys.columns c on c.object_id = k.object_id and c.column_id = k.column_id ' +
          `where ${inSchema} and i.is_unique = 1 and i.has_filter = 0 and i.is_disabled = 0 and k.is_included_column = 0 ` +
          'order by t.name, i.name, k.key_ordinal',
        bindings,
      );
      const foreignKeys = await select<ForeignKeyRow>(
        unit,
        'select t.name as [of], f.name as name, c.name as column_name, r.name as target, case when r.schema_id <> t.schema_id then schema_name(r.schema_id) end as target_schema, rc.name as target_column, ' +
          'f.delete_referential_action_desc as on_delete, f.update_referential_action_desc as on_update from sys.foreign_keys f ' +
          'join sys.tables t on t.object_id = f.parent_object_id join sys.tables r on r.object_id = f.referenced_object_id ' +
          'join sys.foreign_key_columns k on k.constraint_object_id = f.object_id ' +
          'join sys.columns c on c.object_id = k.parent_object_id and c.column_id = k.parent_column_id ' +
          'join sys.columns rc on rc.object_id = k.referenced_object_id and rc.column_id = k.referenced_column_id ' +
          `where ${inSchema} order by t.name, f.name, k.constraint_column_id`,
        bindings,
      );
      const json = await jsonColumns(unit, inSchema, bindings);
      const read = (column: ColumnRow & { readonly name: string }): IntrospectedColumn & { of: string } => {
        const native = nativeOf(column);
        return {
          of: column.of,
          name: column.name,
          native,
          reading: mssqlTypes.read(json.has(JSON.stringify([column.of, column.name])) ? 'json' : native),
          nullable: column.nullable,
          ...(column.fallback === null ? {} : { default: withoutBrackets(column.fallback) }),
          autoIncrement: column.counts,
          // Only users who may change the table can set a counting column's value on SQL Server.
          computed: column.computed || column.counts,
        };
      };
      const gathered = gatherKeys(keys);
      const actionOf = (described: string) => described.toLowerCase().replaceAll('_', ' ');
      return assembleSchema({
        tables: [
          ...new Map(
            columns.map(({ of, table_kind: kind }) => [
              of,
              { name: of, kind: kind.trim() === 'V' ? ('view' as const) : ('table' as const) },
            ]),
          ).values(),
        ],
        columns: columns
          .filter((column): column is ColumnRow & { name: string } => column.name !== null)
          .map(read),
        primaryKeys: new Map(
          gathered
            .filter(({ first }) => first.is_primary)
            .map(({ first, rows }) => [first.of, rows.map((row) => row.column_name)]),
        ),
        foreignKeys: gatherKeys(foreignKeys).map(({ first, rows }) => ({
          of: first.of,
          name: first.name,
          columns: rows.map((row) => row.column_name),
          table: first.target,
          schema: first.target_schema,
          references: rows.map((row) => row.target_column),
          onDelete: actionOf(first.on_delete),
          onUpdate: actionOf(first.on_update),
        })),
        uniqueKeys: gathered
          .filter(({ first }) => !first.is_primary)
          .map(({ first, rows }) => ({
            of: first.of,
            name: first.name,
            columns: rows.map((row) => row.column_name),
          })),
      });
    },
  };
}
