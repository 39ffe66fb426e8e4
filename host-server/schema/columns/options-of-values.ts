import { isExpected, type Registry } from '@trellis/core';
import type { ColumnSchema, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import type { CellValue } from '@trellis/sdk/shared';
import type { Database } from '../../databases/database.ts';
import { columnContext } from '../../query/column-context.ts';
import type { PluginErrors } from '../../runtime/tokens.ts';
import { schemaErrors } from '../schema-errors.ts';

/** The most different values of a column that are read. */
const mostValues = 2000;

/** Kinds whose equal values databases cannot tell, or only slowly. */
const incomparable = new Set(['json', 'binary', 'virtual']);

/** A column whose type is about to change, and the place of its values. */
interface ColumnOfValues {
  readonly target: Database;
  readonly table: TableSchema;
  readonly column: ColumnSchema;
}

/** The key column that counts up with each new row; undefined if there is none. */
function numberingColumn({ primaryKey }: TableSchema): ColumnSchema | undefined {
  const [key, ...others] = primaryKey;
  return others.length === 0 && (key?.storage === 'integer' || key?.storage === 'bigint') ? key : undefined;
}

/**
 * The options that a type makes from the values that its column takes over, when nobody chose any. Selects make options of the
 * texts, in the order in which their rows were added if keys tell it, after the column's existing options. Undefined for types
 * that make none, and for too many values.
 */
export async function optionsOfValues(
  { target, table, column }: ColumnOfValues,
  type: ServerColumnType,
  {
    columnTypes,
    errors,
  }: { readonly columnTypes: Registry<ServerColumnType>; readonly errors: PluginErrors },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const make = type.server?.optionsOfTexts;
  const former = columnTypes.get(column.type);
  if (make === undefined || former === undefined || incomparable.has(column.storage)) return undefined;
  const { identifiers, types } = target.dialect;
  const name = identifiers.knexName(column.columnName);
  const values = target
    .builder(identifiers.knexTable(table.tableName))
    .whereNotNull(name)
    .limit(mostValues + 1);
  const number = numberingColumn(table);
  const query =
    number === undefined
      ? values.distinct(name)
      : values
          .select(name)
          .min({ first_of_value: identifiers.knexName(number.columnName) })
          .groupBy(name)
          .orderBy('first_of_value');
  const { rows } = await target.read((unit) => unit.rows(query), { work: 'long' });
  if (rows.length > mostValues) return undefined;
  const codec = types.codec(column.storage, column.nativeType);
  const context = columnContext(column, former);
  const texts = rows.map(([raw]) => former.format(codec.fromDatabase(raw) as CellValue, context));
  try {
    const listed = former.valuesInOrder?.(context.options) ?? [];
    const { separator } = former;
    const items = separator === undefined ? texts : texts.flatMap((text) => text.split(separator));
    return make([...listed, ...items], listed.length === 0 ? undefined : column.meta);
  } catch (error) {
    if (isExpected(error)) throw error;
    errors.charge(columnTypes.subject(type.id), error);
    throw schemaErrors.create('COLUMN_TYPE_FAILED', { type: type.label }, error);
  }
}
