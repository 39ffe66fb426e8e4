import { useRegistry, useRegistryItem } from '@trellis/sdk/web';
import { Suspense, type ReactNode } from 'react';
import { Outlet } from 'react-router-dom';
import { useHostParts } from '../host/host-parts-context.ts';
import { PageSkeleton } from '../shell/PageSkeleton.tsx';

/** Draws a layout by its id, or the default one when no plugin provides it. */
export function LayoutFrame({ id, children }: { readonly id: string; readonly children?: ReactNode }) {
  const { Boundary, registries } = useHostParts();
  useRegistry('layouts');
  const wanted = useRegistryItem('layouts', id);
  const layout = wanted ?? registries.get('layouts').get('default');
  if (layout === undefined) return children ?? <Outlet />;
  const owner = registries.get('layouts').ownerOf(layout.id) ?? layout.id;
  return (
    <Boundary owner={owner} what={`layout ${layout.id}`}>
      <layout.Component>
        <Suspense fallback={<PageSkeleton />}>{children ?? <Outlet />}</Suspense>
      </layout.Component>
    </Boundary>
  );
}
