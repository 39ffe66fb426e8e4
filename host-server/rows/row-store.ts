import { setTimeout as delay } from 'node:timers/promises';
import { TrellisError } from '@trellis/core';
import type { RowStore } from '@trellis/sdk/server';
import { formatRowKey, type CellValue } from '@trellis/sdk/shared';
import { readChanges } from '../changes/read-changes.ts';
import { rowErrors } from './row-errors.ts';
import { RowReader, type RowReaderDependencies } from './row-reader.ts';
import { RowWriter, type RowWriterDependencies } from './row-writer.ts';
import { settlePending, type SettleDependencies, type Settled } from './settle-pending.ts';

export type RowStoreDependencies = RowReaderDependencies & Omit<RowWriterDependencies, 'reader'>;

/** The row store with what the host itself needs of them. */
export interface HostRowStore extends RowStore {
  /** See `settlePending`. */
  settlePending(scopeFor: SettleDependencies['scopeFor'], before: number): Promise<Settled>;
}

/** People who change views and columns all the time must not keep a row from being written. */
const mostTries = 5;

/** Milliseconds by which each further try waits longer. */
const pause = 50;

/** The one way to rows. */
export function createRowStore(deps: RowStoreDependencies): HostRowStore {
  const reader = new RowReader(deps);
  const writer = new RowWriter({ ...deps, reader });
  const { generations } = deps.metadata;

  /** A write that began before a change of the schema is asked for again, and so read by the schema as it is now. */
  async function write<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        const isStale = error instanceof TrellisError && error.code === 'SCHEMA_CHANGED';
        if (!isStale || tries === mostTries) throw error;
        if (tries > 1) await delay(pause * tries);
        await generations.poll();
      }
    }
  }

  return {
    list: (scope, tableId, query, page, signal) => reader.list(scope, tableId, query, page, signal),
    count: (scope, tableId, query, signal) => reader.count(scope, tableId, query, signal),
    read: (scope, tableId, key, query = {}) => reader.read(scope, tableId, key, query),
    exists: async (scope, tableId, key) => (await reader.read(scope, tableId, key, {})) !== undefined,
    findOne: (scope, tableId, query) => reader.findOne(scope, tableId, query),
    groupBy: (scope, tableId, column, query, page) => reader.groupBy(scope, tableId, column, query, page),
    stream: (scope, tableId, query, signal) => reader.stream(scope, tableId, query, signal),
    keyOf(table, row) {
      const values = table.primaryKey.map((column) => row[column.title]);
      return values.length === 0 || values.some((value) => value === undefined || value === null)
        ? undefined
        : formatRowKey(values as CellValue[]);
    },
    create: (scope, tableId, values) => write(() => writer.create(scope, tableId, values)),
    update: (scope, tableId, key, values) => write(() => writer.update(scope, tableId, key, values)),
    delete: (scope, tableId, key) => write(() => writer.delete(scope, tableId, key)),
    createMany: (scope, tableId, rows) => write(() => writer.createMany(scope, tableId, rows)),
    updateMany: (scope, tableId, rows) => write(() => writer.updateMany(scope, tableId, rows)),
    deleteMany: (scope, tableId, rows) => write(() => writer.deleteMany(scope, tableId, rows)),
    updateAll: (scope, tableId, query, values) =>
      write(() => writer.updateAll(scope, tableId, query, values)),
    deleteAll: (scope, tableId, query) => write(() => writer.deleteAll(scope, tableId, query)),
    async undo(scope, operationId) {
      const changes = await readChanges(deps.metadata, (query) =>
        query
          .where({ operation_id: operationId, project_id: scope.projectId ?? '', state: 'done' })
          .whereIn('kind', ['row', 'rowSet']),
      );
      const [first] = changes;
      if (first === undefined) throw rowErrors.create('OPERATION_UNKNOWN');
      if (first.kind === 'rowSet') throw rowErrors.create('UNDO_TOO_LARGE');
      return write(() => writer.revert(scope, first.tableId, changes));
    },
    settlePending: (scopeFor, before) => settlePending({ ...deps, reader, scopeFor }, before),
  };
}
