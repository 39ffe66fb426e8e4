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
  /** A scope with every right in one project. */
  scopeFor(projectId: string): AccessScope;
}

/** The number of announced changes that happened, did not happen, or cannot be determined. */
export interface Settled {
  done: number;
  withdrawn: number;
  unknown: number;
}

/**
 * Determines the result of changes that were announced for an external database and never confirmed, because the server was killed
 * or lost the connection: reads their rows again, many at once.
 *
 * Changes that happened are added to the log and reach its readers. An operation that names no rows (a write to every row of a
 * condition) cannot be determined; its announcement is kept as `unknown` and reaches nobody.
 *
 * @param before only changes announced earlier than this, in UTC milliseconds; younger ones may still be running.
 * @throws the error of the first database that could not be asked, after all the others were.
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

/** The table, or undefined if it or its project has been deleted. */
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

/** The call that the announcement belonged to, with its author. */
function announcedAs({ id, at, entries: [first] }: PendingOperation): Operation {
  const { actorId = '', actorEmail = '', requestId = '', origin = 'api', details } = first ?? {};
  const author = { principal: { id: actorId, email: actorEmail }, requestId };
  return { id, at, origin, author, ...(details?.marks && { marks: details.marks }) };
}

/** The announcement of a row whose key was not known yet has an empty one. */
function withoutEmptyKey({ op, rowKey, before, after }: RowChange): RowChange {
  return { op, rowKey: rowKey === '' ? undefined : rowKey, before, after };
}
