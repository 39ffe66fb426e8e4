import type { Change, TableSchema } from '@trellis/sdk/server';
import type { CellValue, LiveEvent, LiveRowChange } from '@trellis/sdk/shared';

const kept = 200;
/** More rows than this in one event are cheaper to read again. */
const mostNamed = 500;

/** Numbers the changes of each table after their commit, and keeps the last ones for browsers that were away. */
export class LiveLog {
  readonly #tables = new Map<string, { seq: number; readonly events: LiveEvent[] }>();
  readonly #publish: (event: LiveEvent) => void;
  /** Where this process begins to count, so that a number of a former one is never taken for one of ours. */
  readonly #base = Date.now() * 1000;

  constructor(publish: (event: LiveEvent) => void) {
    this.#publish = publish;
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
    const log = this.#tables.get(table.id) ?? { seq: this.#base, events: [] };
    this.#tables.set(table.id, log);
    log.seq += 1;
    const shared = {
      projectId: table.projectId,
      tableId: table.id,
      seq: log.seq,
      requestId: first.requestId,
    };
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
    log.events.push(event);
    if (log.events.length > kept) log.events.shift();
    this.#publish(event);
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
