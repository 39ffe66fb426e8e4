import type { AccessScope, AuditFilter, AuditLog, AuditRecord } from '@trellis/sdk/server';
import type { RowKey } from '@trellis/sdk/shared';
import type { Knex } from 'knex';
import { beginsWith, selectPiece } from '../sql/long-texts.ts';
import type { Metadata } from '../metadata/metadata.ts';
import type { ChangeLog } from './change-log.ts';
import { beginOfDetails, toEntry, entryColumns, type EntryRow, type LogEntry } from './log-entry.ts';

/** Characters of an entry's rows within which the key of the first one ends. */
const keyWithin = 2000;
const dataWords = { insert: 'inserted into', update: 'updated in', delete: 'deleted from' } as const;

const shortColumns = entryColumns.filter((column) => column !== 'rows' && column !== 'details');

/** An entry with the beginning of its rows and the title of its table. */
interface AuditRow extends Omit<EntryRow, 'rows'> {
  readonly begin: string | null;
  readonly title: string | null;
}

/**
 * The audit: a reader of the change log. Rows, schema and events come in one order, the newest first, and a call is one line
 * however many entries it has.
 */
export function createAuditLog({ database }: Metadata, log: ChangeLog): AuditLog {
  return {
    record: (entry) => log.recordEvent(entry),
    async list(scope, { limit, offset }, filter) {
      scope.require('auditList');
      const rows = await database.read((unit) =>
        unit.all<AuditRow>(
          unit
            .knex('trellis_log_entry as entry')
            .leftJoin('trellis_table as of', 'of.id', 'entry.table_id')
            // The details of what happened to rows hold values, as many as somebody wrote.
            .leftJoin('trellis_log_entry as told', (join) => {
              void join.on('told.seq', 'entry.seq').onIn('told.kind', ['schema', 'event']);
            })
            .where(meets(unit.knex, scope, filter))
            .orderBy('entry.seq', 'desc')
            .limit(limit)
            .offset(offset)
            .select(
              'entry.seq',
              ...shortColumns.map((column) => `entry.${column}`),
              selectPiece(unit.knex, 'entry.rows', { from: 0, length: keyWithin, as: 'begin' }),
              'told.details',
              'of.title',
            ),
        ),
      );
      return rows.map((row) => toRecord(toEntry({ ...row, rows: null }), row));
    },
    async count(scope, filter) {
      scope.require('auditList');
      const row = await database.read((unit) =>
        unit.first<{ count: number | string }>(
          unit
            .knex('trellis_log_entry as entry')
            .where(meets(unit.knex, scope, filter))
            .count({ count: '*' }),
        ),
      );
      return Number(row?.count ?? 0);
    },
  };
}

/** The first entries of the calls that are meant. */
function meets(knex: Knex, { projectId }: AccessScope, filter: AuditFilter = {}): Knex.QueryCallback {
  const { email, type, tableId, from, until } = filter;
  return (where) => {
    void where.where({ 'entry.project_id': projectId ?? null, 'entry.part': 0 });
    if (email !== undefined) void where.where('entry.actor_email', email);
    if (tableId !== undefined) void where.where('entry.table_id', tableId);
    if (from !== undefined) void where.where('entry.at', '>=', from);
    if (until !== undefined) void where.where('entry.at', '<', until);
    if (type === 'DATA') void where.whereIn('entry.kind', ['row', 'rowSet']);
    else if (type !== undefined)
      void where
        .whereIn('entry.kind', ['schema', 'event'])
        .where(beginsWith(knex, 'entry.details', beginOfDetails(type)));
  };
}

function toRecord(entry: LogEntry, row: AuditRow): AuditRecord {
  const { seq, actorId, actorEmail, projectId, baseId, tableId, at, details = {} } = entry;
  return {
    id: `adt_${seq}`,
    principal: { id: actorId, email: actorEmail },
    projectId: projectId || undefined,
    baseId: baseId || undefined,
    tableId: tableId || undefined,
    tableTitle: row.title ?? undefined,
    at,
    ...(entry.kind === 'row' || entry.kind === 'rowSet'
      ? dataLine(entry, row)
      : {
          type: details.type ?? '',
          subType: details.subType,
          ip: details.ip,
          rowKey: details.rowKey,
          description: details.description ?? '',
          ...(details.said && { said: details.said }),
        }),
  };
}

/** What the audit says of rows: one line for the call. */
function dataLine({ kind, op, total }: LogEntry, { begin, title }: AuditRow) {
  const isBulk = kind === 'rowSet' || total > 1;
  const rowKey = isBulk ? undefined : firstKey(begin ?? '');
  const what = isBulk ? `${total} rows bulk ${dataWords[op]}` : `${rowKey || 'A row'} ${dataWords[op]}`;
  return {
    type: 'DATA',
    subType: (isBulk ? 'BULK_' : '') + op.toUpperCase(),
    ip: undefined,
    rowKey,
    rowCount: total,
    description: `${what} ${title ?? ''}`,
  };
}

/** The key of the first row, given how the rows begin: `[["key",`. Undefined for a key that is cut off. */
function firstKey(begin: string): RowKey | undefined {
  const [, text] = /^\[\[("(?:[^"\\]|\\.)*")/.exec(begin) ?? [];
  return text === undefined ? undefined : (JSON.parse(text) as RowKey);
}
