import type { RowInput } from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import { visibleColumns } from './visible-columns.ts';
import type { Visit } from './visits.ts';

/** A row that is silently discarded, in the form of the answer if it had been added. */
export function droppedRow(visit: Visit, values: RowInput): Row {
  const { types } = visit;
  const cells = visibleColumns(visit).map((column) => {
    const { id, title, required, storage, meta } = column;
    const type = types.get(column.type);
    const sent = Object.hasOwn(values, title) ? values[title] : null;
    const options = { ...type?.options?.defaults, ...meta };
    const parsed = sent === null ? undefined : type?.parse(sent, { id, title, required, storage, options });
    return [title, parsed?.ok === true ? parsed.value : sent] as const;
  });
  return Object.fromEntries(cells) as Row;
}
