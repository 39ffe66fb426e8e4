import type { OutboxEvent, TableHandle, TableSchema } from '@trellis/sdk/server';
import type { Row, TemplateValues } from '@trellis/sdk/shared';

/**
 * The payload of a webhook of the event `before`: only the new values, by the columns' names in the database, as in the v1 API.
 * For a deleted row, its former values.
 *
 * @param values the payload of a webhook of the event `after` for the same change
 */
export function beforeChange(
  values: TemplateValues,
  { change: { op, after = {} } }: OutboxEvent,
  { table }: TableHandle,
): TemplateValues {
  const event = { ...(values.event as object), type: `before.${op}` };
  if (op === 'delete') return { ...values, event };
  const data: Row = Object.fromEntries(
    Object.entries(after).flatMap(([columnId, value]) => {
      const name = table.columnById.get(columnId)?.columnName ?? '';
      return name === '' ? [] : [[name, value] as const];
    }),
  );
  return { ...values, data, event };
}

/** Titles of columns with their names in the database. */
export function columnNames({
  columns,
}: Pick<TableSchema, 'columns'>): readonly (readonly [string, string])[] {
  return columns.map(({ title, columnName }) => [title, columnName]);
}
