import type { RegistryView } from '@trellis/core';
import type { ColumnSchema, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { endOf, isNamedByCell, type Conversion } from './convert-value.ts';

/**
 * What the rows that are there hold in a new column of moments that the server sets: what another column of the table says of
 * them, and nothing where none does. The moment at which the column is added is not theirs. Undefined for columns of other types.
 */
export function existingStamps(
  table: TableSchema,
  row: ColumnRow,
  columnTypes: RegistryView<ServerColumnType>,
): Conversion | 'empty' | undefined {
  const stamp = columnTypes.get(row.uidt)?.stamp;
  if (stamp === undefined) return undefined;
  const says = (column: ColumnSchema) =>
    column.storage === 'datetime' &&
    (columnTypes.get(column.type)?.stamp ?? stampOfPlain(column)) === stamp &&
    columnTypes.get(column.type) !== undefined;
  const source = table.columns.find(says);
  if (source === undefined || table.primaryKey.length === 0) return 'empty';
  return {
    from: endOf(source),
    to: {
      name: row.column_name,
      storage: row.storage,
      nativeType: row.native_type,
      type: row.uidt,
      title: row.title,
      options: row.meta ?? {},
    },
    key: table.primaryKey.map((key) => key.columnName),
    isNamedByCell: isNamedByCell(table),
  };
}

/** The columns of a new table that hold the same as an ordinary date and time. */
function stampOfPlain(column: ColumnSchema): ServerColumnType['stamp'] {
  if (column.autoUpdate) return 'changed';
  return column.columnName === 'created_at' ? 'created' : undefined;
}
