import type { RegistryView } from '@trellis/core';
import type { ColumnSchema, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { RowNumbering } from './number-rows.ts';
import { endOf, isNamedByCell, type Conversion } from './convert-value.ts';

/**
 * The values of existing rows in a new column that the server fills. Times and people are copied from another column of the table
 * that has them, else the cells stay empty: the rows were not made now, nor by the person who adds the column. Undefined for
 * columns of other types.
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

/** The stamp of a plain date and time column: the time of the last change with `autoUpdate`, the time of creation for `created_at`. */
function stampOfPlain(column: ColumnSchema): ServerColumnType['stamp'] {
  if (column.autoUpdate) return 'changed';
  return column.columnName === 'created_at' ? 'created' : undefined;
}
