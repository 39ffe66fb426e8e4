import type { Page, Request } from 'playwright-core';

/** What a page asks for, from when it is watched. */
interface Requests {
  /** Resolves once all of it has ended, and what the page asked for by what came. The browser's own idle network is that of its first load. */
  settled(): Promise<void>;
}

export function watchRequests(page: Page): Requests {
  const open = new Set<Request>();
  let begun = 0;
  let wake = () => {};
  const end = (request: Request) => {
    open.delete(request);
    wake();
  };
  page.on('request', (request) => {
    open.add(request);
    begun += 1;
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return {
    async settled() {
      for (let known = -1; known !== begun;) {
        known = begun;
        while (open.size > 0) await new Promise<void>((resolve) => (wake = resolve));
        // What came is drawn, and asks for what it leads to.
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => done(0)))),
        );
      }
    },
  };
}
