/**
 * Prints how the grid scrolls a million rows in Chromium: 13 columns under a steady wheel, and 30 columns faster than anybody
 * scrolls. It has no limits: figures of one machine say little about another. Software rendering, 1280 x 720, pages of 100 rows
 * with 20 ms of latency. CPU is the processor time of the page's main thread, which other programs hardly affect.
 *
 *   node tests/run-typescript.mjs tests/bench/grid-scroll.ts
 */
import { setTimeout } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { openDemoPage } from '../../plugins/view-grid/testing/demo-page.ts';

interface Frames {
  /** Milliseconds between frames. */
  readonly p50: number;
  readonly p95: number;
  readonly slow: number;
  /** Frames in which a visible row was not drawn. */
  readonly blank: number;
}

const print = (name: string, ...values: (string | number)[]): void => {
  process.stdout.write(`${name.padEnd(34)}${values.join('  ')}\n`);
};
const round = (value: number): number => Math.round(value * 10) / 10;

async function cpuSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0;
}

async function heapMegabytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  return round((metrics.find((metric) => metric.name === 'JSHeapUsedSize')?.value ?? 0) / 1e6);
}

/** One wheel step of 120 pixels in each frame for ten seconds. */
async function wheelSteadily(page: Page, devtools: CDPSession): Promise<readonly number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    const note = (time: number): void => {
      times.push(time);
      if (times.length < 600) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    Object.assign(window, { frameTimes: times });
  });
  const start = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let notch = 0; notch < 600; notch++) {
    await setTimeout(Math.max(0, start + (notch * 1000) / 60 - performance.now()));
    // Not awaited, because a wheel does not wait for the page either.
    sent.push(
      devtools.send('Input.dispatchMouseEvent', {
        type: 'mouseWheel',
        x: 640,
        y: 400,
        deltaX: 0,
        deltaY: 120,
      }),
    );
  }
  await Promise.all(sent);
  const times = await page.evaluate(
    () => (window as unknown as { readonly frameTimes: readonly number[] }).frameTimes,
  );
  return times
    .slice(1)
    .map((time, at) => time - (times[at] ?? 0))
    .sort((a, b) => a - b);
}

async function measureSteadyWheel(url: string): Promise<void> {
  const { page, devtools, context } = await openGrid(url);
  await page.mouse.move(640, 400);
  const cpu = await cpuSeconds(devtools);
  const frames = await wheelSteadily(page, devtools);
  const spent = (await cpuSeconds(devtools)) - cpu;
  const at = (share: number): number => round(frames[Math.floor(frames.length * share)] ?? 0);
  process.stdout.write('\n13 columns, 600 notches of a wheel in 10 s\n');
  print('a frame: p50 / p95 / p99, ms', at(0.5), '/', at(0.95), '/', at(0.99));
  print('CPU per notch, ms', round((spent * 1000) / 600));
  await context.close();
}

/** 200 frames of 1000 pixels each, scrolled by script. */
function scrollByScript(page: Page): Promise<Frames> {
  return page.evaluate(async () => {
    const scroller = document.querySelector('.tgrid-scroller');
    if (scroller === null) throw new Error('The page has no grid');
    const times: number[] = [];
    let blank = 0;
    let last = await new Promise<number>(requestAnimationFrame);
    for (let frame = 0; frame < 200; frame++) {
      scroller.scrollTop += 1000;
      const now = await new Promise<number>(requestAnimationFrame);
      times.push(now - last);
      last = now;
      const box = scroller.getBoundingClientRect();
      const middle = document.elementFromPoint(box.left + 20, box.top + box.height / 2);
      if (middle?.closest('[role=row]') === null) blank += 1;
    }
    times.sort((a, b) => a - b);
    return {
      p50: times[100] ?? 0,
      p95: times[190] ?? 0,
      slow: times.filter((time) => time > 34).length,
      blank,
    };
  });
}

/** Milliseconds from a jump to the middle until its rows are loaded and drawn. */
function jumpToMiddle(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const scroller = document.querySelector('.tgrid-scroller');
    if (scroller === null) throw new Error('The page has no grid');
    const start = performance.now();
    scroller.scrollTop = scroller.scrollHeight / 2;
    do await new Promise(requestAnimationFrame);
    while (document.querySelector('.tgrid-skeleton') !== null);
    return performance.now() - start;
  });
}

/** Opens the demo page and waits for its first rows. */
async function openGrid(url: string) {
  const context = await demo.browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const start = performance.now();
  await page.goto(url);
  await page.locator('.tgrid-cell .tgrid-text, .tgrid-cell [aria-label]').first().waitFor();
  return { context, page, devtools, shownAfter: performance.now() - start };
}

async function measure(name: string, url: string): Promise<void> {
  const { context, page, devtools, shownAfter } = await openGrid(url);
  process.stdout.write(`\n${name}\n`);
  print('first data shown, ms', Math.round(shownAfter));
  print('heap loaded, MB', await heapMegabytes(devtools));
  print('DOM nodes', await page.evaluate(() => document.querySelectorAll('*').length));

  let cpu = await cpuSeconds(devtools);
  const frames = await scrollByScript(page);
  const spent = (await cpuSeconds(devtools)) - cpu;
  print('by script: p50 / p95, ms', round(frames.p50), '/', round(frames.p95));
  print('by script: frames over 34 ms', frames.slow);
  print('by script: blank frames', frames.blank);
  print('by script: CPU per frame, ms', round((spent * 1000) / 200));

  await page.mouse.move(640, 400);
  cpu = await cpuSeconds(devtools);
  for (let event = 0; event < 120; event++) await page.mouse.wheel(0, 300);
  await page.waitForFunction(() => document.querySelector('.tgrid-skeleton') === null);
  print('wheel 120 x 300 px: CPU total, ms', Math.round(((await cpuSeconds(devtools)) - cpu) * 1000));

  print('jump to the middle, ms', Math.round(await jumpToMiddle(page)));
  await page.evaluate(() => {
    const scroller = document.querySelector('.tgrid-scroller');
    if (scroller !== null) scroller.scrollTop = scroller.scrollHeight;
  });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const last = await page.locator('[aria-rowindex="1000001"]').count();
  print('last row reached', last === 1 ? 'yes' : 'no');
  print('heap after, MB', await heapMegabytes(devtools));
  await context.close();
}

const demo = await openDemoPage();
try {
  await measureSteadyWheel(`${demo.url}?columns=13`);
  await measure('30 mixed columns', `${demo.url}?`);
  await measure('30 columns, a React renderer in every cell', `${demo.url}?custom`);
} finally {
  await demo.close();
}
