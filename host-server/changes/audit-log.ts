import {
  auditSentence,
  mayRead,
  type AccessScope,
  type AuditFilter,
  type AuditLog,
  type AuditRecord,
  type Bus,
  type PageRequest,
} from '@trellis/sdk/server';
import { hostObjectKinds, type RowKey } from '@trellis/sdk/shared';
import type { Knex } from 'knex';
import { beginsWith, selectPiece } from '../sql/long-texts.ts';
import type { ReadOptions, ReadWork } from '../databases/database.ts';
import { DatabaseError } from '../databases/index.ts';
import type { Metadata } from '../metadata/metadata.ts';
import type { Unit } from '../sql/unit.ts';
import type { ChangeLog } from './change-log.ts';
import { junctionsOf, linkLine, readForeignKeys, type ForeignKeys, type LinkLine } from './link-lines.ts';
import { cellChanges, readTitles, type ColumnTitles } from './row-lines.ts';
import { beginOfDetails, toEntry, entryColumns, type EntryRow, type LogEntry } from './log-entry.ts';

/** Characters of an entry's rows that are read for a line of the audit. The key of the first row lies within them. */
const toldRows = 8000;
/** Milliseconds for a look through the log of a project. */
const longestLook = 10_000;
/** Milliseconds for the count beside a page, which is there before. */
const longestCount = 3000;
/** Lines behind a page that are counted: of more, people are told that there are more. */
const mostCountedOn = 10_000;
const dataWords = { insert: 'inserted into', update: 'updated in', delete: 'deleted from' } as const;

const shortColumns = entryColumns.filter((column) => column !== 'rows' && column !== 'details');

/** An entry with the beginning of its rows and the title of its table. */
interface AuditRow extends Omit<EntryRow, 'rows'> {
  readonly begin: string | null;
  readonly title: string | null;
  readonly junction: boolean | number | null;
}

/**
 * The audit: a reader of the change log. Rows, schema and events come in one order, the newest first, and a call is one line
 * however many entries it has.
 */
export function createAuditLog(
  { database }: Metadata,
  { log, bus }: { readonly log: ChangeLog; readonly bus: Pick<Bus, 'publish'> },
): AuditLog {
  async function list(
    scope: AccessScope,
    { limit, offset }: PageRequest,
    filter?: AuditFilter,
  ): Promise<readonly AuditRecord[]> {
    scope.require('auditList');
    return database.read(
      async (unit) => {
        const tables = await tablesOf(unit, filter);
        const rows = await unit.all<AuditRow>(
          unit
            .knex('trellis_log_entry as entry')
            .leftJoin('trellis_table as of', 'of.id', 'entry.table_id')
            // Details of row changes hold values and may be long, so they are not read for the list.
            .leftJoin('trellis_log_entry as told', (join) => {
              void join.on('told.seq', 'entry.seq').onIn('told.kind', ['schema', 'event']);
            })
            .where(meets(unit.knex, scope, { ...filter, tables }))
            .orderBy('entry.seq', 'desc')
            .limit(limit)
            .offset(offset)
            .select(
              'entry.seq',
              ...shortColumns.map((column) => `entry.${column}`),
              selectPiece(unit.knex, 'entry.rows', { from: 0, length: toldRows, as: 'begin' }),
              'told.details',
              'of.title',
              'of.junction',
            ),
        );
        const changed = rows.filter(({ kind }) => isOfRows(kind)).map(({ table_id: id }) => id ?? '');
        const known = {
          keys: await readForeignKeys(unit, changed),
          titles: await readTitles(unit, scope, changed),
          seesWhole: (tableId: string) => seesWhole(scope, tableId),
          seesLink: (link: LinkLine) => seesLink(scope, link),
        };
        return rows.map((row) => toRecord(toEntry({ ...row, rows: null }), row, known));
      },
      lookOf(scope, isNarrow(filter) ? 'long' : 'page'),
    );
  }

  /** @param most the largest number that is counted to; undefined counts all */
  async function count(
    scope: AccessScope,
    filter?: AuditFilter,
    { most, timeoutMs = longestLook }: { readonly most?: number; readonly timeoutMs?: number } = {},
  ): Promise<number> {
    scope.require('auditList');
    const row = await database.read(
      async (unit) => {
        const tables = await tablesOf(unit, filter);
        const met = unit
          .knex('trellis_log_entry as entry')
          .where(meets(unit.knex, scope, { ...filter, tables }))
          .modify((query) => {
            if (most !== undefined) void query.limit(most);
          })
          .select('entry.seq');
        return unit.first<{ count: number | string }>(unit.knex(met.as('met')).count({ count: '*' }));
      },
      { ...lookOf(scope, 'long'), timeoutMs },
    );
    return Number(row?.count ?? 0);
  }

  return {
    async record(entry) {
      await log.recordEvent(entry);
      const { projectId } = entry;
      if (projectId !== undefined)
        bus.publish('objects.changed', { projectId, objectKind: hostObjectKinds.audit, requestId: '' });
    },
    list,
    count: (scope, filter) => count(scope, filter),
    async page(scope, page, filter) {
      const end = page.offset + page.limit;
      const most = end + mostCountedOn;
      const [records, counted] = await Promise.all([
        list(scope, page, filter),
        count(scope, filter, { most, timeoutMs: longestCount }).catch(unlessTooLong),
      ]);
      if (counted !== undefined) return { records, totalRows: counted, isAtLeast: counted === most };
      const isFull = records.length === page.limit;
      return { records, totalRows: page.offset + records.length + (isFull ? 1 : 0), isAtLeast: isFull };
    },
  };
}

/** Lines that nobody could count in time are shown without their number. */
function unlessTooLong(error: unknown): undefined {
  if (error instanceof DatabaseError && (error.kind === 'timeout' || error.kind === 'busy')) return undefined;
  throw error;
}

/** The log may be long, so searching it counts as a long read: it must keep nobody from signing in. */
function lookOf({ principal, projectId }: AccessScope, work: ReadWork): ReadOptions {
  return { work, timeoutMs: longestLook, share: principal.id || projectId };
}

/** Whether lines are asked for that may lie far apart. */
function isNarrow(filter: AuditFilter = {}): boolean {
  return Object.values(filter).some((of) => of !== undefined);
}

/** What lines are read with. */
interface Known {
  readonly keys: ForeignKeys;
  readonly titles: ColumnTitles;
  readonly seesWhole: (tableId: string) => boolean;
  readonly seesLink: (link: LinkLine) => boolean;
}

/** A caller who sees only a part of a table is told what was done there, without values. */
function seesWhole(scope: AccessScope, tableId: string): boolean {
  return (
    tableId === '' || (scope.rowPredicate(tableId) === undefined && scope.readableColumns(tableId) === 'all')
  );
}

/** Whether a caller may know which rows are linked. */
function seesLink(scope: AccessScope, { reveals: { columnIds, in: tableId, rowsOf } }: LinkLine): boolean {
  return (
    columnIds.every((id) => mayRead(scope, { tableId, id })) &&
    rowsOf.every((id) => scope.rowPredicate(id) === undefined)
  );
}

const isOfRows = (kind: LogEntry['kind']) => kind === 'row' || kind === 'rowSet';

/** The table that is asked for, and the junction tables that hold links of its rows. */
async function tablesOf(unit: Unit, { tableId }: AuditFilter = {}): Promise<readonly string[] | undefined> {
  return tableId === undefined ? undefined : [tableId, ...(await junctionsOf(unit, tableId))];
}

interface Meant extends AuditFilter {
  readonly tables: readonly string[] | undefined;
}

/** The first entries of the calls that are meant. */
function meets(knex: Knex, { projectId }: AccessScope, meant: Meant): Knex.QueryCallback {
  const { email, type, tables, from, until } = meant;
  return (where) => {
    void where.where({ 'entry.project_id': projectId ?? null, 'entry.part': 0 });
    // A number that closes a gap in the log belongs to no project.
    if (projectId === undefined) void where.whereNot('entry.kind', 'gap');
    if (email !== undefined) void where.where('entry.actor_email', email);
    if (tables !== undefined) void where.whereIn('entry.table_id', tables);
    if (from !== undefined) void where.where('entry.at', '>=', from);
    if (until !== undefined) void where.where('entry.at', '<', until);
    if (type === 'DATA') void where.whereIn('entry.kind', ['row', 'rowSet']);
    else if (type !== undefined)
      void where
        .whereIn('entry.kind', ['schema', 'event'])
        .where(beginsWith(knex, 'entry.details', beginOfDetails(type)));
  };
}

function toRecord(entry: LogEntry, row: AuditRow, known: Known): AuditRecord {
  const { seq, actorId, actorEmail, projectId, baseId, tableId, at, details = {} } = entry;
  return {
    id: `adt_${seq}`,
    principal: { id: actorId, email: actorEmail },
    projectId: projectId || undefined,
    baseId: baseId || undefined,
    tableId: tableId || undefined,
    tableTitle: row.title ?? undefined,
    at,
    ...(isOfRows(entry.kind)
      ? dataLine(entry, row, known)
      : {
          type: details.type ?? '',
          subType: details.subType,
          ip: details.ip,
          rowKey: details.rowKey,
          description: details.description ?? '',
          ...(details.said && { said: details.said }),
          ...(details.changes && known.seesWhole(tableId) && { changes: details.changes }),
        }),
  };
}

/** What the audit says of rows: one line for the call. */
function dataLine(entry: LogEntry, { begin, title, junction }: AuditRow, known: Known) {
  const { kind, op, total } = entry;
  // What fills the piece may have been cut off.
  const rows = begin !== null && begin.length < toldRows ? begin : undefined;
  const link = linkLine({ entry, rows, title: title ?? '', isJunction: Boolean(junction) }, known.keys);
  const isSeen = link === undefined || known.seesLink(link);
  if (link !== undefined && isSeen) {
    const { told, subType, tableId, tableTitle, rowKey, changes } = link;
    const where = { subType, tableId, tableTitle, rowKey };
    return { ...where, type: 'DATA', rowCount: total, description: auditSentence(told), said: told, changes };
  }
  const isBulk = kind === 'rowSet' || total > 1;
  const rowKey = isBulk || !isSeen ? undefined : firstKey(begin ?? '');
  const what = isBulk ? `${total} rows bulk ${dataWords[op]}` : `${rowKey || 'A row'} ${dataWords[op]}`;
  return {
    type: 'DATA',
    subType: (isBulk ? 'BULK_' : '') + op.toUpperCase(),
    ip: undefined,
    rowKey,
    rowCount: total,
    description: `${what} ${title ?? ''}`,
    changes: isSeen ? cellChanges(entry, rows, known.titles) : [],
  };
}

/** The key of the first row, given how the rows begin: `[["key",`. Undefined for a key that is cut off. */
function firstKey(begin: string): RowKey | undefined {
  const [, text] = /^\[\[("(?:[^"\\]|\\.)*")/.exec(begin) ?? [];
  return text === undefined ? undefined : (JSON.parse(text) as RowKey);
}
