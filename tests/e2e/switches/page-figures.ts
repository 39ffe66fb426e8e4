import type { CDPSession, Page } from 'playwright-core';

/** What a page holds, without garbage. */
export interface PageFigures {
  /** Bytes. */
  readonly heap: number;
  readonly timers: number;
  readonly listeners: number;
  readonly elements: number;
  readonly sheets: number;
  readonly links: number;
  /** Values in the browser's storages. */
  readonly stored: number;
}

/** Counts the page's pending timers; runs before any of its scripts. */
function countTimers(): void {
  const alive = new Set<number>();
  const { setTimeout: later, setInterval: again, clearTimeout: forget, clearInterval: end } = globalThis;
  const known = globalThis as unknown as Record<string, unknown>;
  known['setTimeout'] = (work: TimerHandler, ms?: number, ...given: unknown[]) => {
    const id = later(() => {
      alive.delete(id as unknown as number);
      if (typeof work === 'function') (work as (...of: unknown[]) => void)(...given);
    }, ms);
    alive.add(id as unknown as number);
    return id;
  };
  known['setInterval'] = (work: TimerHandler, ms?: number, ...given: unknown[]) => {
    const id = again(work as () => void, ms, ...given);
    alive.add(id as unknown as number);
    return id;
  };
  for (const [name, stop] of [
    ['clearTimeout', forget],
    ['clearInterval', end],
  ] as const)
    known[name] = (id: number) => {
      alive.delete(id);
      stop(id);
    };
  known['aliveTimers'] = alive;
}

/** Measures a page. */
export class PageScale {
  readonly #page: Page;
  readonly #devtools: CDPSession;

  private constructor(page: Page, devtools: CDPSession) {
    this.#page = page;
    this.#devtools = devtools;
  }

  /** Counts what the page runs after its next load. */
  static async of(page: Page): Promise<PageScale> {
    await page.addInitScript(countTimers);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    return new PageScale(page, devtools);
  }

  /** The figures when the page no longer changes. */
  async settled(): Promise<PageFigures> {
    let before = await this.#look();
    for (;;) {
      await this.#page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => done(0)))),
      );
      const now = await this.#look();
      if (
        now.elements === before.elements &&
        now.listeners === before.listeners &&
        now.timers <= before.timers
      )
        return now;
      before = now;
    }
  }

  async #look(): Promise<PageFigures> {
    await this.#devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.#devtools.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    const counted = await this.#page.evaluate(() => ({
      timers: (globalThis as unknown as { aliveTimers: Set<number> }).aliveTimers.size,
      elements: document.querySelectorAll('*').length,
      sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
      links: document.querySelectorAll('link, style, script').length,
      stored: localStorage.length + sessionStorage.length,
    }));
    return { heap: of('JSHeapUsedSize'), listeners: of('JSEventListeners'), ...counted };
  }
}
