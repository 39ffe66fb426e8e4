import type { ViewEntity } from '@trellis/sdk/shared';
import { ApiError, useHost, type ApiRequest, type ViewProps } from '@trellis/sdk/web';
import { useRef } from 'react';

const meta = '/api/v1/db/meta';

export function viewPath(view: ViewEntity, call = ''): string {
  return `${meta}/views/${encodeURIComponent(view.id)}${call}`;
}

export function itemPath(kind: 'grid-columns', id: string): string {
  return `${meta}/${kind}/${encodeURIComponent(id)}`;
}

/** Whether the caller may arrange this view, and why not. */
export function lockReason({ view, readOnly, project }: ViewProps): string | undefined {
  if (project.role === 'viewer' || project.role === 'commenter')
    return 'You may look at this view, not change it.';
  if (view.lock_type === 'locked') return 'This view is locked. Unlock it to change how it shows the table.';
  // A table that is read-only for its rows can still be looked at in any order.
  return readOnly && project.role === undefined ? 'This view cannot be changed.' : undefined;
}

/** Sends changes of a view one after another; what is shown is read again after each, also after a failed one. */
export function useViewCalls(view: ViewEntity) {
  const host = useHost();
  const last = useRef<Promise<unknown>>(Promise.resolve());

  /** Resolves to undefined when the server refused; the person has been told then, and `onRefused` puts back what was shown early. */
  function send<T>(request: ApiRequest, onRefused?: () => void): Promise<T | undefined> {
    const sent = last.current.then(async () => {
      try {
        return await host.api.request<T>(request);
      } catch (error) {
        onRefused?.();
        host.toast({
          severity: 'error',
          summary: host.t('The view could not be changed'),
          detail: error instanceof ApiError ? error.message : host.t('Some internal error occurred'),
          life: 5000,
        });
        return undefined;
      } finally {
        host.invalidate([`view:${view.id}`]);
      }
    });
    last.current = sent;
    return sent;
  }

  return { send };
}
