import type { OutboxEvent, RowReads, TableHandle, TableSchema, ValuesByColumn } from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import type { TemplateValues } from '../shared/index.ts';
import { causeOf } from './chain.ts';

/** Later changes that are read at once. */
const changesAtOnce = 50;

/** What templates take from, for one event. The webhook's own name is added when it is sent. */
export async function payloadOf(
  event: OutboxEvent,
  handle: TableHandle,
  rows: Pick<RowReads, 'read' | 'history'>,
): Promise<TemplateValues> {
  const { id, seq, change } = event;
  const { table } = handle;
  const { op, before, after, rowKey, actorId, actorEmail, at } = change;
  const data =
    op === 'delete'
      ? byTitle(table, before)
      : { ...(await rowAfter(event, handle, rows)), ...byTitle(table, after) };
  const previous = op === 'update' ? { ...data, ...byTitle(table, before) } : null;
  return {
    data,
    previous,
    user: { id: actorId, email: actorEmail },
    table: { id: table.id, title: table.title },
    event: {
      id,
      type: `after.${op}`,
      operation: op,
      row: rowKey ?? '',
      sequence: seq,
      chain: causeOf(change).chain,
      at: new Date(at).toISOString(),
    },
  };
}

/**
 * The row as it was right after a change: as it is now, with what happened since taken back. What is computed is as it is now; of a row
 * that is gone it is left out.
 */
async function rowAfter(
  { seq, change: { rowKey, op } }: OutboxEvent,
  handle: TableHandle,
  rows: Pick<RowReads, 'read' | 'history'>,
): Promise<Row | undefined> {
  if (rowKey === undefined) return undefined;
  let row = await rows.read(handle, rowKey);
  // Of an added row the change says everything that is stored.
  if (op === 'insert') return row;
  for (let before: number | undefined; ;) {
    const page = await rows.history(handle, rowKey, { before, limit: changesAtOnce });
    for (const later of page) {
      if (later.seq <= seq) return row;
      const former = byTitle(handle.table, later.change.before);
      row = later.change.op === 'update' ? { ...row, ...former } : former;
    }
    before = page.at(-1)?.seq;
    if (before === undefined || page.length < changesAtOnce) return row;
  }
}

function byTitle(table: TableSchema, values: ValuesByColumn | undefined): Row {
  const entries = Object.entries(values ?? {}).flatMap(([columnId, value]) => {
    const column = table.columnById.get(columnId);
    if (column === undefined || column.type === 'ForeignKey') return [];
    return [[column.title, value] as const];
  });
  return Object.fromEntries(entries);
}
