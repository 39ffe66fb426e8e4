import type { ViewEntity } from '@trellis/sdk/shared';
import { useRegistry } from '@trellis/sdk/web';

/** A view's icon in lists: its own, or its type's. */
export function useViewIcon(): (view: ViewEntity) => string {
  const types = useRegistry('viewTypes');
  return (view) => view.icon ?? types.find(({ id }) => id === view.view_type)?.icon ?? 'table';
}
