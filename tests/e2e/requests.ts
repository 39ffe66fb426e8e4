import type { Page, Request } from 'playwright-core';

/** A page's requests, from the start of watching. */
interface Requests {
  /**
   * Resolves when all requests have ended, including those that their answers caused. The browser's own network-idle state only
   * concerns the first load.
   */
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
        // The answers are drawn, and may cause further requests.
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => done(0)))),
        );
      }
    },
  };
}
