import type { ViewEntity } from '@trellis/sdk/shared';
import { useRegistry } from '@trellis/sdk/web';

/** The icon of a view in lists: its own, or that of its type. */
export function useViewIcon(): (view: ViewEntity) => string {
  const types = useRegistry('viewTypes');
  return (view) => view.icon ?? types.find(({ id }) => id === view.view_type)?.icon ?? 'table';
}
