import type { ColumnSchema, ServerColumnType, TableSchema, ViewSchema } from '@trellis/sdk/server';
import { isFilled, type FilterColumn, type RegistryView } from '@trellis/sdk/shared';
import { fieldOptions, type AnswerField } from '../shared/index.ts';

export type ColumnTypes = RegistryView<ServerColumnType>;

/** Whether a new row must have a value for it that nothing else provides. */
export function isNeeded(column: ColumnSchema, types: ColumnTypes): boolean {
  const type = types.get(column.type);
  return (
    column.required &&
    column.columnName !== '' &&
    !column.autoIncrement &&
    !column.generated &&
    column.defaultValue === undefined &&
    !(type !== undefined && isFilled(type))
  );
}

/** Whether people can answer it at all. */
export function isAnswerable(column: ColumnSchema, types: ColumnTypes): boolean {
  const type = types.get(column.type);
  // Links are set by the caller once the row exists.
  if (column.linkId !== undefined) return type !== undefined;
  if (type === undefined || type.editable === false || isFilled(type) || type.namesPeople === true)
    return false;
  if (type.needsAccount === true) return false;
  // People cannot answer when a row was created, or the foreign key behind a link.
  if (column.system && !isNeeded(column, types)) return false;
  return !column.autoIncrement && !column.generated && column.columnName !== '';
}

function conditionColumn(column: ColumnSchema, types: ColumnTypes): FilterColumn {
  const type = types.get(column.type);
  return {
    type,
    context: {
      id: column.id,
      title: column.title,
      required: column.required,
      storage: column.storage,
      options: { ...type?.options?.defaults, ...column.meta },
    },
  };
}

export function conditionColumns(
  { columns }: TableSchema,
  types: ColumnTypes,
): ReadonlyMap<string, FilterColumn> {
  return new Map(columns.map((column) => [column.id, conditionColumn(column, types)]));
}

/** The fields of a form, in its order. */
export function fieldsOf(view: ViewSchema, table: TableSchema, types: ColumnTypes): readonly AnswerField[] {
  return view.columns
    .filter(({ show }) => show)
    .toSorted((a, b) => a.order - b.order)
    .flatMap(({ columnId, meta }): readonly AnswerField[] => {
      const column = table.columnById.get(columnId);
      if (column === undefined || !isAnswerable(column, types)) return [];
      const options = fieldOptions(meta);
      return [
        {
          ...conditionColumn(column, types),
          columnId,
          label: options.label || column.title,
          isNeeded: isNeeded(column, types),
          options,
        },
      ];
    });
}
