import type { FilterEntity } from '../../shared/index.ts';
import { messageOfError } from '../attempt.ts';
import type { ViewProps } from '../extensions/index.ts';
import { useHost } from '../host.tsx';
import { hasPermission } from '../permissions.ts';
import { useViewFilters } from '../visited-view.ts';
import { toFilterBody, toFilterNode } from './filter-tree.ts';
import { useOwnLook } from './own-look.ts';

/**
 * Removes the filters that hide rows of a view: the view's, or this person's own if they may not arrange the view. Undefined if
 * there are none that the person may remove.
 * @public
 */
export function useClearFilters({
  project,
  view,
}: Pick<ViewProps, 'project' | 'view'>): (() => void) | undefined {
  const host = useHost();
  const { sharedT: t, toast } = host;
  const own = useOwnLook('filters', { project, view });
  const filters = useViewFilters(view) ?? [];
  if (own !== undefined) return own.filters.length === 0 ? undefined : () => own.change({ filters: [] });
  const mayKeep = view.lock_type !== 'locked' && hasPermission('filterUpdate', project);
  if (!mayKeep || filters.length === 0) return undefined;

  const path = `/api/v1/db/meta/views/${encodeURIComponent(view.id)}/filters`;
  const bodyOf = (list: readonly FilterEntity[]) => list.map((filter) => toFilterBody(toFilterNode(filter)));
  async function replace(list: readonly FilterEntity[], replaces: readonly FilterEntity[]): Promise<boolean> {
    try {
      const body = { list: bodyOf(list), replaces: bodyOf(replaces) };
      await host.api.request({ method: 'PUT', path, body });
      return true;
    } catch (error) {
      toast({ severity: 'error', summary: messageOfError(error, t) });
      return false;
    } finally {
      host.invalidate([`view:${view.id}`]);
    }
  }
  return () =>
    void replace([], filters).then((isCleared) => {
      if (!isCleared) return;
      toast({
        severity: 'success',
        summary: t('Filters of the view “{{view}}” cleared.', { view: view.title }),
        life: 8000,
        action: { label: t('Undo'), run: () => void replace(filters, []) },
      });
    });
}
