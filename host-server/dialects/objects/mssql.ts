import type { DatabaseObjectPart } from '@trellis/sdk/server';
import type { Unit } from '../../sql/unit.ts';
import { select } from '../introspection/default.ts';
import { type ObjectCatalogue, type ObjectDetails } from './default.ts';

const KIND =
  "case when o.type = N'V' then 'view' when o.type in (N'P', N'PC') then 'procedure' when o.type = N'SO' then 'sequence' " +
  "when o.type = N'TR' then 'trigger' else 'function' end";
const TYPE =
  "type_name(c.user_type_id) + case when type_name(c.system_type_id) in (N'char', N'varchar', N'binary', N'varbinary') " +
  "then N'(' + case c.max_length when -1 then N'max' else cast(c.max_length as nvarchar(10)) end + N')' " +
  "when type_name(c.system_type_id) in (N'nchar', N'nvarchar') " +
  "then N'(' + case c.max_length when -1 then N'max' else cast(c.max_length / 2 as nvarchar(10)) end + N')' " +
  "when type_name(c.system_type_id) in (N'decimal', N'numeric') " +
  "then N'(' + cast(c.precision as nvarchar(10)) + N',' + cast(c.scale as nvarchar(10)) + N')' else N'' end";

interface PartRow {
  readonly name: string;
  readonly type: string;
  readonly is_output: boolean;
  readonly place: number;
}

/** @param schema the schema whose objects are read; default is the user's own */
export function mssqlObjects(schema?: string): ObjectCatalogue {
  const inSchema = `o.schema_id = ${schema === undefined ? 'schema_id()' : 'schema_id(?)'}`;
  const bindings = schema === undefined ? [] : [schema];
  return {
    kinds: ['view', 'function', 'procedure', 'sequence', 'trigger', 'index'],
    first: (count) => `offset 0 rows fetch next ${count} rows only`,
    all: () => ({
      sql:
        `select ${KIND} as kind, o.name as id, o.name as name, case when o.type = N'TR' then object_name(o.parent_object_id) else N'' end as about ` +
        `from sys.objects o where ${inSchema} and o.is_ms_shipped = 0 ` +
        "and o.type in (N'V', N'FN', N'IF', N'TF', N'FS', N'FT', N'P', N'PC', N'SO', N'TR') " +
        "union all select 'index', o.name + N'.' + i.name, i.name, o.name from sys.indexes i join sys.objects o on o.object_id = i.object_id " +
        `where ${inSchema} and o.is_ms_shipped = 0 and o.type in (N'U', N'V') and i.name is not null`,
      bindings: [...bindings, ...bindings],
    }),
    async read(unit, { kind, name, about }) {
      if (kind === 'index') return readIndex(unit, { name, table: about, inSchema, bindings });
      const of = `from sys.objects o where ${inSchema} and o.name = ?`;
      const ofName = [...bindings, name];
      if (kind === 'sequence') {
        const [found] = await select<{ definition: string; type: string }>(
          unit,
          "select N'CREATE SEQUENCE ' + quotename(s.name) + N' AS ' + type_name(s.user_type_id) + N' START WITH ' + cast(s.start_value as nvarchar(40)) + " +
            "N' INCREMENT BY ' + cast(s.increment as nvarchar(40)) + case when s.is_cycling = 1 then N' CYCLE' else N' NO CYCLE' end as definition, " +
            `type_name(s.user_type_id) as type from sys.sequences s where s.object_id in (select o.object_id ${of})`,
          ofName,
        );
        return found === undefined ? {} : { definition: found.definition, returns: found.type };
      }
      const [module] = await select<{ definition: string | null }>(
        unit,
        `select m.definition as definition from sys.sql_modules m where m.object_id in (select o.object_id ${of})`,
        ofName,
      );
      const details: ObjectDetails = { definition: module?.definition ?? undefined };
      if (kind === 'trigger') return details;
      if (kind === 'view') {
        const columns = await select<{ name: string; type: string }>(
          unit,
          `select c.name as name, ${TYPE} as [type] from sys.columns c where c.object_id in (select o.object_id ${of}) order by c.column_id`,
          ofName,
        );
        return { ...details, columns };
      }
      const parts = await select<PartRow>(
        unit,
        `select c.name as name, ${TYPE} as [type], c.is_output as is_output, c.parameter_id as place from sys.parameters c ` +
          `where c.object_id in (select o.object_id ${of}) order by c.parameter_id`,
        ofName,
      );
      // The result of a function is listed as its parameter 0.
      const result = parts.find(({ place }) => place === 0);
      const parameters = parts
        .filter(({ place }) => place > 0)
        .map((part): DatabaseObjectPart => {
          return { name: part.name, type: part.type, mode: part.is_output ? 'out' : 'in' };
        });
      return { ...details, parameters, ...(result && { returns: result.type }) };
    },
  };
}

/** SQL Server gives no statement for an index, so it is written from the catalogue. */
async function readIndex(
  unit: Unit,
  index: {
    readonly name: string;
    readonly table: string;
    readonly inSchema: string;
    readonly bindings: readonly string[];
  },
): Promise<ObjectDetails> {
  const parts = await select<{ unique: boolean; kind: string; name: string; descending: boolean }>(
    unit,
    'select i.is_unique as [unique], i.type_desc as kind, c.name as name, ic.is_descending_key as descending from sys.indexes i ' +
      'join sys.objects o on o.object_id = i.object_id join sys.index_columns ic on ic.object_id = i.object_id and ic.index_id = i.index_id ' +
      'join sys.columns c on c.object_id = ic.object_id and c.column_id = ic.column_id ' +
      `where ${index.inSchema} and o.name = ? and i.name = ? and ic.is_included_column = 0 order by ic.key_ordinal`,
    [...index.bindings, index.table, index.name],
  );
  const [first] = parts;
  if (first === undefined) return {};
  const columns = parts.map(({ name, descending }) => quote(name) + (descending ? ' DESC' : ''));
  const made = `CREATE ${first.unique ? 'UNIQUE ' : ''}${first.kind} INDEX`;
  return { definition: `${made} ${quote(index.name)} ON ${quote(index.table)} (${columns.join(', ')})` };
}

const quote = (name: string) => `[${name.replaceAll(']', ']]')}]`;
