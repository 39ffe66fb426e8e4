import type { SchemaRename } from '@trellis/sdk/server';
import type { IntrospectedSchema } from '../../dialects/introspection/default.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { TableRow } from '../../metadata/models/table-model.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { StoredSchema } from './plan-sync.ts';

/** Tables and columns that have other names in the database now. */
export interface Renamed {
  readonly stored: StoredSchema;
  readonly tables: readonly { readonly id: string; readonly table_name: string }[];
  readonly columns: readonly { readonly id: string; readonly column_name: string }[];
}

/**
 * The metadata with the names that the database has now.
 *
 * @throws TrellisError 400 `SYNC_RENAME` when the former name still exists, or the new one does not exist or is known already.
 */
export function withRenames(
  found: IntrospectedSchema,
  stored: StoredSchema,
  renames: readonly SchemaRename[],
): Renamed {
  const to = new Map(renames.map(({ id, to: name }) => [id, name]));
  const inDatabase = new Map(found.tables.map((table) => [table.name, table]));
  const namesOf = (rows: readonly { readonly table_name: string }[]) =>
    new Set(rows.map(({ table_name: name }) => name));

  const tables = stored.tables.map((row): TableRow => {
    const name = to.get(row.id);
    if (name === undefined) return row;
    if (inDatabase.has(row.table_name) || !inDatabase.has(name) || namesOf(stored.tables).has(name))
      throw schemaErrors.create('SYNC_RENAME', { from: row.table_name, to: name });
    return { ...row, table_name: name };
  });
  const tableById = new Map(tables.map((row) => [row.id, row]));

  const columns = stored.columns.map((row): ColumnRow => {
    const name = to.get(row.id);
    if (name === undefined) return row;
    const table = inDatabase.get(tableById.get(row.table_id)?.table_name ?? '');
    const isThere = (of: string) => table?.columns.some((column) => column.name === of) === true;
    const isKnown = stored.columns.some((of) => of.table_id === row.table_id && of.column_name === name);
    if (row.column_name === '' || isThere(row.column_name) || !isThere(name) || isKnown)
      throw schemaErrors.create('SYNC_RENAME', { from: row.column_name, to: name });
    return { ...row, column_name: name };
  });

  if (namesOf(tables).size < namesOf(stored.tables).size || haveTwins(columns))
    throw schemaErrors.create('SYNC_RENAME_TWICE');
  const isRenamed = ({ id }: { readonly id: string }) => to.has(id);
  return {
    stored: { ...stored, tables, columns },
    tables: tables.filter(isRenamed).map(({ id, table_name }) => ({ id, table_name })),
    columns: columns.filter(isRenamed).map(({ id, column_name }) => ({ id, column_name })),
  };
}

/** Whether two columns of a table have the same name. Computed columns have no name. */
function haveTwins(columns: readonly ColumnRow[]): boolean {
  const named = columns.filter(({ column_name: name }) => name !== '');
  return new Set(named.map((of) => JSON.stringify([of.table_id, of.column_name]))).size < named.length;
}
