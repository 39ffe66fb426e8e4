import { createContext } from 'react';

/**
 * The id of the shown project, for a page whose address does not name one, such as a link for visitors: the page draws the host's
 * dashboard (`<Contribution registry="routes" id={dashboardRoute}>`) inside this context.
 *
 * @public
 */
export const VisitedProjectContext = createContext<string | undefined>(undefined);

/** The id of the route that draws a project's dashboard. @public */
export const dashboardRoute = 'host.dashboard';
