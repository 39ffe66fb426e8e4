import { formatRowKey, type Row } from '@trellis/sdk/shared';
import type { WrittenCells } from '@trellis/sdk/web';
import type { PageField } from './form-fields.ts';

interface Answered extends Pick<WrittenCells, 'project' | 'table' | 't' | 'request'> {
  readonly fields: readonly PageField[];
}

/** Writes the answers that are no values of the row, such as links, once a member has added the row. Throws for the first that is refused. */
export async function answerLater(
  { project, table, fields, t, request }: Answered,
  answers: Row,
  added: Row,
): Promise<void> {
  const keys = (table.columns ?? []).filter(({ pk }) => pk).map(({ title }) => added[title] ?? null);
  if (keys.length === 0 || keys.includes(null)) return;
  const rowKey = formatRowKey(keys);
  for (const { column, type } of fields) {
    const value = answers[column.title] ?? null;
    if (type.Answer === undefined || type.writeCells === undefined || value === null) continue;
    const changes = [{ rowKey, index: 0, columnId: column.id, value, before: null }];
    const [failure] = await type.writeCells({
      project,
      table,
      column,
      changes,
      t,
      request,
      perform: request,
    });
    if (failure !== undefined) throw new Error(failure.message);
  }
}
