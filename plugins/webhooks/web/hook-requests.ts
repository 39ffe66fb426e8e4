import type { FilterEntity, Page, TableEntity } from '@trellis/sdk/shared';
import { useServerData, type ApiRequest } from '@trellis/sdk/web';
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

/** What is sent of a webhook. */
export type HookDraft = Pick<
  HookEntity,
  'title' | 'event' | 'operation' | 'condition' | 'active' | 'columns' | 'batch'
> & { readonly notification: HookNotification };

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

/** The conditions of a webhook; none of one that is yet to be made. */
export function useConditions(hook: HookEntity | undefined) {
  return useServerData<readonly FilterEntity[]>(hook && { path: `${hookPath(hook)}/filters` }, {
    tags: hook === undefined ? [] : [hookTag(hook)],
  });
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
