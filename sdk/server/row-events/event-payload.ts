import type { Row, TemplateValues } from '../../shared/index.ts';
import type { ValuesByColumn } from '../changes.ts';
import { mayRead } from '../may-read.ts';
import type { OutboxEvent } from '../outbox.ts';
import type { RowReads } from '../row-reads.ts';
import type { TableHandle } from '../table-handle.ts';

/** Later changes that are read at once. */
const changesAtOnce = 50;
const mostStates = 500;

/**
 * How rows were after the events that were told last. Of a row that changes faster than it is told of, each event has thousands of later
 * changes: its state is then the one after the event before it, with what it changed.
 * @public
 */
export class RowStates {
  readonly #held = new Map<string, { readonly seq: number; readonly row: Row }>();

  /** The row after an event before this one, with the place of that one in the log. */
  before({ change: { tableId, rowKey } }: OutboxEvent) {
    return this.#held.get(`${tableId} ${rowKey ?? ''}`);
  }

  keep({ seq, change: { tableId, rowKey, op } }: OutboxEvent, row: Row): void {
    const key = `${tableId} ${rowKey ?? ''}`;
    // The one that was told of last stands last.
    this.#held.delete(key);
    if (op !== 'delete') this.#held.set(key, { seq, row });
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= mostStates) return;
      this.#held.delete(oldest);
    }
  }
}

/**
 * What templates take from, for one event: `data`, the row as it was right after the change (a deleted one as it was before), `previous`, the
 * row before a change of it, else null, `user`, `table` and `event`. Rows are by the titles of their columns.
 *
 * @param handle opened with the rights of whom it is told to: cells that they may not read are left out
 * @param states of what was told with the same rights, so that a row that changes often costs no more with each change
 * @public
 */
export async function payloadOf(
  event: OutboxEvent,
  handle: TableHandle,
  rows: Pick<RowReads, 'read' | 'history'>,
  states = new RowStates(),
): Promise<TemplateValues> {
  const { id, seq, change } = event;
  const { table } = handle;
  const { op, before, after, rowKey, actorId, actorEmail, at } = change;
  const data =
    op === 'delete'
      ? byTitle(handle, before)
      : { ...(await rowAfter(event, { handle, rows, states })), ...byTitle(handle, after) };
  states.keep(event, data);
  const previous = op === 'update' ? { ...data, ...byTitle(handle, before) } : null;
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
      at: new Date(at).toISOString(),
    },
  };
}

/**
 * The row as it was right after a change: as it is now, with what happened since taken back. What is computed is as it is now; of a row
 * that is gone it is left out.
 */
async function rowAfter(
  event: OutboxEvent,
  {
    handle,
    rows,
    states,
  }: {
    readonly handle: TableHandle;
    readonly rows: Pick<RowReads, 'read' | 'history'>;
    readonly states: RowStates;
  },
): Promise<Row | undefined> {
  const {
    seq,
    change: { rowKey, op },
  } = event;
  if (rowKey === undefined) return undefined;
  let row = await rows.read(handle, rowKey);
  // Of an added row the change says everything that is stored.
  if (op === 'insert') return row;
  for (let before: number | undefined; ;) {
    const page = await rows.history(handle, rowKey, { before, limit: changesAtOnce });
    for (const later of page) {
      if (later.seq <= seq) return row;
      const former = byTitle(handle, later.change.before);
      row = later.change.op === 'update' ? { ...row, ...former } : former;
    }
    before = page.at(-1)?.seq;
    if (before === undefined || page.length < changesAtOnce) return row;
    const known = states.before(event);
    if (known === undefined) continue;
    const [previous] = await rows.history(handle, rowKey, { before: seq, limit: 1 });
    if (previous?.seq === known.seq) return known.row;
  }
}

function byTitle({ table, scope }: TableHandle, values: ValuesByColumn | undefined): Row {
  const entries = Object.entries(values ?? {}).flatMap(([columnId, value]) => {
    const column = table.columnById.get(columnId);
    if (column === undefined || column.type === 'ForeignKey' || !mayRead(scope, column)) return [];
    return [[column.title, value] as const];
  });
  return Object.fromEntries(entries);
}
