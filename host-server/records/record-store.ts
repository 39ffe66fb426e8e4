import type { RecordStore } from '@trellis/sdk/server';
import { formatRowKey, type CellValue } from '@trellis/sdk/shared';
import { readChanges } from '../changes/read-changes.ts';
import { recordErrors } from './record-errors.ts';
import { RecordReader, type RecordReaderDependencies } from './record-reader.ts';
import { RecordWriter, type RecordWriterDependencies } from './record-writer.ts';
import { settlePending, type SettleDependencies, type Settled } from './settle-pending.ts';

export type RecordStoreDependencies = RecordReaderDependencies & Omit<RecordWriterDependencies, 'reader'>;

/** The records with what the host itself needs of them. */
export interface HostRecordStore extends RecordStore {
  /** See `settlePending`. */
  settlePending(scopeFor: SettleDependencies['scopeFor'], before: number): Promise<Settled>;
}

/** The one way to rows. */
export function createRecordStore(deps: RecordStoreDependencies): HostRecordStore {
  const reader = new RecordReader(deps);
  const writer = new RecordWriter({ ...deps, reader });

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
    create: (scope, tableId, values) => writer.create(scope, tableId, values),
    update: (scope, tableId, key, values) => writer.update(scope, tableId, key, values),
    delete: (scope, tableId, key) => writer.delete(scope, tableId, key),
    createMany: (scope, tableId, rows) => writer.createMany(scope, tableId, rows),
    updateMany: (scope, tableId, rows) => writer.updateMany(scope, tableId, rows),
    deleteMany: (scope, tableId, rows) => writer.deleteMany(scope, tableId, rows),
    updateAll: (scope, tableId, query, values) => writer.updateAll(scope, tableId, query, values),
    deleteAll: (scope, tableId, query) => writer.deleteAll(scope, tableId, query),
    async undo(scope, operationId) {
      const changes = await readChanges(deps.metadata, (query) =>
        query
          .where({ operation_id: operationId, project_id: scope.projectId ?? '', state: 'done' })
          .whereIn('kind', ['row', 'rowSet']),
      );
      const [first] = changes;
      if (first === undefined) throw recordErrors.create('OPERATION_UNKNOWN');
      if (first.kind === 'rowSet') throw recordErrors.create('UNDO_TOO_LARGE');
      return writer.revert(scope, first.tableId, changes);
    },
    settlePending: (scopeFor, before) => settlePending({ ...deps, reader, scopeFor }, before),
  };
}
