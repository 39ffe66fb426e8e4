import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { TableRows } from '../table-rows.ts';

type Table = Pick<TableRows, 'table' | 'columns'>;

const nativeType = (column: ColumnRow) => column.native_type.trim().toLowerCase();

/** The shape of a table, by which a renamed table is recognised: its kind, and its columns with their types. */
function shapeOf({ table, columns }: Table): string {
  // A column without a name in the database is computed by this product.
  const inDatabase = columns.filter(({ column_name: name }) => name !== '');
  return JSON.stringify([
    table.kind,
    inDatabase.map((column) => JSON.stringify([column.column_name, nativeType(column)])).toSorted(),
  ]);
}

/**
 * The likely new names of missing tables, by id: the only new table of the same shape. No name is suggested if several tables of
 * a shape went or came.
 */
export function renamedTables(gone: readonly Table[], added: readonly Table[]): ReadonlyMap<string, string> {
  const after = byShape(added);
  return new Map(
    [...byShape(gone)].flatMap(([shape, [former, ...alsoGone]]) => {
      const [now, ...alsoNew] = after.get(shape) ?? [];
      if (former === undefined || now === undefined || alsoGone.length + alsoNew.length > 0) return [];
      return [[former.table.id, now.table.table_name] as const];
    }),
  );
}

function byShape(tables: readonly Table[]): ReadonlyMap<string, readonly Table[]> {
  const found = new Map<string, Table[]>();
  for (const table of tables) {
    const shape = shapeOf(table);
    found.set(shape, [...(found.get(shape) ?? []), table]);
  }
  return found;
}

/** The likely new name of the only missing column of a table: the only new column, if it has the same type. */
export function renamedColumn(gone: readonly ColumnRow[], added: readonly ColumnRow[]): string | undefined {
  const [former, ...alsoGone] = gone;
  const [now, ...alsoNew] = added;
  if (former === undefined || now === undefined || alsoGone.length + alsoNew.length > 0) return undefined;
  return nativeType(former) === nativeType(now) ? now.column_name : undefined;
}
