import { TrellisError } from '@trellis/core';
import type { AccessScope, SchemaStore } from '@trellis/sdk/server';
import type { ChangeLog, Operation } from '../changes/change-log.ts';
import { changesOf } from '../changes/log-entry.ts';
import type { PendingChanges, PendingOperation } from '../changes/pending-changes.ts';
import type { RowChange } from '../changes/row-change.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { findOutcomes } from './find-outcomes.ts';
import type { OpenTable, OpenTables } from './open-table.ts';

export interface SettleDependencies {
  readonly metadata: Metadata;
  readonly schema: SchemaStore;
  readonly tables: OpenTables;
  readonly log: ChangeLog;
  readonly pending: PendingChanges;
  /** Every right in one project. */
  scopeFor(projectId: string): AccessScope;
}

/** How many announced changes turned out to have happened, not to have happened, or cannot be told. */
export interface Settled {
  done: number;
  withdrawn: number;
  unknown: number;
}

/**
 * Finds out what became of changes that were announced for an external database and never confirmed, because the server was
 * killed or lost the connection in between: their rows are read again, many at once.
 *
 * What happened goes to the log and so to its readers. An operation that names no rows (a write to every row of a condition)
 * cannot be told; its announcement is kept as `unknown` and reaches nobody.
 *
 * @param before only changes announced earlier than this, in UTC milliseconds; younger ones may still be under way.
 * @throws what the first database threw that could not be asked, once all the others were.
 */
export async function settlePending(deps: SettleDependencies, before: number): Promise<Settled> {
  const settled: Settled = { done: 0, withdrawn: 0, unknown: 0 };
  const failures: unknown[] = [];
  let operation = await deps.pending.next(before);
  while (operation !== undefined) {
    try {
      await settleOperation(deps, operation, settled);
    } catch (error) {
      failures.push(error);
    }
    operation = await deps.pending.next(before, operation);
  }
  if (failures.length > 0) throw failures[0];
  return settled;
}

async function settleOperation(
  deps: SettleDependencies,
  operation: PendingOperation,
  settled: Settled,
): Promise<void> {
  const { log, pending } = deps;
  const changes = operation.entries.flatMap((entry) => changesOf({ ...entry, seq: 0 })).map(withoutEmptyKey);
  const open = await openTable(deps, operation);
  const outcomes = open && (await findOutcomes(deps.metadata, open, changes));
  if (open === undefined || outcomes === undefined) {
    await pending.giveUp(operation.id);
    settled.unknown += changes.length;
    return;
  }
  const done = outcomes.filter((change) => change !== undefined);
  const announced = announcedAs(operation);
  if (done.length === 0) await pending.withdraw(announced, operation.call);
  else {
    const recording = log.record(announced, [{ table: open.handle.table, changes: done }]);
    await pending.confirm(announced, recording, operation.call);
  }
  settled.done += done.length;
  settled.withdrawn += changes.length - done.length;
}

/** The table, or undefined when it or its project is gone meanwhile. */
async function openTable(
  { schema, tables, scopeFor }: SettleDependencies,
  { entries: [first] }: PendingOperation,
): Promise<OpenTable | undefined> {
  if (first === undefined) return undefined;
  try {
    return await tables.open(await schema.open(scopeFor(first.projectId), first.tableId));
  } catch (error) {
    if (error instanceof TrellisError && error.status === 404) return undefined;
    throw error;
  }
}

/** The call of which the announcement was a part, with who made it. */
function announcedAs({ id, at, entries: [first] }: PendingOperation): Operation {
  const { actorId = '', actorEmail = '', requestId = '', origin = 'api', details } = first ?? {};
  const author = { principal: { id: actorId, email: actorEmail }, requestId };
  return { id, at, origin, author, ...(details?.marks && { marks: details.marks }) };
}

/** An announcement of a row whose key nobody knew yet holds an empty one. */
function withoutEmptyKey({ op, rowKey, before, after }: RowChange): RowChange {
  return { op, rowKey: rowKey === '' ? undefined : rowKey, before, after };
}
