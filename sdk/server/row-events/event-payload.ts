import { toDisposable, type Disposable, type Row, type TemplateValues } from '../../shared/index.ts';
import type { ValuesByColumn } from '../changes.ts';
import { mayRead } from '../may-read.ts';
import type { OutboxEvent } from '../outbox.ts';
import type { RowReads } from '../row-reads.ts';
import type { TableHandle } from '../table-handle.ts';

/** Later changes that are read at once: at first, and where there are more. */
const changesAtOnce = { first: 50, more: 500 } as const;
const mostStates = 500;
/** Characters of the rows that are held together. */
const mostCharacters = 8 * 1024 * 1024;
/** Milliseconds after which nothing is held any more where nothing happens. */
const idleMs = 60_000;
/** Later changes of a row of which is kept when they were. */
const mostLater = 2000;

/** How a row was after an event. @public */
export interface RowState {
  readonly seq: number;
  readonly row: Row;
  /** The places in the log of its next changes, the next one first. There may be more behind them. */
  readonly later: readonly number[];
  /** Whether so many changes follow that they were not all read. */
  readonly isFar: boolean;
  /** The schema by which the row was read. */
  readonly snapshot: TableHandle['snapshot'];
}

/**
 * How rows were after the events that were told last. Of a row that changes faster than it is told of, each event has thousands of later
 * changes: its state is then the one after the event before it, with what it changed.
 * @public
 */
export class RowStates {
  readonly #held = new Map<string, { readonly state: RowState; readonly weight: number }>();
  #weight = 0;
  #isUsed = false;
  #timer: NodeJS.Timeout | undefined;

  /** The row after an event before this one, with the place of that one in the log. */
  before({ change: { tableId, rowKey } }: OutboxEvent): RowState | undefined {
    return this.#held.get(`${tableId} ${rowKey ?? ''}`)?.state;
  }

  keep({ change: { tableId, rowKey, op } }: OutboxEvent, state: RowState): void {
    const key = `${tableId} ${rowKey ?? ''}`;
    // The one that was told of last stands last.
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

  /** Lets everything go once nothing has happened for a minute or two. Gives the way to stop that. */
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

/** Characters that a state takes, about. */
function weightOf({ row, later }: RowState): number {
  const cells = Object.values(row).map((value) => {
    if (typeof value === 'string') return value.length;
    return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8;
  });
  return cells.reduce((sum, size) => sum + size, 8 * (cells.length + later.length));
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

/** What is known of the changes behind an event. */
type Place = Pick<RowState, 'later' | 'isFar'>;

const alone: Place = { later: [], isFar: false };

/**
 * The row as it was right after a change: as it is now, with what happened since taken back. What is computed is as it was when the later
 * changes were read; of a row that is gone it is left out.
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
  // The last one of them may have no change behind it: it is told as the row is now.
  if (known?.later[0] === seq && known.later.length > 1 && known.snapshot === handle.snapshot)
    return { row: known.row, later: known.later.slice(1), isFar: known.isFar };
  let row = await rows.read(handle, rowKey);
  // Of an added row the change says everything that is stored.
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

/** The next changes behind an event, the next one first. */
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
