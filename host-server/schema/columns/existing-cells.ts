import type { RegistryView } from '@trellis/core';
import type { ColumnSchema, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { RowNumbering } from './number-rows.ts';
import { endOf, isNamedByCell, type Conversion } from './convert-value.ts';

/**
 * What the rows that are there hold in a new column that the server fills. Moments and people are what another column of the table says
 * of the rows, and nothing where none does: the moment at which the column is added is not theirs, nor is whoever adds it their author.
 * Undefined for columns of other types.
 */
export function existingCells(
  table: TableSchema,
  row: ColumnRow,
  columnTypes: RegistryView<ServerColumnType>,
): Conversion | RowNumbering | 'empty' | undefined {
  const { stamp, author, numbersRows } = columnTypes.get(row.uidt) ?? {};
  const key = table.primaryKey.map(({ columnName }) => columnName);
  if (numbersRows === true)
    return { key, column: row.column_name, storage: row.storage, nativeType: row.native_type };
  if (stamp === undefined && author === undefined) return undefined;
  const says = (column: ColumnSchema): boolean => {
    const type = columnTypes.get(column.type);
    if (type === undefined || column.storage !== row.storage) return false;
    return author === undefined ? (type.stamp ?? stampOfPlain(column)) === stamp : type.author === author;
  };
  const source = table.columns.find(says);
  if (source === undefined || key.length === 0) return 'empty';
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
    key,
    isNamedByCell: isNamedByCell(table),
  };
}

/** The columns of a new table that hold the same as an ordinary date and time. */
function stampOfPlain(column: ColumnSchema): ServerColumnType['stamp'] {
  if (column.autoUpdate) return 'changed';
  return column.columnName === 'created_at' ? 'created' : undefined;
}
