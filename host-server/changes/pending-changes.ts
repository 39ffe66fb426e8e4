import type { Query, Unit } from '../sql/unit.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { insertInto } from '../query/insert.ts';
import type { ChangeLog, Operation, Recorded, Recording } from './change-log.ts';
import type { NewEntry } from './log-entry.ts';
import type { TableChanges } from './row-change.ts';
import { heldBy, type HeldCall, type WrittenCalls } from './written-calls.ts';

/** An operation that was announced for an external database and not confirmed. */
export interface PendingOperation {
  readonly id: string;
  /** When it was announced, in UTC milliseconds. */
  readonly at: number;
  readonly entries: readonly NewEntry[];
  /** Its call, if it came with an `Idempotency-Key`. */
  readonly call: HeldCall | undefined;
}

/** An entry as it is announced. */
interface Announced extends NewEntry {
  readonly callKey?: string;
  /** Versions before this one made no claims; their calls are held under an empty one. */
  readonly callClaim?: string;
}

const columns = ['operation_id', 'part', 'state', 'at', 'entry'] as const;

/**
 * Changes to external databases, which cannot share a transaction with the log: announced before they are made, moved to the log
 * once they are certain.
 */
export class PendingChanges {
  readonly #metadata: Metadata;
  readonly #log: ChangeLog;
  readonly #calls: WrittenCalls;

  constructor(metadata: Metadata, log: ChangeLog, calls: WrittenCalls) {
    this.#metadata = metadata;
    this.#log = log;
    this.#calls = calls;
  }

  /** Announces changes before they are made. */
  async announce(operation: Operation, tables: readonly TableChanges[]): Promise<void> {
    const { database } = this.#metadata;
    const entries = this.#log.entriesOf(operation, tables);
    const { requestId } = operation.author;
    const call = this.#calls.of(requestId);
    const held = { callKey: call?.key, callClaim: call?.claim } satisfies Partial<Announced>;
    const rows = entries.map((entry, part) => [
      operation.id,
      part,
      'pending',
      entry.at,
      JSON.stringify({ ...entry, ...held }),
    ]);
    // One statement for each part: together they may pass the size that a server takes.
    const inserts = rows.map((row) => insertInto(database.dialect, 'trellis_pending', columns, [row]));
    await database.write(async (unit) => {
      await this.#calls.renew(unit, call, database);
      await unit.batch(inserts);
    });
    this.#calls.opened(requestId);
  }

  /**
   * Writes what really happened to the log, ends the announcement and marks the call as carried out, in one transaction.
   *
   * @param call whose request is over.
   */
  async confirm(operation: Operation, recording: Recording, call?: HeldCall): Promise<Recorded> {
    const { requestId } = operation.author;
    const marks = this.#calls.marks(call ?? this.#calls.of(requestId));
    const recorded = await this.#metadata.database.write(
      async (unit) => {
        const end: Query = unit.knex('trellis_pending').where({ operation_id: operation.id }).delete();
        const [, ...answers] = await unit.batch([end, ...recording.statements, ...marks]);
        unit.afterCommit(() => this.#log.committed());
        return recording.recorded(answers);
      },
      { retry: true },
    );
    this.#calls.settled(requestId);
    return recorded;
  }

  /** Ends the announcement of changes that were not made: the call may be repeated. */
  async withdraw({ id, author }: Pick<Operation, 'id' | 'author'>, call?: HeldCall): Promise<void> {
    await this.#metadata.database.write(async (unit) => {
      await unit.run(unit.knex('trellis_pending').where({ operation_id: id }).delete());
      if (call !== undefined) await unit.run(heldBy(unit, call).where({ state: 'running' }).delete());
    });
    this.#calls.settled(author.requestId);
  }

  /** Keeps announcements whose outcome is unknown; no reader of the log is told of them. */
  async giveUp(operationId: string): Promise<void> {
    await this.#metadata.database.write((unit) =>
      unit.run(
        unit.knex('trellis_pending').where({ operation_id: operationId }).update({ state: 'unknown' }),
      ),
    );
  }

  /** Whether a call is announced that takes back what happened to rows of one of these tables. */
  async takesBack(unit: Unit, tableIds: ReadonlySet<string>): Promise<boolean> {
    const rows = await unit.all<{ readonly entry: string }>(
      unit.knex('trellis_pending').where({ state: 'pending' }).select('entry'),
    );
    return rows
      .map(({ entry }) => JSON.parse(entry) as Announced)
      .some(({ origin, tableId }) => origin === 'undo' && tableIds.has(tableId));
  }

  /**
   * The oldest operation that was announced before a time and is still open; undefined when there is none left.
   *
   * @param before UTC milliseconds.
   * @param after the operation to go on from, whether it was ended or not.
   */
  async next(before: number, after?: PendingOperation): Promise<PendingOperation | undefined> {
    return this.#metadata.database.read(async (unit) => {
      const pending = () => unit.knex('trellis_pending').where({ state: 'pending' });
      const { at = 0, id = '' } = after ?? {};
      const first = await unit.first<{ operation_id: string; at: number | string }>(
        pending()
          .where('at', '<', before)
          .where((where) => {
            void where.where('at', '>', at).orWhere((same) => {
              void same.where({ at }).where('operation_id', '>', id);
            });
          })
          .orderBy('at')
          .orderBy('operation_id')
          .first('operation_id', 'at'),
      );
      if (first === undefined) return undefined;
      const parts = await unit.all<{ entry: string }>(
        pending().where({ operation_id: first.operation_id }).orderBy('part').select('entry'),
      );
      const entries = parts.map(({ entry }) => JSON.parse(entry) as Announced);
      const { callKey: key, callClaim: claim = '' } = entries[0] ?? {};
      return {
        id: first.operation_id,
        at: Number(first.at),
        entries,
        call: key === undefined ? undefined : { key, claim },
      };
    });
  }
}
