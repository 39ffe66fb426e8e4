import type { AuditLog, AuditRecord } from '@trellis/sdk/server';
import type { Metadata } from '../metadata/metadata.ts';
import type { ChangeLog } from './change-log.ts';
import { toEntry, type EntryRow, type LogEntry } from './log-entry.ts';

const dataWords = { insert: 'inserted into', update: 'updated in', delete: 'deleted from' } as const;

/**
 * The audit: a reader of the change log. Rows, schema and events come in one order, the newest first, and a call is one line
 * however many entries it has.
 */
export function createAuditLog({ database }: Metadata, log: ChangeLog): AuditLog {
  return {
    record: (entry) => log.recordEvent(entry),
    async list(scope, { limit, offset }) {
      scope.require('auditList');
      const rows = await database.read((unit) =>
        unit.all<EntryRow & { readonly title: string | null }>(
          unit
            .knex('trellis_log_entry as entry')
            .leftJoin('trellis_table as of', 'of.id', 'entry.table_id')
            .where({ 'entry.project_id': scope.projectId ?? '', 'entry.part': 0 })
            .orderBy('entry.seq', 'desc')
            .limit(limit)
            .offset(offset)
            .select('entry.*', 'of.title'),
        ),
      );
      return rows.map((row) => toRecord(toEntry(row), row.title ?? ''));
    },
    async count(scope) {
      scope.require('auditList');
      const ofProject = { project_id: scope.projectId ?? '', part: 0 };
      const row = await database.read((unit) =>
        unit.first<{ count: number | string }>(
          unit.knex('trellis_log_entry').where(ofProject).count({ count: '*' }),
        ),
      );
      return Number(row?.count ?? 0);
    },
  };
}

function toRecord(entry: LogEntry, title: string): AuditRecord {
  const { seq, actorId, actorEmail, projectId, baseId, tableId, at, details = {} } = entry;
  return {
    id: `adt_${seq}`,
    principal: { id: actorId, email: actorEmail },
    projectId: projectId || undefined,
    baseId: baseId || undefined,
    tableId: tableId || undefined,
    at,
    ...(entry.kind === 'row' || entry.kind === 'rowSet'
      ? dataLine(entry, title)
      : {
          type: details.type ?? '',
          subType: details.subType,
          ip: details.ip,
          rowKey: details.rowKey,
          description: details.description ?? '',
        }),
  };
}

/** What the audit says of rows: one line for the call. */
function dataLine({ kind, op, total, rows }: LogEntry, title: string) {
  const isBulk = kind === 'rowSet' || total > 1;
  const rowKey = isBulk ? undefined : rows[0]?.[0];
  const what = isBulk ? `${total} rows bulk ${dataWords[op]}` : `${rowKey || 'A row'} ${dataWords[op]}`;
  return {
    type: 'DATA',
    subType: (isBulk ? 'BULK_' : '') + op.toUpperCase(),
    ip: undefined,
    rowKey,
    description: `${what} ${title}`,
  };
}
