import type { SentRequest, TemplateValues } from '@trellis/sdk/shared';
import type { DeliveryState, HookOperation } from '../shared/index.ts';
import { readTries } from './tries.ts';
import type { Delivery, DeliveryProgress, WaitingDelivery } from './delivery-store.ts';

/** A row of the table of deliveries. */
export type Stored = Readonly<Record<string, string | number | null>>;

/** The columns of a waiting event, without its payload. */
export const waitingColumns = [
  'hook_id',
  'event_id',
  'row_key',
  'seq',
  'position',
  'attempts',
  'interrupted',
  'batch_id',
  'next_at',
  'lease_until',
  'size',
];

export function toWaiting(row: Stored): WaitingDelivery {
  return {
    hookId: String(row.hook_id),
    eventId: String(row.event_id),
    rowKey: String(row.row_key),
    seq: Number(row.seq),
    position: Number(row.position),
    attempts: Number(row.attempts),
    interrupted: Number(row.interrupted ?? 0),
    batchId: typeof row.batch_id === 'string' ? row.batch_id : undefined,
    nextAt: Number(row.next_at),
    leaseUntil: Number(row.lease_until),
    size: Number(row.size ?? 0),
  };
}

const number = (value: string | number | null | undefined) =>
  value === null || value === undefined ? undefined : Number(value);

export function toProgress({ state, status, error }: Stored): DeliveryProgress {
  return {
    state: state as DeliveryState,
    status: number(status),
    error: error === null || error === undefined ? undefined : String(error),
  };
}

export function toDelivery(row: Stored): Delivery {
  const request = typeof row.request === 'string' ? (JSON.parse(row.request) as SentRequest) : undefined;
  return {
    ...toProgress(row),
    hookId: String(row.hook_id),
    eventId: String(row.event_id),
    projectId: String(row.project_id),
    rowKey: String(row.row_key),
    operation: row.operation as HookOperation,
    seq: Number(row.seq),
    position: Number(row.position),
    payload: JSON.parse(String(row.payload)) as TemplateValues,
    attempts: Number(row.attempts),
    interrupted: Number(row.interrupted ?? 0),
    batchId: typeof row.batch_id === 'string' ? row.batch_id : undefined,
    nextAt: Number(row.next_at),
    leaseUntil: Number(row.lease_until),
    durationMs: number(row.duration_ms),
    request,
    earlier: typeof row.earlier === 'string' ? readTries(row.earlier, request) : [],
    triedAt: number(row.tried_at),
    createdAt: Number(row.created_at),
  };
}
