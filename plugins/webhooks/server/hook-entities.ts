import { revisionOf, type TableSchema } from '@trellis/sdk/server';
import { wireTime, type FilterEntity, type FilterNode } from '@trellis/sdk/shared';
import {
  byHand,
  type DeliveryEntity,
  type HookEntity,
  type Moment,
  type WholeHookEntity,
} from '../shared/index.ts';
import type { ChannelSettings } from './channels.ts';
import type { LoggedDelivery } from './delivery-store.ts';
import type { HookFailure } from './failing-hooks.ts';
import type { Hook } from './hook-store.ts';
import { pauseCodeOf } from './pause-codes.ts';
import { triesOf } from './tries.ts';
import { rowsOfSet, setRefusalOf } from './set-change.ts';

/** What an answer says of a webhook beside what people set, and how it shows the settings of its channel. */
export interface HookStanding {
  readonly masked: ChannelSettings['masked'];
  /** Whether its channel is there: while its plugin is switched off, nothing is sent. */
  readonly isThere: boolean;
  /** Where its last messages did not arrive. */
  readonly failure: HookFailure | undefined;
}

export function toHookEntity(hook: Hook, { isThere, failure, masked }: HookStanding): HookEntity {
  const { notification, ...settings } = hook.settings;
  return {
    id: hook.id,
    base_id: hook.baseId,
    project_id: hook.projectId,
    fk_model_id: hook.tableId,
    ...settings,
    operation: hook.operation,
    notification: JSON.stringify(masked(notification)),
    active: hook.active,
    paused: hook.paused ?? null,
    paused_code: pauseCodeOf(hook.paused),
    dropped: hook.dropped,
    is_channel_off: !isThere,
    failing:
      failure === undefined
        ? null
        : {
            at: new Date(failure.at).toISOString(),
            status: failure.status ?? null,
            error: failure.error,
          },
    revision: hookRevision(hook),
    created_at: wireTime(hook.createdAt),
    updated_at: wireTime(hook.updatedAt),
  };
}

/** Names what people set of a webhook. */
export function hookRevision({ operation, active, settings, filters, before }: Hook): string {
  return revisionOf([operation, active, settings, filters, before]);
}

/** A webhook with its conditions, all of one moment. */
export function toWholeHookEntity(
  hook: Hook,
  { table, ...standing }: HookStanding & { readonly table: TableSchema },
): WholeHookEntity {
  return {
    ...toHookEntity(hook, standing),
    conditions: {
      after: toFilterEntities(hook, table, { when: 'after' }),
      before: toFilterEntities(hook, table, { when: 'before' }),
    },
  };
}

/** Where a webhook holds the conditions of a moment. */
export const partOf = { after: 'filters', before: 'before' } as const;

/** The conditions of a webhook as those of views travel. */
export function toFilterEntities(
  hook: Hook,
  table: Pick<TableSchema, 'baseId' | 'projectId'>,
  of: {
    readonly when: Moment;
    /** All of that moment where left out. */
    readonly nodes?: readonly FilterNode[];
    readonly parentId?: string | null;
  },
): readonly FilterEntity[] {
  const { when, nodes = hook[partOf[when]], parentId = null } = of;
  return nodes.map((node, index) => {
    const id = node.id ?? '';
    return {
      id,
      base_id: table.baseId,
      project_id: table.projectId,
      fk_view_id: null,
      fk_hook_id: hook.id,
      fk_column_id: node.kind === 'condition' ? node.columnId : null,
      fk_parent_id: parentId,
      logical_op: node.logicalOp,
      comparison_op: node.kind === 'condition' ? node.operator : null,
      value: node.kind === 'condition' ? (node.value ?? null) : null,
      is_group: node.kind === 'group' ? true : null,
      ...(node.kind === 'group' && {
        children: toFilterEntities(hook, table, { when, nodes: node.children, parentId: id }),
      }),
      order: index + 1,
      created_at: wireTime(hook.createdAt),
      updated_at: wireTime(hook.updatedAt),
    };
  });
}

export function toDeliveryEntity(delivery: LoggedDelivery): DeliveryEntity {
  const { state, triedAt, nextAt, createdAt } = delivery;
  const ofSet = rowsOfSet(delivery.payload);
  return {
    id: delivery.eventId,
    event_id: delivery.eventId,
    row_id: delivery.rowKey,
    rows: delivery.rows,
    of_set: ofSet !== undefined,
    operation: delivery.operation,
    by_hand: (delivery.payload.event as { readonly type?: string } | undefined)?.type === byHand,
    state,
    attempts: delivery.attempts,
    status: delivery.status ?? null,
    error: delivery.error ?? null,
    reason: (state === 'skipped' && setRefusalOf(delivery.error, ofSet)) || null,
    duration_ms: delivery.durationMs ?? null,
    request: delivery.request ?? null,
    tries: triesOf(delivery).map((one) => ({
      status: one.status ?? null,
      error: one.error ?? null,
      duration_ms: one.durationMs ?? null,
      request: one.request ?? null,
      tried_at: new Date(one.triedAt).toISOString(),
    })),
    created_at: new Date(createdAt).toISOString(),
    tried_at: triedAt === undefined ? null : new Date(triedAt).toISOString(),
    next_at: state === 'waiting' && nextAt > 0 ? new Date(nextAt).toISOString() : null,
  };
}
