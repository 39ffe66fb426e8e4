import type { FilterEntity, FilterNode, Page, TableEntity } from '@trellis/sdk/shared';
import { useServerData, type ApiRequest, type RowContext } from '@trellis/sdk/web';
import { toFilterBody } from '@trellis/sdk/web/views';
import type {
  DeliveryEntity,
  HookChannelEntity,
  HookEntity,
  HookNotification,
  HookOperation,
} from '../shared/index.ts';

const hooksPath = ({ id }: Pick<TableEntity, 'id'>) =>
  `/api/v1/db/meta/tables/${encodeURIComponent(id)}/hooks`;
export const hookPath = ({ id }: Pick<HookEntity, 'id'>) => `/api/v1/db/meta/hooks/${encodeURIComponent(id)}`;

export const hooksTag = ({ id }: Pick<TableEntity, 'id'>) => `webhooks:${id}`;
export const hookTag = ({ id }: Pick<HookEntity, 'id'>) => `webhook:${id}`;

/** A row for which somebody wants to pick a webhook. */
export type PickedRow = Pick<RowContext, 'table' | 'rowKey'>;

/** What is sent of a webhook. */
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

/** The channels that plugins bring. */
export function useChannels(table: TableEntity) {
  return useServerData<{ readonly list: readonly HookChannelEntity[] }>(
    { path: `${hooksPath(table)}/channels` },
    { tags: ['plugins'] },
  );
}

/** Whether a row is asked for as it is after a change or as it was before it. */
type Moment = 'after' | 'before';

/** The conditions of a webhook; none of one that is yet to be made. */
export function useConditions(hook: HookEntity | undefined, when: Moment) {
  const path = hook && `${hookPath(hook)}/filters?when=${when}`;
  return useServerData<readonly FilterEntity[]>(path === undefined ? undefined : { path }, {
    tags: hook === undefined ? [] : [hookTag(hook)],
  });
}

export function conditionsRequest(
  hook: HookEntity,
  when: Moment,
  conditions: readonly FilterNode[],
): ApiRequest {
  const path = `${hookPath(hook)}/filters?when=${when}`;
  return { method: 'PUT', path, body: { list: conditions.map(toFilterBody) } };
}

export function useDeliveries(hook: HookEntity, offset: number, limit: number) {
  return useServerData<Page<DeliveryEntity>>(
    { path: `${hookPath(hook)}/deliveries?limit=${limit}&offset=${offset}` },
    { tags: [hookTag(hook)] },
  );
}

export function useSecret(hook: HookEntity | undefined) {
  return useServerData<{ readonly secret: string }>(hook && { path: `${hookPath(hook)}/secret` }, {
    tags: hook === undefined ? [] : [hookTag(hook)],
  });
}

export function saveRequest(table: TableEntity, hook: HookEntity | undefined, draft: HookDraft): ApiRequest {
  return hook === undefined
    ? { method: 'POST', path: hooksPath(table), body: draft }
    : { method: 'PATCH', path: hookPath(hook), body: draft };
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
