import type { Change } from '@trellis/sdk/server';
import type { Binding } from '../sql/session.ts';
import { newId } from '../metadata/ids.ts';
import { storedRowKey } from './stored-row-key.ts';

/** The columns of `changeCells`. */
export const changeColumns = [
  'id',
  'operation_id',
  'kind',
  'op',
  'actor_id',
  'actor_email',
  'project_id',
  'base_id',
  'table_id',
  'row_key',
  'before',
  'after',
  'origin',
  'request_id',
  'state',
  'at',
] as const;

export function changeCells(change: Change, state: 'done' | 'pending'): Binding[] {
  return [
    change.id,
    change.operationId,
    change.kind,
    change.op,
    change.actorId || null,
    change.actorEmail || null,
    change.projectId,
    change.baseId,
    change.tableId,
    change.rowKey === undefined ? null : storedRowKey(change.rowKey),
    change.before === undefined ? null : JSON.stringify(change.before),
    change.after === undefined ? null : JSON.stringify(change.after),
    change.origin,
    change.requestId,
    state,
    change.at,
  ];
}

export function outboxRow(change: Change, topic: string, payload: unknown): Record<string, Binding> {
  return {
    id: newId('outbox'),
    change_id: change.id,
    topic,
    payload: JSON.stringify(payload),
    state: 'open',
    attempts: 0,
    next_at: change.at,
    at: change.at,
  };
}
