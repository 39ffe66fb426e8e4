import type { ViewProps } from '../extensions/index.ts';
import { useSharedT } from '../host.tsx';
import { hasPermission } from '../permissions.ts';

/**
 * Why the person may not arrange a view, in their language; undefined if they may.
 *
 * @param permission the permission for this part of it
 * @public
 */
export function useLockReason(
  { project, view }: Pick<ViewProps, 'project' | 'view'>,
  permission = 'viewArrange',
): string | undefined {
  const t = useSharedT();
  if (!hasPermission(permission, project)) return t('You may look at this view, not change it.');
  return view.lock_type === 'locked'
    ? t('This view is locked. Unlock it to change how it shows the table.')
    : undefined;
}
