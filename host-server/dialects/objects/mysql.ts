import type { DatabaseObjectKind, DatabaseObjectPart } from '@trellis/sdk/server';
import { DatabaseError } from '../../sql/database-error.ts';
import type { Unit } from '../../sql/unit.ts';
import { select } from '../introspection/default.ts';
import type { Identifiers } from '../identifiers/default.ts';
import { limitTo, type ObjectCatalogue, type ObjectDetails } from './default.ts';

const ROUTINES =
  "select lower(routine_type) as kind, routine_name as id, routine_name as name, '' as about from information_schema.routines " +
  "where routine_schema = database() and routine_type in ('FUNCTION', 'PROCEDURE')";

const ALL = [
  ROUTINES,
  "select case table_type when 'VIEW' then 'view' else 'sequence' end, table_name, table_name, '' from information_schema.tables " +
    // MariaDB lists its sequences here.
    "where table_schema = database() and table_type in ('VIEW', 'SEQUENCE')",
  "select 'trigger', trigger_name, trigger_name, event_object_table from information_schema.triggers where trigger_schema = database()",
  "select distinct 'index', concat(table_name, '.', index_name), index_name, table_name from information_schema.statistics " +
    'where table_schema = database()',
].join(' union all ');

interface PartRow {
  readonly name: string | null;
  readonly type: string;
  readonly mode: string | null;
}

/** The catalogue of the database that the connection is in. MariaDB has sequences, MySQL has none. */
export const mysqlObjects: ObjectCatalogue = {
  kinds: ['view', 'function', 'procedure', 'sequence', 'trigger', 'index'],
  first: limitTo,
  all: () => ({ sql: ALL, bindings: [] }),
  async read(unit, { kind, name, about }, identifiers) {
    if (kind === 'index') return readIndex(unit, { name, table: about }, identifiers);
    const definition = await madeBy(unit, kind, identifiers.quote(name));
    if (kind === 'view') {
      const columns = await select<{ name: string; type: string }>(
        unit,
        'select column_name as name, column_type as type from information_schema.columns ' +
          'where table_schema = database() and table_name = ? order by ordinal_position',
        [name],
      );
      return { definition, columns };
    }
    if (kind === 'sequence' || kind === 'trigger') return { definition };
    const parts = await select<PartRow>(
      unit,
      'select parameter_name as name, dtd_identifier as type, parameter_mode as mode from information_schema.parameters ' +
        'where specific_schema = database() and specific_name = ? and routine_type = ? order by ordinal_position',
      [name, kind.toUpperCase()],
    );
    // The result of a function is listed among its parameters, without a name.
    const result = parts.find((part) => part.name === null);
    return {
      definition,
      parameters: parts.flatMap((part) => (part.name === null ? [] : [toPart(part.name, part)])),
      language: 'sql',
      ...(result && { returns: result.type }),
    };
  },
};

function toPart(name: string, { type, mode }: PartRow): DatabaseObjectPart {
  const modes = ['in', 'out', 'inout'] as const;
  return { name, type, mode: modes.find((one) => one === mode?.toLowerCase()) ?? 'in' };
}

/** The statement that creates an object. An account without the right to read it gets no text for a routine, and an error for a view. */
async function madeBy(
  unit: Unit,
  kind: Exclude<DatabaseObjectKind, 'index'> | 'table',
  quoted: string,
): Promise<string | undefined> {
  const statement = `show create ${kind} ${quoted}`;
  const [row] = await select<Record<string, unknown>>(unit, statement).catch((error: unknown) => {
    if (error instanceof DatabaseError && error.kind === 'readOnly') return [];
    throw error;
  });
  const columns =
    kind === 'trigger'
      ? ['SQL Original Statement']
      : ['Create View', 'Create Function', 'Create Procedure', 'Create Table'];
  const text = columns.map((column) => row?.[column]).find((value) => typeof value === 'string');
  return typeof text === 'string' ? text : undefined;
}

/** MySQL shows an index only within its table's statement, on a line that begins with its kind and name. */
async function readIndex(
  unit: Unit,
  { name, table }: { readonly name: string; readonly table: string },
  { quote }: Identifiers,
): Promise<ObjectDetails> {
  const begins = name === 'PRIMARY' ? ['PRIMARY KEY '] : ['', 'UNIQUE ', 'FULLTEXT ', 'SPATIAL '];
  const starts = begins.map((begin) => (name === 'PRIMARY' ? begin : `${begin}KEY ${quote(name)} `));
  const lines = (await madeBy(unit, 'table', quote(table)))?.split('\n') ?? [];
  const line = lines.map((one) => one.trim()).find((one) => starts.some((start) => one.startsWith(start)));
  return line === undefined
    ? {}
    : { definition: `ALTER TABLE ${quote(table)} ADD ${line.replace(/,$/, '')}` };
}
