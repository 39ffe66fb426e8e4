import { lazy } from 'react';

/**
 * The spreadsheet grid: what is given to it is `GridProps`, and it must stand under a `Suspense`. It is loaded when it is
 * first drawn, its styles with it, for plugins that were built elsewhere too.
 *
 * @public
 */
export const Grid = lazy(async () => ({ default: (await import('./Grid.tsx')).Grid }));
