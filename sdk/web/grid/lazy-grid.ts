import { lazy } from 'react';

/**
 * The spreadsheet grid: its props are `GridProps`, and it must be under a `Suspense`. It is loaded when it is first drawn, with its
 * styles, also for external plugins.
 *
 * @public
 */
export const Grid = lazy(async () => ({ default: (await import('./Grid.tsx')).Grid }));
