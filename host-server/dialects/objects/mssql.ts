import type { DatabaseObjectPart } from '@trellis/sdk/server';
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

/** @param schema whose objects are read; those of the user's own one where it is left out */
export function mssqlObjects(schema?: string): ObjectCatalogue {
  const inSchema = `o.schema_id = ${schema === undefined ? 'schema_id()' : 'schema_id(?)'}`;
  const bindings = schema === undefined ? [] : [schema];
  return {
    kinds: ['view', 'function', 'procedure', 'sequence', 'trigger'],
    first: (count) => `offset 0 rows fetch next ${count} rows only`,
    all: () => ({
      sql:
        `select ${KIND} as kind, o.name as id, o.name as name, case when o.type = N'TR' then object_name(o.parent_object_id) else N'' end as about ` +
        `from sys.objects o where ${inSchema} and o.is_ms_shipped = 0 ` +
        "and o.type in (N'V', N'FN', N'IF', N'TF', N'FS', N'FT', N'P', N'PC', N'SO', N'TR')",
      bindings,
    }),
    async read(unit, { kind, name }) {
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
      // The result of a function is its parameter 0.
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
