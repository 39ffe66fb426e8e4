import { setTimeout } from 'node:timers/promises';
import {
  isOutage,
  RowStoreToken,
  SchemaStoreToken,
  TasksToken,
  type AccessScope,
  type ColumnInput,
  type ColumnSchema,
  type ServerPluginContext,
  type TableSchema,
  type TaskContext,
  type TaskKind,
} from '@trellis/sdk/server';
import { defineErrors, type CellValue, type FilterNode, type Row } from '@trellis/sdk/shared';

const errors = defineErrors({
  VALUES_OF_STORED: {
    status: 400,
    message: "'{column}' is not computed, so its values can only be copied by duplicating the column.",
  },
  VALUES_NEED_KEY: {
    status: 400,
    message: 'Values cannot be copied in a table without a primary key, by which its rows are told apart.',
  },
  VALUES_COLUMN_GONE: { status: 409, message: 'A column was deleted while its values were copied.' },
});

const kindId = 'sys-tables.copy-values';
/** Rows per write. */
const rowsAtOnce = 500;
/** How often changes of the table may interrupt the reading. */
const mostCuts = 20;
/** Milliseconds before the reading is restarted. */
const pauseMs = 500;

interface CopyPayload {
  readonly tableId: string;
  readonly fromId: string;
  readonly toId: string;
}

/** The properties of the new column for the values. */
export type ValuesInput = Pick<ColumnInput, 'type' | 'meta' | 'title' | 'viewId'>;

/**
 * Copies the current values of a computed column to a stored column: the column exists at once, and a task fills it with what the
 * caller may read.
 */
export function valueCopies(ctx: ServerPluginContext) {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const types = ctx.registry('columnTypes');

  /** @throws TrellisError 400 for a column that is not computed, and in a table without a key */
  async function start(scope: AccessScope, columnId: string, like: ValuesInput): Promise<TableSchema> {
    const snapshot = await schema.snapshot(scope);
    const from = snapshot.column(columnId);
    const table = from && snapshot.tables.get(from.tableId);
    if (from === undefined || table === undefined) throw errors.create('VALUES_COLUMN_GONE');
    const { compute, linked } = types.get(from.type)?.server ?? {};
    const isComputed = from.columnName === '' && from.linkId === undefined;
    if (!isComputed || (compute === undefined && linked === undefined))
      throw errors.create('VALUES_OF_STORED', { column: from.title });
    if (table.primaryKey.length === 0) throw errors.create('VALUES_NEED_KEY');
    const title = like.title ?? freeTitle(table, from, snapshot);
    const made = await schema.createColumn(scope, table.id, { ...like, title });
    const known = new Set(table.columns.map(({ id }) => id));
    const added = made.columns.filter(({ id }) => !known.has(id));
    // Others may have added columns meanwhile.
    const to = added.length === 1 ? added[0] : added.find((column) => column.title === title);
    if (to === undefined) throw errors.create('VALUES_COLUMN_GONE');
    const payload: CopyPayload = { tableId: table.id, fromId: from.id, toId: to.id };
    await ctx.get(TasksToken).start(scope, {
      kind: kindId,
      title: `Values of ${from.title} into ${to.title}`,
      payload,
    });
    return made;
  }

  /**
   * The reading waits while rows are written, and a change of the table meanwhile interrupts it: it is then restarted with the rows
   * that have no value yet.
   */
  async function run(task: TaskContext<CopyPayload>): Promise<unknown> {
    let done = 0;
    for (let cuts = 0; ; cuts += 1) {
      try {
        for await (const part of copied(task, cuts > 0)) {
          done += part.done;
          task.progress({ done, total: Math.max(done, part.total) });
        }
        return { rows: done };
      } catch (error) {
        if (!isOutage(error) || cuts === mostCuts) throw error;
      }
      await setTimeout(pauseMs, undefined, { signal: task.signal });
    }
  }

  /** Returns the number of copied rows, after each batch. */
  async function* copied({ payload, scope, signal }: TaskContext<CopyPayload>, isAgain: boolean) {
    const handle = await schema.open(await scope(), payload.tableId);
    const { columnById, primaryKey } = handle.table;
    const [from, to] = [columnById.get(payload.fromId), columnById.get(payload.toId)];
    if (from === undefined || to === undefined) throw errors.create('VALUES_COLUMN_GONE');
    const keys = primaryKey.map(({ title }) => title);
    const total = await rows.count(handle, {}, signal);
    const filters = isAgain ? [withoutValue(to)] : [];
    const { batches } = await rows.stream(handle, { fields: [...keys, from.title], filters }, signal);
    for await (const batch of batches) {
      const filled = batch.flatMap((row) => {
        const value = plainValue(row[from.title] ?? null, from);
        return value === null || value === '' ? [] : [{ ...keyOf(row, keys), [to.title]: value }];
      });
      for (let at = 0; at < filled.length; at += rowsAtOnce) {
        signal.throwIfAborted();
        await rows.updateMany(handle, filled.slice(at, at + rowsAtOnce));
      }
      yield { done: batch.length, total };
    }
  }

  /** Lists and linked rows as text, in the column's format. */
  function plainValue(value: CellValue, { id, title, type, storage, meta }: ColumnSchema): CellValue {
    if (value === null || typeof value !== 'object') return value;
    const of = types.get(type);
    const options = { ...of?.options?.defaults, ...meta };
    return of?.format(value, { id, title, required: false, storage, options }) ?? JSON.stringify(value);
  }

  const kind: TaskKind<CopyPayload> = {
    id: kindId,
    permission: 'columnAdd',
    run,
    /** A partially filled column is worse than none. */
    async cleanUp({ payload, scope }) {
      const by = await scope();
      const { columnById } = (await schema.open(by, payload.tableId)).table;
      if (columnById.has(payload.toId) && by.may('columnDelete')) await schema.deleteColumn(by, payload.toId);
    },
  };
  return { kind: kind as TaskKind, start };
}

function withoutValue({ id }: ColumnSchema): FilterNode {
  return { kind: 'condition', logicalOp: 'and', columnId: id, operator: 'null', value: undefined };
}

function keyOf(row: Row, keys: readonly string[]): Row {
  return Object.fromEntries(keys.map((title) => [title, row[title] ?? null]));
}

/** A title that is free in the table, by the rules of the project. */
function freeTitle(
  { columns }: TableSchema,
  { title }: ColumnSchema,
  { project }: { readonly project: { readonly meta?: Readonly<Record<string, unknown>> | undefined } },
): string {
  const taken = new Set(columns.map((of) => of.title.toLowerCase()));
  const gap = project.meta?.['strictNames'] === true ? '_' : ' ';
  for (let count = 1; ; count += 1) {
    const next = [title, 'values', ...(count === 1 ? [] : [String(count)])].join(gap);
    if (!taken.has(next.toLowerCase())) return next;
  }
}
