import type { AccessScope, Change, RecordStore, ValuesByColumn } from '@trellis/sdk/server';
import { formatRowKey, type CellValue } from '@trellis/sdk/shared';
import type { Metadata } from '../metadata/metadata.ts';
import { recordErrors } from './record-errors.ts';
import { RecordReader, type RecordReaderDependencies } from './record-reader.ts';
import { RecordWriter, type RecordWriterDependencies } from './record-writer.ts';

export type RecordStoreDependencies = RecordReaderDependencies & Omit<RecordWriterDependencies, 'reader'>;

interface ChangeRow {
  readonly id: string;
  readonly kind: Change['kind'];
  readonly op: Change['op'];
  readonly table_id: string;
  readonly row_key: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** The one way to rows. */
export function createRecordStore(deps: RecordStoreDependencies): RecordStore {
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
      const changes = await readOperation(deps.metadata, scope, operationId);
      const [first] = changes;
      if (first === undefined) throw recordErrors.create('OPERATION_UNKNOWN');
      if (first.kind === 'rowSet') throw recordErrors.create('UNDO_TOO_LARGE');
      return writer.revert(scope, first.tableId, changes);
    },
  };
}

/** The changes of one call in this project, in the order in which they were made. */
async function readOperation(
  { database }: Metadata,
  scope: AccessScope,
  operationId: string,
): Promise<readonly Change[]> {
  const rows = await database.read((unit) =>
    unit.all<ChangeRow>(
      unit
        .knex('trellis_change')
        .where({ operation_id: operationId, project_id: scope.projectId ?? '', state: 'done' })
        .whereIn('kind', ['row', 'rowSet'])
        .select('id', 'kind', 'op', 'table_id', 'row_key', 'before', 'after')
        .orderBy('at')
        .orderBy('id'),
    ),
  );
  const values = (text: string | null) => (text === null ? undefined : (JSON.parse(text) as ValuesByColumn));
  return rows.map((row) => ({
    id: row.id,
    operationId,
    kind: row.kind,
    op: row.op,
    actorId: '',
    actorEmail: '',
    projectId: scope.projectId ?? '',
    baseId: '',
    tableId: row.table_id,
    rowKey: row.row_key ?? undefined,
    before: values(row.before),
    after: values(row.after),
    origin: 'api',
    requestId: scope.requestId,
    at: 0,
  }));
}
