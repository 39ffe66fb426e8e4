import { Contribution, useRegistryItem } from '@trellis/sdk/web';
import { PageSkeleton } from '@trellis/sdk/web/ui';
import { Suspense, type ReactNode } from 'react';
import { Outlet } from 'react-router-dom';

/** Draws the layout with this id, or the default one if no plugin provides it. */
export function LayoutFrame({ id, children }: { readonly id: string; readonly children?: ReactNode }) {
  const wanted = useRegistryItem('layouts', id);
  const standard = useRegistryItem('layouts', 'default');
  const layout = wanted ?? standard;
  if (layout === undefined) return children ?? <Outlet />;
  return (
    <Contribution registry="layouts" id={layout.id} what={`layout ${layout.id}`}>
      <layout.Component>
        <Suspense fallback={<PageSkeleton />}>{children ?? <Outlet />}</Suspense>
      </layout.Component>
    </Contribution>
  );
}
