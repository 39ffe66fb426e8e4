import type { Registries } from '@trellis/core';
import { loadPart, type SessionView, type WebRegistries, type WebRoute } from '@trellis/sdk/web';
import { matchRoutes } from 'react-router-dom';
import { continueTarget, guardRoute, projectsPath } from './route-guard.ts';

/**
 * Loads the code of an address's page and layout, so that drawing need not wait. Resolves even if loading fails: the page itself
 * shows the error.
 *
 * @param address what follows `#`.
 */
export async function loadPage(
  registries: Registries<WebRegistries>,
  session: Pick<SessionView, 'status' | 'superAdmin'>,
  address: string,
): Promise<void> {
  const route = shownRoute(registries.get('routes').list(), session, address || '/');
  if (route === undefined) return;
  const layouts = registries.get('layouts');
  const layout = layouts.get(route.layout ?? 'default') ?? layouts.get('default');
  await Promise.all([loadPart(route.Component), layout && loadPart(layout.Component)]);
}

/** The page that is finally drawn: a forbidden page redirects, at most from the entrance to the sign-in page. */
function shownRoute(
  routes: readonly WebRoute[],
  session: Pick<SessionView, 'status' | 'superAdmin'>,
  address: string,
  steps = 3,
): WebRoute | undefined {
  const [path = '/', search = ''] = address.split(/\?(.*)/s);
  const known = routes.map((candidate) => ({ path: candidate.path, candidate }));
  const route = matchRoutes(known, path)?.at(-1)?.route.candidate;
  if (route === undefined || steps === 0) return undefined;
  const lead = (to: string) => shownRoute(routes, session, to, steps - 1);
  const decision = guardRoute(route, session, address);
  if (decision.kind === 'signIn') return lead(decision.to);
  if (decision.kind === 'onwards') return lead(continueTarget(search));
  // The entrance redirects to the projects.
  if (path === '/' && session.status === 'signedIn') return lead(projectsPath);
  return route;
}
