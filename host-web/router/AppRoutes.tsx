import { useRegistry, useSession, useShell, type WebRoute } from '@trellis/sdk/web';
import { useMemo } from 'react';
import { Navigate, useLocation, useParams, useRoutes, type RouteObject } from 'react-router-dom';
import { NotFoundPage } from '../pages/NotFoundPage.tsx';
import { ErrorPage } from '../pages/ErrorPage.tsx';
import { Contributed } from '../host/Contributed.tsx';
import { LayoutFrame } from '../layouts/LayoutFrame.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { continueTarget, guardRoute } from './route-guard.ts';

/** Every page: those of the `routes` registry, in their layouts. */
export function AppRoutes() {
  const routes = useRegistry('routes');
  const objects = useMemo(() => toRouteObjects(routes), [routes]);
  return useRoutes(objects);
}

/** Routes of one layout stand under one parent, so that going from page to page leaves the layout where it is. */
function toRouteObjects(routes: readonly WebRoute[]): RouteObject[] {
  const byLayout = new Map<string, RouteObject[]>();
  for (const route of routes) {
    const layout = route.layout ?? 'default';
    const children = byLayout.get(layout) ?? [];
    children.push({ path: route.path, element: <RoutePage key={route.id} route={route} /> });
    byLayout.set(layout, children);
  }
  return [
    ...[...byLayout].map(([layout, children]): RouteObject => ({
      element: <LayoutFrame key={layout} id={layout} />,
      children,
    })),
    { path: '*', element: <UnknownRoute /> },
  ];
}

function RoutePage({ route }: { readonly route: WebRoute }) {
  const { status, superAdmin } = useSession();
  const { context } = useShell();
  const location = useLocation();
  const params = useParams();
  useDocumentTitle(route.title ?? context.project?.title);

  const path = location.pathname + location.search;
  const decision = guardRoute(route, { status, superAdmin }, path);
  if (decision.kind === 'signIn') return <Navigate to={decision.to} replace />;
  if (decision.kind === 'onwards') return <Navigate to={continueTarget(location.search)} replace />;
  if (decision.kind === 'forbidden') return <ErrorPage code={403} />;
  if (route.validate?.(params) === false) return <NotFoundPage />;
  return (
    <Contributed registry="routes" id={route.id} what={`page ${route.path}`}>
      <route.Component />
    </Contributed>
  );
}

/** A guest learns of no page that is not there, except that signing in would help to see one that is. */
function UnknownRoute() {
  useDocumentTitle('This page could not be found');
  return (
    <LayoutFrame id="error">
      <NotFoundPage />
    </LayoutFrame>
  );
}
