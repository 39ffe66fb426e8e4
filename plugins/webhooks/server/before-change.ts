import type { OutboxEvent, TableHandle, TableSchema } from '@trellis/sdk/server';
import type { Row, TemplateValues } from '@trellis/sdk/shared';

/**
 * What a webhook of the event `before` is told of a change: the new values alone, by the names that their columns have in the database, as
 * the v1 API has it. A row that is deleted is told as it was.
 *
 * @param values what a webhook of the event `after` is told of the same change
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
