import type { Bus, BusTopics, Change, TableSchema } from '@trellis/sdk/server';
import type { CellValue, LiveEvent, LiveRowChange } from '@trellis/sdk/shared';

const kept = 200;
/** More rows than this in one event are cheaper to read again. */
const mostNamed = 500;

export interface LiveLogDependencies {
  readonly publish: (event: LiveEvent) => void;
  /** Carries the news of a write to the browsers of other servers. */
  readonly bus: Bus;
}

/** Numbers the changes of each table after their commit, and keeps the last ones for browsers that were away. */
export class LiveLog {
  readonly #tables = new Map<string, { seq: number; readonly events: LiveEvent[] }>();
  readonly #deps: LiveLogDependencies;
  /** Where this process begins to count, so that a number of a former one is never taken for one of ours. */
  readonly #base = Date.now() * 1000;

  constructor(deps: LiveLogDependencies) {
    this.#deps = deps;
  }

  current(tableId: string): number {
    return this.#tables.get(tableId)?.seq ?? this.#base;
  }

  /** The events after `seq`, or undefined when they are not all here any more. */
  since(tableId: string, seq: number): readonly LiveEvent[] | undefined {
    const log = this.#tables.get(tableId);
    if (log === undefined) return seq === this.#base ? [] : undefined;
    if (seq > log.seq || seq < log.seq - log.events.length) return undefined;
    return log.events.slice(log.events.length - (log.seq - seq));
  }

  /** Tells of committed changes, in the order of their commits. */
  append(table: TableSchema, changes: readonly Change[]): void {
    const [first] = changes;
    if (first === undefined) return;
    const { projectId, id: tableId } = table;
    const { requestId } = first;
    const shared = { projectId, tableId, seq: this.current(tableId) + 1, requestId };
    const isNamed =
      changes.length <= mostNamed &&
      changes.every((change) => change.kind === 'row' && change.rowKey !== undefined);
    const event: LiveEvent = isNamed
      ? {
          kind: 'rows',
          ...shared,
          ...(first.actorId !== '' && { actor: { id: first.actorId, email: first.actorEmail } }),
          changes: changes.map((change) => toLiveChange(table, change)),
        }
      : { kind: 'rowsReset', ...shared };
    this.#keep(event);
    this.#deps.bus.publish('rows.changed', shared);
  }

  /** Tells listeners to read the table again, after a write of another server. */
  reset({ projectId, tableId, requestId }: Omit<BusTopics['rows.changed'], 'seq'>): void {
    const seq = this.current(tableId) + 1;
    this.#keep({ kind: 'rowsReset', projectId, tableId, seq, requestId });
  }

  #keep(event: Extract<LiveEvent, { readonly kind: 'rows' | 'rowsReset' }>): void {
    const log = this.#tables.get(event.tableId) ?? { seq: this.#base, events: [] };
    this.#tables.set(event.tableId, log);
    log.seq = event.seq;
    log.events.push(event);
    if (log.events.length > kept) log.events.shift();
    this.#deps.publish(event);
  }
}

function toLiveChange(table: TableSchema, { op, rowKey, after }: Change): LiveRowChange {
  const row: Record<string, CellValue> = {};
  for (const [columnId, value] of Object.entries(after ?? {})) {
    const column = table.columnById.get(columnId);
    if (column) row[column.title] = value;
  }
  return { op, key: rowKey ?? '', ...(op !== 'delete' && { row }) };
}
