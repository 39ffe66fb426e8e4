import type { ColumnEntity, ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { hasPermission, needsValue, type WebColumnType } from '@trellis/sdk/web';
import type { RowValues } from '@trellis/sdk/web/rows';

/** The fields that a new row has. */
export interface NewRowFields {
  /** Without columns that are computed or filled by other rows. */
  readonly columns: readonly ColumnEntity[];
  /** The column through which people fill another one, such as the link of a foreign key. */
  through(this: void, column: ColumnEntity): ColumnEntity | undefined;
  needs(this: void, column: ColumnEntity): boolean;
  /** Whether these values (by column id) lack a required one. */
  lacks(this: void, column: ColumnEntity, values: RowValues): boolean;
}

/** @param given the row's initial values: their columns are always shown */
export function newRowFields(
  { project, table }: { readonly project: ProjectEntity; readonly table: TableEntity },
  typeOf: (uidt: string) => WebColumnType | undefined,
  given: RowValues = {},
): NewRowFields {
  const all = table.columns ?? [];
  const keptIn = (column: ColumnEntity) => {
    const ids = typeOf(column.uidt)?.keptAnswers?.columnsOf(column) ?? [];
    const kept = all.filter(({ id, read_only: isRead }) => ids.includes(id) && isRead !== true);
    return kept.length === ids.length ? kept : [];
  };
  const hasKey = all.some(({ pk }) => pk);
  const isAsked = (column: ColumnEntity): boolean => {
    if (column.virtual !== true) return true;
    const type = typeOf(column.uidt);
    if (column.system || column.read_only === true || type?.Answer === undefined) return false;
    return keptIn(column).length > 0 || (hasKey && hasPermission('relationDataAdd', project));
  };
  const columns = all.filter(isAsked);
  const answering = new Map<string, ColumnEntity>();
  for (const column of columns)
    for (const { id } of column.virtual === true ? keptIn(column) : [])
      if (isEmpty(given[id]) && !answering.has(id)) answering.set(id, column);
  const answeredBy = (column: ColumnEntity) =>
    all.filter(({ id }) => answering.get(id)?.id === column.id && id !== column.id);
  return {
    columns,
    through: ({ id }) => answering.get(id),
    needs: (column) =>
      answering.has(column.id) ? false : needsValue(column) || answeredBy(column).some(needsValue),
    lacks: (column, values) =>
      answering.has(column.id)
        ? false
        : isEmpty(values[column.id]) &&
          (needsValue(column) ||
            answeredBy(column).some((kept) => needsValue(kept) && isEmpty(values[kept.id]))),
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null;
}
