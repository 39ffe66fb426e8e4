import {
  Contribution,
  framedAddress,
  useRegistry,
  useSession,
  useShell,
  type WebRoute,
} from '@trellis/sdk/web';
import { PageSkeleton } from '@trellis/sdk/web/ui';
import { useEffect, useMemo } from 'react';
import { Navigate, useLocation, useParams, useRoutes, type RouteObject } from 'react-router-dom';
import { useHostParts } from './host-parts.ts';
import { useIsStarting } from '../pages/parts.ts';
import { NotFoundPage } from '../pages/NotFoundPage.tsx';
import { ErrorPage } from '../pages/ErrorPage.tsx';
import { LayoutFrame } from '../shell/LayoutFrame.tsx';
import { HeldLocation } from '../router/HeldLocation.tsx';
import { useDocumentTitle } from '../router/use-document-title.ts';
import { continueTarget, guardRoute } from '../router/route-guard.ts';

/** Every page: those of the `routes` registry, within their layouts. */
export function AppRoutes() {
  const { leaveGuard } = useHostParts();
  return (
    <HeldLocation guard={leaveGuard}>
      <Pages />
    </HeldLocation>
  );
}

function Pages() {
  const routes = useRegistry('routes');
  const objects = useMemo(() => {
    const isFramed = framedAddress() !== undefined;
    return toRouteObjects(routes.filter(({ framed }) => !isFramed || framed === true));
  }, [routes]);
  return useRoutes(objects);
}

/** Puts routes of one layout under one parent, so that the layout stays mounted between pages. */
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

  const path = location.pathname + location.search;
  const decision = guardRoute(route, { status, superAdmin }, path);
  if (decision.kind === 'signIn') return <Navigate to={decision.to} replace />;
  if (decision.kind === 'onwards') return <Navigate to={continueTarget(location.search)} replace />;
  if (decision.kind === 'forbidden') return <ErrorPage code={403} />;
  if (route.validate?.(params) === false) return <NotFoundPage />;
  return (
    <>
      <PageTitle title={route.title ?? context.project?.title} />
      <Contribution registry="routes" id={route.id} what={`page ${route.path}`} fallback={<PageSkeleton />}>
        <route.Component />
        <PageIsDrawn />
      </Contribution>
    </>
  );
}

/** Comes after the page, so that its effect runs when the page and all its parts are mounted. */
function PageIsDrawn() {
  const { sync } = useHostParts();
  useEffect(() => sync.pageIsDrawn(), [sync]);
  return null;
}

/** A sibling before the page, not its parent: a title that the page itself sets, such as an error's, then wins. */
function PageTitle({ title }: { readonly title: string | undefined }) {
  useDocumentTitle(title);
  return null;
}

/** Guests are not told whether a page exists, only that signing in may help. */
function UnknownRoute() {
  if (useIsStarting()) return <PageSkeleton />;
  return (
    <LayoutFrame id="error">
      <NotFoundPage />
    </LayoutFrame>
  );
}
