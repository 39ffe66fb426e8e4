import { systemClock, type Clock } from '@trellis/core';

/** What is known of whether somebody sees a page. */
export type SeenPage = Pick<Window, 'addEventListener'> & {
  readonly document: Pick<Document, 'visibilityState'>;
};

/**
 * A clock that stands still while the page is in the background, where browsers hold timers back: what waits for some there is slow
 * and does not hang.
 */
export function timeInSight(page: SeenPage = window): Clock {
  let hiddenFor = 0;
  let hiddenSince = page.document.visibilityState === 'hidden' ? Date.now() : undefined;
  page.addEventListener('visibilitychange', () => {
    if (hiddenSince !== undefined) hiddenFor += Date.now() - hiddenSince;
    hiddenSince = page.document.visibilityState === 'hidden' ? Date.now() : undefined;
  });
  return { now: () => (hiddenSince ?? Date.now()) - hiddenFor, after: systemClock.after };
}
