import type { AccessScope, Change, TableSchema, ValuesByColumn } from '@trellis/sdk/server';
import type { Query, Unit } from '../sql/unit.ts';
import type { Binding } from '../sql/session.ts';
import { newId } from '../metadata/ids.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { insertInto } from '../query/insert.ts';
import { changeCells, changeColumns, outboxRow } from './stored-change.ts';
import { isLongRowKey, storedRowKey } from './stored-row-key.ts';
import type { SchemaChange } from '../schema/schema-changes.ts';

/** One row's change before it is recorded. */
export interface RowChange {
  readonly op: Change['op'];
  readonly rowKey: string | undefined;
  readonly before: ValuesByColumn | undefined;
  readonly after: ValuesByColumn | undefined;
}

/** What the changes of one call have in common. */
export interface Operation {
  readonly id: string;
  readonly scope: AccessScope;
  readonly table: TableSchema;
  /** `api`, `undo`, `import`, `job`. */
  readonly origin: string;
}

/** Somebody who wants each change delivered, at least once. */
export interface OutboxTopic {
  readonly id: string;
  /** What to deliver for a change, or undefined for one that does not matter. */
  payload(change: Change): unknown;
}

/** Writes the change record with its readers' rows: audit and outbox, in the transaction of the data where they share a database. */
export class ChangeRecorder {
  readonly #metadata: Metadata;
  readonly #topics = new Set<OutboxTopic>();

  constructor(metadata: Metadata) {
    this.#metadata = metadata;
  }

  addTopic(topic: OutboxTopic): { dispose(): void } {
    this.#topics.add(topic);
    return { dispose: () => void this.#topics.delete(topic) };
  }

  begin(scope: AccessScope, table: TableSchema, origin = 'api'): Operation {
    return { id: newId('operation'), scope, table, origin };
  }

  toChanges(
    operation: Operation,
    rows: readonly RowChange[],
    kind: Change['kind'] = 'row',
  ): readonly Change[] {
    const { scope, table } = operation;
    const at = Date.now();
    // Changes of one call share their time: ascending ids keep the order in which they were made.
    const ids = rows.map(() => newId('change')).sort();
    return rows.map((row, index) => ({
      id: ids[index] ?? newId('change'),
      operationId: operation.id,
      kind,
      ...row,
      actorId: scope.principal.id,
      actorEmail: scope.principal.email,
      projectId: table.projectId,
      baseId: table.baseId,
      tableId: table.id,
      origin: operation.origin,
      requestId: scope.requestId,
      at,
    }));
  }

  /** What records changes in the very transaction in which they are made. */
  recording(operation: Operation, changes: readonly Change[]): readonly Query[] {
    return [...this.#insertions(changes, 'done'), ...this.#audit(operation, changes)];
  }

  /** Announces changes to an external database, before they are made there. */
  async announce(operation: Operation, changes: readonly Change[]): Promise<void> {
    await this.#metadata.database.write((unit) => unit.batch(this.#insertions(changes, 'pending')));
  }

  /**
   * Confirms announced changes with what really happened; those that did not happen are withdrawn.
   *
   * Changes keep the ids with which they were announced, so that one that is settled and confirmed is one event.
   */
  async confirm(
    operation: Operation,
    announced: readonly Change[],
    happened: readonly Change[],
  ): Promise<readonly Change[]> {
    const isOneToOne = announced.length === happened.length;
    const changes = happened.map((change, index) => ({
      ...change,
      id: (isOneToOne ? announced[index]?.id : undefined) ?? change.id,
    }));
    await this.#metadata.database.write(async (unit) => {
      await this.#remove(unit, announced);
      await unit.batch(this.recording(operation, changes));
    });
    return changes;
  }

  /** Keeps an announced change of which nobody can tell whether it happened; no reader is told of it. */
  async giveUp(change: Change): Promise<void> {
    await this.#metadata.database.write((unit) =>
      unit.run(unit.knex('trellis_change').where({ id: change.id }).update({ state: 'unknown' })),
    );
  }

  async withdraw(announced: readonly Change[]): Promise<void> {
    await this.#metadata.database.write((unit) => this.#remove(unit, announced));
  }

  async #remove(unit: Unit, changes: readonly Change[]): Promise<void> {
    for (let start = 0; start < changes.length; start += 500) {
      const ids = changes.slice(start, start + 500).map((change) => change.id);
      await unit.run(unit.knex('trellis_change').whereIn('id', ids).delete());
    }
  }

  #insertions(changes: readonly Change[], state: 'done' | 'pending'): readonly Query[] {
    const deliveries =
      state === 'pending'
        ? []
        : [...this.#topics].flatMap((topic) =>
            changes.flatMap((change) => {
              const payload = topic.payload(change);
              return payload === undefined ? [] : [outboxRow(change, topic.id, payload)];
            }),
          );
    return [...this.#changeInserts(changes, state), ...this.#inserts('trellis_outbox', deliveries)];
  }

  /** As cells and not as objects: a bulk write comes here with one change for each of its rows. */
  #changeInserts(changes: readonly Change[], state: 'done' | 'pending'): readonly Query[] {
    const hasLongKey = changes.some(({ rowKey }) => isLongRowKey(rowKey));
    const columns = hasLongKey ? [...changeColumns, 'long_row_key'] : changeColumns;
    const { dialect } = this.#metadata.database;
    return dialect.limits.chunkRows(columns.length, changes).map((chunk) => {
      const rows = chunk.map((change) => changeCells(change, state));
      if (hasLongKey)
        for (const [index, { rowKey }] of chunk.entries())
          rows[index]?.push(isLongRowKey(rowKey) ? (rowKey ?? null) : null);
      return insertInto(dialect, 'trellis_change', columns, rows);
    });
  }

  /** Rows with the same keys, in statements that every database takes. */
  #inserts(table: string, rows: readonly Readonly<Record<string, Binding>>[]): readonly Query[] {
    const [first] = rows;
    if (first === undefined) return [];
    const { dialect } = this.#metadata.database;
    const columns = Object.keys(first);
    return dialect.limits
      .chunkRows(columns.length, rows)
      .map((chunk) => insertInto(dialect, table, columns, chunk.map(Object.values<Binding>)));
  }

  #audit({ table }: Operation, changes: readonly Change[]): readonly Query[] {
    const [first] = changes;
    if (first === undefined) return [];
    const isBulk = changes.length > 1 || first.kind === 'rowSet';
    const words = { insert: 'inserted into', update: 'updated in', delete: 'deleted from' } as const;
    const count = first.kind === 'rowSet' ? Number(first.after?.count ?? 0) : changes.length;
    const what = isBulk
      ? `${count} rowStore bulk ${words[first.op]}`
      : `${first.rowKey ?? 'A row'} ${words[first.op]}`;
    return this.#inserts('trellis_audit', [
      {
        id: newId('audit'),
        type: 'DATA',
        sub_type: (isBulk ? 'BULK_' : '') + first.op.toUpperCase(),
        user_id: first.actorId || null,
        user_email: first.actorEmail || null,
        project_id: table.projectId,
        base_id: table.baseId,
        table_id: table.id,
        row_key: isBulk || first.rowKey === undefined ? null : storedRowKey(first.rowKey),
        description: `${what} ${table.title}`,
        at: first.at,
      },
    ]);
  }

  /** The change record and the audit entry of a change to tables, columns or views. */
  async recordSchemaChange(unit: Unit, change: SchemaChange): Promise<void> {
    const { scope, projectId, baseId, tableId } = change;
    const at = Date.now();
    const place = { project_id: projectId, base_id: baseId ?? null, table_id: tableId ?? null };
    await unit.run(
      unit.knex('trellis_change').insert({
        id: newId('change'),
        operation_id: newId('operation'),
        kind: 'schema',
        op:
          change.auditSubType === 'CREATED'
            ? 'insert'
            : change.auditSubType === 'DELETED'
              ? 'delete'
              : 'update',
        actor_id: scope.principal.id || null,
        actor_email: scope.principal.email || null,
        ...place,
        after: JSON.stringify({ description: change.description }),
        origin: 'api',
        request_id: scope.requestId,
        state: 'done',
        at,
      }),
    );
    await unit.run(
      unit.knex('trellis_audit').insert({
        id: newId('audit'),
        type: change.auditType,
        sub_type: change.auditSubType,
        user_id: scope.principal.id || null,
        user_email: scope.principal.email || null,
        ...place,
        description: change.description,
        at,
      }),
    );
  }
}
