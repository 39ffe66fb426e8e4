import type { ViewEntity } from '../../shared/index.ts';
import { useHost } from '../host.tsx';

type Options = Readonly<Record<string, unknown>>;

/**
 * Saves the options of a view: what others changed since `before` was read stays as they made it. Throws `ApiError` 409
 * `OPTIONS_CHANGED` where they changed the same option.
 *
 * @public
 */
export function useSaveViewOptions({
  id,
  fk_model_id: tableId,
}: ViewEntity): (options: Options, before: Options) => Promise<void> {
  const { api, invalidate } = useHost();
  return async (options, before) => {
    const path = `/api/v1/db/meta/views/${encodeURIComponent(id)}`;
    try {
      await api.request({ method: 'PATCH', path, body: { meta: options, meta_before: before } });
    } finally {
      invalidate([`view:${id}`, `table:${tableId}`]);
    }
  };
}
