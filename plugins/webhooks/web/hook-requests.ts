import { hostObjectKinds, type FilterNode, type Page, type TableEntity } from '@trellis/sdk/shared';
import { useServerData, objectsTag, type ApiRequest, type RowContext } from '@trellis/sdk/web';
import { toFilterBody } from '@trellis/sdk/web/views';
import {
  hooksObjectKind,
  secretsObjectKind,
  type DeliveryEntity,
  type HookChannelEntity,
  type HookEntity,
  type HookNotification,
  type HookOperation,
  type Moment,
  type WholeHookEntity,
} from '../shared/index.ts';

const hooksPath = ({ id }: Pick<TableEntity, 'id'>) =>
  `/api/v1/db/meta/tables/${encodeURIComponent(id)}/hooks`;
export const hookPath = ({ id }: Pick<HookEntity, 'id'>) => `/api/v1/db/meta/hooks/${encodeURIComponent(id)}`;

/** The tag of all webhooks of a table's project, as in the live event. */
export const hooksTag = ({ project_id: id }: Pick<TableEntity, 'project_id'>) =>
  objectsTag(hooksObjectKind, id);
export const hookTag = ({ id }: Pick<HookEntity, 'id'>) => `webhook:${id}`;

/** A row for which a webhook is to be picked. */
export type PickedRow = Pick<RowContext, 'table' | 'rowKey'>;

/** The part of a webhook that is sent. */
export type HookDraft = Pick<
  HookEntity,
  'title' | 'event' | 'operation' | 'condition' | 'columns' | 'batch' | 'view_id'
> &
  Partial<Pick<HookEntity, 'active'>> & { readonly notification: HookNotification };

export function useHooks(table: TableEntity) {
  return useServerData<{ readonly list: readonly HookEntity[] }>(
    { path: hooksPath(table) },
    { tags: [hooksTag(table)] },
  );
}

export function useSample(table: TableEntity, operation: HookOperation) {
  return useServerData<Readonly<Record<string, unknown>>>(
    { path: `${hooksPath(table)}/samplePayload/${operation}` },
    { tags: [`table:${table.id}`] },
  );
}

/** The plugins' channels. The plugins' settings contain their targets. */
export function useChannels(table: TableEntity) {
  return useServerData<{ readonly list: readonly HookChannelEntity[] }>(
    { path: `${hooksPath(table)}/channels` },
    { tags: ['plugins', objectsTag(hostObjectKinds.pluginSettings)] },
  );
}

/** A webhook's current state with its conditions; nothing is requested for a new one. */
export function useWholeHook(table: TableEntity, hook: HookEntity | undefined) {
  return useServerData<WholeHookEntity>(hook && { path: hookPath(hook) }, {
    tags: hook === undefined ? [] : [hooksTag(table), hookTag(hook)],
    isDraft: true,
  });
}

export function useDeliveries(hook: HookEntity, offset: number, limit: number) {
  return useServerData<Page<DeliveryEntity>>(
    { path: `${hookPath(hook)}/deliveries?limit=${limit}&offset=${offset}` },
    { tags: [hookTag(hook)], keepsLast: true },
  );
}

export function useSecret(hook: HookEntity | undefined) {
  return useServerData<{ readonly secret: string }>(hook && { path: `${hookPath(hook)}/secret` }, {
    tags: hook === undefined ? [] : [hookTag(hook), objectsTag(secretsObjectKind, hook.project_id)],
  });
}

/** Saves all of a webhook. */
export function saveRequest(
  table: TableEntity,
  hook: HookEntity | undefined,
  whole: {
    readonly draft: HookDraft;
    readonly conditions: Readonly<Record<Moment, readonly FilterNode[]>>;
    readonly replaces: string | null;
  },
): ApiRequest {
  const { after, before } = whole.conditions;
  const conditions = { after: after.map(toFilterBody), before: before.map(toFilterBody) };
  const body = { ...whole.draft, conditions };
  return hook === undefined
    ? { method: 'POST', path: hooksPath(table), body }
    : { method: 'PATCH', path: hookPath(hook), body: { ...body, replaces: whole.replaces } };
}

export function testRequest(
  table: TableEntity,
  hook: HookEntity | undefined,
  draft: HookDraft,
  data: unknown,
): ApiRequest {
  return {
    method: 'POST',
    path: `${hooksPath(table)}/test`,
    body: { hook: { ...draft, id: hook?.id }, payload: { data } },
  };
}
