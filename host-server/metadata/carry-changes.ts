import { createHash } from 'node:crypto';
import type { Database } from '../databases/database.ts';
import { DatabaseError } from '../sql/database-error.ts';
import type { IndexSpec } from '../dialects/schema/schema-changer.ts';
import type { Unit } from '../sql/unit.ts';
import { readSetting, writeSetting } from './settings.ts';
import { metadataErrors } from './metadata-errors.ts';
import { packChanges, type FormerChange, type PackedEntry } from './pack-changes.ts';

/*
 * Carries `trellis_change` and `trellis_audit` over to the change log, in pages that are each one transaction together with the
 * place that was reached. The former tables are dropped once as many rows are in the log as were in them. `trellis_outbox` was
 * never filled: nothing could subscribe to it.
 *
 * This file belongs to a released migration: it never changes, and it uses nothing that may.
 */

interface FormerAudit {
  readonly id: string;
  readonly type: string;
  readonly sub_type: string | null;
  readonly user_id: string | null;
  readonly user_email: string | null;
  readonly ip: string | null;
  readonly project_id: string | null;
  readonly base_id: string | null;
  readonly table_id: string | null;
  readonly row_key: string | null;
  readonly description: string | null;
  readonly at: number | string;
}

/** A place in one of the former tables, which are read by time and, within a millisecond, by call and id. */
type Place = readonly [at: number, group: string, id: string];

interface Progress {
  readonly change: Place;
  readonly audit: Place;
  /** The call that the last page ended with, and how many entries it has so far. */
  readonly operation: string;
  readonly part: number;
  readonly changes: number;
  readonly audits: number;
}

const beginning: Progress = {
  change: [-1, '', ''],
  audit: [-1, '', ''],
  operation: '',
  part: 0,
  changes: 0,
  audits: 0,
};
const setting = 'carry.003-change-log';
/** Rows of a page at the most; a page of long texts holds fewer, since no answer of a database may be larger than 64 MB. */
const mostRows = 1000;
const schemaTypes = new Set(['PROJECT', 'TABLE', 'TABLE_COLUMN', 'VIEW']);
const formerTables = ['trellis_change', 'trellis_audit', 'trellis_outbox'] as const;

/** What the pages are read by. */
export function carryIndex(table: string): IndexSpec {
  const columns = table === 'trellis_change' ? ['at', 'operation_id', 'id'] : ['at', 'type', 'id'];
  return { name: `${table}_carry`, columns };
}

/** @throws TrellisError when not everything arrived; the former tables are kept then. */
export async function carryChanges(database: Database, signal: AbortSignal): Promise<void> {
  const isThere = await database.schema((changer) => changer.hasTable('trellis_change'));
  if (isThere && (await database.schema((changer) => changer.hasTable('trellis_audit')))) {
    let progress = await readProgress(database);
    let size = mostRows;
    for (let isDone = false; !isDone;) {
      signal.throwIfAborted();
      const step = await carryPage(database, progress, size).catch((error: unknown) => {
        if (size > 1 && error instanceof DatabaseError && error.kind === 'tooLarge') return undefined;
        throw error;
      });
      size = step === undefined ? Math.ceil(size / 4) : Math.min(mostRows, size * 2);
      if (step !== undefined) ({ progress, isDone } = step);
    }
    await carryPending(database);
    await assertWhole(database, progress);
  }
  await database.schema(async (changer) => {
    // The audit last: a server that is stopped between the two finds it alone and only drops it.
    for (const table of formerTables) await changer.dropTable(table);
  });
  await database.write((unit) => unit.run(unit.knex('trellis_setting').where({ key: setting }).delete()));
}

async function readProgress(database: Database): Promise<Progress> {
  const progress = await database.read((unit) => readSetting(unit, setting));
  return progress === undefined ? beginning : (JSON.parse(progress) as Progress);
}

function carryPage(
  database: Database,
  progress: Progress,
  size: number,
): Promise<{ progress: Progress; isDone: boolean }> {
  return database.write(async (unit) => {
    const changes = await unit.all<FormerChange>(pageOf(unit, 'trellis_change', progress.change).limit(size));
    const audits = await unit.all<FormerAudit>(pageOf(unit, 'trellis_audit', progress.audit).limit(size));
    const [takenChanges, takenAudits] = mergeable(changes, audits, size);
    const rows = takenChanges.filter(isCarried);
    const events = takenAudits.filter(({ type }) => type !== 'DATA');
    const packed = packChanges(rows, progress);
    const entries = [...packed.entries, ...events.map(eventEntry)].toSorted(
      (left, right) => left.cells.at - right.cells.at,
    );
    for (const entry of entries) await store(unit, entry);
    const next: Progress = {
      change: placeOf(takenChanges.at(-1), 'operation_id') ?? progress.change,
      audit: placeOf(takenAudits.at(-1), 'type') ?? progress.audit,
      operation: packed.operation,
      part: packed.part,
      changes: progress.changes + rows.length,
      audits: progress.audits + events.length,
    };
    await writeSetting(unit, setting, JSON.stringify(next));
    return { progress: next, isDone: takenChanges.length + takenAudits.length === 0 };
  });
}

function pageOf(unit: Unit, table: 'trellis_change' | 'trellis_audit', [at, group, id]: Place) {
  const by = table === 'trellis_change' ? 'operation_id' : 'type';
  return unit
    .knex(table)
    .where((after) => {
      void after.where('at', '>', at).orWhere((sameTime) => {
        void sameTime.where({ at }).where((later) => {
          void later.where(by, '>', group).orWhere((same) => {
            void same.where(by, group).where('id', '>', id);
          });
        });
      });
    })
    .orderBy(['at', by, 'id'])
    .select('*');
}

/** As much of both pages as can be put in one order: a full page may go on at the time at which it ends. */
function mergeable(
  changes: readonly FormerChange[],
  audits: readonly FormerAudit[],
  size: number,
): [readonly FormerChange[], readonly FormerAudit[]] {
  const endOf = (page: readonly { readonly at: number | string }[]) =>
    page.length < size ? Number.POSITIVE_INFINITY : Number(page.at(-1)?.at);
  const end = Math.min(endOf(changes), endOf(audits));
  const within = (row: { readonly at: number | string }) => Number(row.at) <= end;
  return [changes.filter(within), audits.filter(within)];
}

function placeOf<Group extends string>(
  row: (Readonly<Record<Group, string>> & { readonly at: number | string; readonly id: string }) | undefined,
  group: Group,
): Place | undefined {
  return row && [Number(row.at), row[group], row.id];
}

/** Changes of the schema stand in the audit too, which says more of them. */
function isCarried({ kind, state }: FormerChange): boolean {
  return kind !== 'schema' && state === 'done';
}

function eventEntry(audit: FormerAudit): PackedEntry {
  const { sub_type: subType, ip, row_key: rowKey, description, type } = audit;
  const ops: Readonly<Record<string, string>> = { CREATED: 'insert', DELETED: 'delete' };
  const isSchema = schemaTypes.has(type);
  return {
    keys: [],
    cells: {
      operation_id: `op_${createHash('sha256').update(audit.id).digest('hex').slice(0, 14)}`,
      kind: isSchema ? 'schema' : 'event',
      op: (isSchema && ops[subType ?? '']) || 'update',
      actor_id: audit.user_id,
      actor_email: audit.user_email,
      project_id: audit.project_id,
      base_id: audit.base_id,
      table_id: audit.table_id,
      origin: 'api',
      request_id: null,
      at: Number(audit.at),
      part: 0,
      total: 0,
      first_key: null,
      last_key: null,
      columns: null,
      rows: null,
      details: JSON.stringify({
        type,
        ...(subType !== null && { subType }),
        ...(description !== null && { description }),
        ...(ip !== null && { ip }),
        ...(rowKey !== null && { rowKey }),
      }),
    },
  };
}

async function store(unit: Unit, { cells, keys }: PackedEntry): Promise<void> {
  await unit.run(unit.knex('trellis_log_entry').insert(cells));
  if (keys.length === 0) return;
  const last = await unit.first<{ seq: number | string }>(unit.knex('trellis_log_entry').max({ seq: 'seq' }));
  const seq = Number(last?.seq);
  for (let start = 0; start < keys.length; start += 400) {
    const rows = keys
      .slice(start, start + 400)
      .map((row_key) => ({ table_id: cells.table_id, row_key, seq }));
    await unit.run(unit.knex('trellis_log_row').insert(rows));
  }
}

/** Announced changes, one part of a pending operation each. */
async function carryPending(database: Database): Promise<void> {
  await database.write(async (unit) => {
    const open = await unit.all<FormerChange>(
      unit
        .knex('trellis_change')
        .whereIn('state', ['pending', 'unknown'])
        .orderBy(['operation_id', 'id'])
        .select('*'),
    );
    const parts = new Map<string, number>();
    for (const change of open) {
      const part = parts.get(change.operation_id) ?? 0;
      parts.set(change.operation_id, part + 1);
      const known = { operation_id: change.operation_id, part };
      await unit.run(unit.knex('trellis_pending').where(known).delete());
      const entry = JSON.stringify(pendingEntry(change));
      await unit.run(
        unit.knex('trellis_pending').insert({ ...known, state: change.state, at: Number(change.at), entry }),
      );
    }
  });
}

function pendingEntry(change: FormerChange) {
  const values = (text: string | null) =>
    text === null ? null : (JSON.parse(text) as Record<string, unknown>);
  const [before, after] = [values(change.before), values(change.after)];
  const columns = Object.keys(after ?? before ?? {});
  const cells = (of: Record<string, unknown> | null) => of && columns.map((id) => of[id] ?? null);
  return {
    operationId: change.operation_id,
    kind: change.kind,
    op: change.op,
    actorId: change.actor_id ?? '',
    actorEmail: change.actor_email ?? '',
    projectId: change.project_id ?? '',
    baseId: change.base_id ?? '',
    tableId: change.table_id ?? '',
    origin: change.origin,
    requestId: change.request_id ?? '',
    at: Number(change.at),
    part: 0,
    total: 1,
    columns,
    rows: [[change.long_row_key ?? change.row_key ?? '', cells(before), cells(after)]],
  };
}

async function assertWhole(database: Database, { changes, audits }: Progress): Promise<void> {
  const counts = await database.read(async (unit) => {
    const count = async (query: ReturnType<Unit['knex']>) =>
      Number((await unit.first<{ count: number | string }>(query.count({ count: '*' })))?.count);
    return [
      await count(unit.knex('trellis_change').whereNot('kind', 'schema').where({ state: 'done' })),
      await count(unit.knex('trellis_audit').whereNot('type', 'DATA')),
    ];
  });
  if (counts[0] !== changes || counts[1] !== audits)
    throw metadataErrors.create('METADATA_NOT_CARRIED', {
      carried: `${changes} and ${audits}`,
      found: counts.join(' and '),
    });
}
