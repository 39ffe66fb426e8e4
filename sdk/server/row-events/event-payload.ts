import { toDisposable, type Disposable, type Row, type TemplateValues } from '../../shared/index.ts';
import type { ValuesByColumn } from '../changes.ts';
import { mayRead } from '../may-read.ts';
import type { OutboxEvent } from '../outbox.ts';
import type { RowReads } from '../row-reads.ts';
import type { TableHandle } from '../table-handle.ts';

/** How many later changes are read at once: first, and then. */
const changesAtOnce = { first: 50, more: 500 } as const;
const mostStates = 500;
/** The most characters of the held rows together. */
const mostCharacters = 8 * 1024 * 1024;
/** Milliseconds without activity after which everything is dropped. */
const idleMs = 60_000;
/** The most later changes of a row whose places are kept. */
const mostLater = 2000;

/** The state of a row after an event. @public */
export interface RowState {
  readonly seq: number;
  readonly row: Row;
  /** The places in the log of its next changes, the earliest first. There may be more after them. */
  readonly later: readonly number[];
  /** Whether there are so many later changes that not all were read. */
  readonly isFar: boolean;
  /** The schema with which the row was read. */
  readonly snapshot: TableHandle['snapshot'];
}

/**
 * The states of rows after the most recent events. If a row changes faster than its events are processed, each event has thousands
 * of later changes: its state is then computed from the state after the previous event and its own changes.
 * @public
 */
export class RowStates {
  readonly #held = new Map<string, { readonly state: RowState; readonly weight: number }>();
  #weight = 0;
  #isUsed = false;
  #timer: NodeJS.Timeout | undefined;

  /** The row after an earlier event, with that event's place in the log. */
  before({ change: { tableId, rowKey } }: OutboxEvent): RowState | undefined {
    return this.#held.get(`${tableId} ${rowKey ?? ''}`)?.state;
  }

  keep({ change: { tableId, rowKey, op } }: OutboxEvent, state: RowState): void {
    const key = `${tableId} ${rowKey ?? ''}`;
    // The most recent one is moved to the end.
    this.#drop(key);
    const weight = op === 'delete' ? 0 : weightOf(state);
    if (op !== 'delete' && weight <= mostCharacters) {
      this.#held.set(key, { state, weight });
      this.#weight += weight;
    }
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= mostStates && this.#weight <= mostCharacters) break;
      this.#drop(oldest);
    }
    this.#isUsed = true;
  }

  /** Drops everything after one to two minutes without activity. Returns the way to stop that. */
  emptyWhenIdle(): Disposable {
    this.#timer ??= setInterval(() => {
      if (!this.#isUsed) this.#clear();
      this.#isUsed = false;
    }, idleMs).unref();
    return toDisposable(() => clearInterval(this.#timer));
  }

  #clear(): void {
    this.#held.clear();
    this.#weight = 0;
  }

  #drop(key: string): void {
    this.#weight -= this.#held.get(key)?.weight ?? 0;
    this.#held.delete(key);
  }
}

/** The approximate number of characters of a state. */
function weightOf({ row, later }: RowState): number {
  const cells = Object.values(row).map((value) => {
    if (typeof value === 'string') return value.length;
    return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8;
  });
  return cells.reduce((sum, size) => sum + size, 8 * (cells.length + later.length));
}

/**
 * The values for templates, for one event: `data`, the row right after the change (a deleted one as it was before), `previous`, the
 * row before an update, else null, `user`, `table` and `event`. Rows are by the titles of their columns.
 *
 * @param handle opened with the rights of the receiver: cells that they may not read are left out
 * @param states of earlier events with the same rights, so that the cost of a frequently changed row does not grow with each
 *   change
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
  const { row, ...place } =
    op === 'delete' ? { row: undefined, ...alone } : await rowAfter(event, { handle, rows, states });
  const data = op === 'delete' ? byTitle(handle, before) : { ...row, ...byTitle(handle, after) };
  states.keep(event, { seq, row: data, snapshot: handle.snapshot, ...place });
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

/** The known changes after an event. */
type Place = Pick<RowState, 'later' | 'isFar'>;

const alone: Place = { later: [], isFar: false };

/**
 * The row right after a change: its current state with the later changes undone. Computed values are those of the time at which the
 * later changes were read; for a deleted row they are left out.
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
): Promise<Place & { readonly row: Row | undefined }> {
  const {
    seq,
    change: { rowKey, op },
  } = event;
  if (rowKey === undefined) return { row: undefined, ...alone };
  const known = states.before(event);
  // The last one may have no change after it: its state is the current row.
  if (known?.later[0] === seq && known.later.length > 1 && known.snapshot === handle.snapshot)
    return { row: known.row, later: known.later.slice(1), isFar: known.isFar };
  let row = await rows.read(handle, rowKey);
  // The change of an inserted row contains all stored values.
  if (op === 'insert') return { row, ...alone };
  const later: number[] = [];
  for (let before: number | undefined; ;) {
    const limit = before === undefined ? changesAtOnce.first : changesAtOnce.more;
    const page = await rows.history(handle, rowKey, { before, limit, reader: states });
    for (const one of page) {
      if (one.seq <= seq) return { row, later: nextOf(later), isFar: false };
      const former = byTitle(handle, one.change.before);
      row = one.change.op === 'update' ? { ...row, ...former } : former;
      later.push(one.seq);
    }
    before = page.at(-1)?.seq;
    if (before === undefined || page.length < limit) return { row, later: nextOf(later), isFar: false };
    if (known === undefined || !(known.isFar || later.length >= mostLater)) continue;
    const [previous] = await rows.history(handle, rowKey, { before: seq, limit: 1, reader: states });
    if (previous?.seq === known.seq) return { row: known.row, later: [], isFar: true };
  }
}

/** The next changes after an event, the earliest first. */
function nextOf(newestFirst: readonly number[]): readonly number[] {
  return newestFirst.slice(-mostLater).toReversed();
}

function byTitle({ table, scope }: TableHandle, values: ValuesByColumn | undefined): Row {
  const entries = Object.entries(values ?? {}).flatMap(([columnId, value]) => {
    const column = table.columnById.get(columnId);
    if (column === undefined || column.type === 'ForeignKey' || !mayRead(scope, column)) return [];
    return [[column.title, value] as const];
  });
  return Object.fromEntries(entries);
}
