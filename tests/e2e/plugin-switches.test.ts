import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PluginEntity } from '@trellis/sdk/shared';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { createPlugin } from '../../sdk/build/create/create-plugin.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';
import { buildAndInstallFolder } from './outside-plugins.ts';
import { createProject, createTable, newPerson, signedInClient, signUp, type Person } from './person.ts';

const sdk = resolve(import.meta.dirname, '../../sdk');

/**
 * How often the plugins go off and on again in front of an open page: all of them together, which finds what any of them leaves.
 * `TRELLIS_TEST_SWITCHES=500` makes a campaign of it, in which each goes alone.
 */
const switches = Number(process.env['TRELLIS_TEST_SWITCHES'] ?? 20);
/** Switches after which everything that is made once is there. */
const warming = 4;
/** Bytes that one switch may leave in the page, on the average: less than anything that would be kept of each. */
const mostPerSwitch = 256;
/** How often a switch is tried while the database is busy. */
const mostTries = 5;
/** Bytes by which the heap of an idle page comes and goes. */
const restless = 1024 * 1024;
/** Of those whose web half shows something on the page of a table: some of each kind. */
const ofProduct = ['column-rating', 'view-kanban', 'row-comments', 'command-palette', 'notification-center'];
/** What authors begin with and read, of those that have a web half. */
const templates = ['column-type', 'empty', 'locale', 'panel', 'theme', 'view'];
const ofBook = ['acme-frame', 'acme-initial'];
const examples = [...ofProduct, ...templates.map((kind) => `acme-${kind}`), ...ofBook];
const together = process.env['TRELLIS_TEST_SWITCHES'] === undefined ? [examples] : examples.map((id) => [id]);

/** Counts the timers of the page that are still to come; runs before any of its scripts. */
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

/** Installs what is made of each template, and the examples of the book. */
async function installAll(dataDir: string): Promise<void> {
  const made = await mkdtemp(join(tmpdir(), 'trellis-templates-'));
  try {
    for (const template of templates) {
      const id = `acme-${template}`;
      const plugin = { id, template, sdk: '*', language: 'typescript' } as const;
      const folder = await createPlugin(plugin, made, join(sdk, 'templates'));
      // The SDK that it extends is not installed beside it.
      await rm(join(folder, 'tsconfig.json'));
      buildAndInstallFolder(id, folder, dataDir, '0.1.0');
    }
    for (const id of ofBook) {
      await cp(join(sdk, 'examples', id), join(made, id), { recursive: true });
      buildAndInstallFolder(id, join(made, id), dataDir);
    }
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

describeInBrowser('a page in front of which plugins are switched', () => {
  let dataDir: string;
  let server: BuiltServer;
  let browser: Browser;
  let ada: Person;
  let page: Page;
  let boss: Awaited<ReturnType<typeof signedInClient>>;
  let devtools: CDPSession;

  beforeAll(async () => {
    dataDir = await shipToNewFolder([]);
    await installAll(dataDir);
    server = startBuiltServer(dataDir);
    const url = await server.listening();
    // Compiled code is the engine's: it grows by kilobytes a switch for hundreds of switches, with nothing kept by the page.
    browser = await launchBrowser({ isInterpreting: true });
    ada = await newPerson(browser, url);
    ({ page } = ada);
    await page.addInitScript(countTimers);
    await signUp(ada, url, 'ada@example.com');
    await page.reload();
    await createProject(ada, 'Office');
    await createTable(ada, 'People');
    boss = await signedInClient(url, 'ada@example.com');
    devtools = await ada.context.newCDPSession(page);
    await devtools.send('Performance.enable');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  const path = '/api/v1/app-store/plugins';

  /** How often a switch or a reading had to be repeated, since the server asked for that. */
  let repeated = 0;

  /** Switches a plugin; again where the server says that its database was busy. */
  async function decide(call: string, body: object): Promise<void> {
    for (let tries = 1; ; tries += 1)
      try {
        await boss('POST', `${path}/${call}`, body);
        return;
      } catch (error) {
        const isBusy = /: 503 .*"(?:DATABASE_BUSY|PLUGIN_HELD_UP)"/.test(String(error));
        if (!isBusy || tries === mostTries) throw error;
        repeated += 1;
        await setTimeout(1000);
      }
  }

  /** Calls, and resolves when the page has read that all of the plugins run, or that none does. */
  async function untilRead(ids: readonly string[], run: boolean, call: () => Promise<void>): Promise<void> {
    const heard = page.waitForResponse(
      async (answer) => {
        if (new URL(answer.url()).pathname !== '/api/v1/plugins/web') return false;
        // The page reads the list again by itself, as it does when a server stands behind a proxy that cannot reach it.
        if (answer.status() === 503) {
          repeated += 1;
          return false;
        }
        if (!answer.ok()) throw new Error(`The page's list of plugins: ${answer.status()}`);
        const { plugins } = (await answer.json()) as { readonly plugins: readonly { readonly id: string }[] };
        return ids.every((id) => plugins.some((plugin) => plugin.id === id) === run);
      },
      { timeout: 0 },
    );
    // An answer that is none fails the test at once, also while the call still goes on.
    await Promise.all([heard, call()]);
  }

  /** @param dependents of each plugin, those that run with it and go off before it */
  async function switchOffAndOn(
    ids: readonly string[],
    dependents: ReadonlyMap<string, readonly string[]>,
  ): Promise<void> {
    const off: string[] = [];
    await untilRead(ids, false, async () => {
      for (const id of ids) {
        if (off.includes(id)) continue;
        const cascade = (dependents.get(id) ?? []).filter((one) => !off.includes(one));
        await decide(`${id}/disable`, { cascade });
        off.push(...cascade, id);
      }
    });
    await untilRead(ids, true, async () => {
      for (const id of off.toReversed()) await decide(`${id}/enable`, {});
    });
  }

  async function look() {
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    const counted = await page.evaluate(() => ({
      elements: document.querySelectorAll('*').length,
      sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
      links: document.querySelectorAll('link, style, script').length,
      stored: localStorage.length + sessionStorage.length,
      timers: (globalThis as unknown as { aliveTimers: Set<number> }).aliveTimers.size,
    }));
    return { heap: of('JSHeapUsedSize'), listeners: of('JSEventListeners'), ...counted };
  }

  /** The page once nothing of it changes any more. */
  async function settled() {
    let before = await look();
    for (;;) {
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => done(0)))),
      );
      const now = await look();
      if (
        now.elements === before.elements &&
        now.listeners === before.listeners &&
        now.timers <= before.timers
      )
        return now;
      before = now;
    }
  }

  test.each(together.map((ids) => [ids.join(', '), ids] as const))(
    `has nothing left of ${switches} switches of %s`,
    async (names, ids) => {
      const { list } = await boss<{ list: readonly PluginEntity[] }>('GET', path);
      const isOn = (of: string) => list.some((plugin) => plugin.id === of && plugin.state === 'enabled');
      const dependents = new Map(list.map((plugin) => [plugin.id, plugin.dependents.filter(isOn)]));
      for (let at = 0; at < warming; at += 1) await switchOffAndOn(ids, dependents);
      const { heap: heapBefore, timers: timersBefore, ...before } = await settled();
      for (let at = 0; at < switches; at += 1) await switchOffAndOn(ids, dependents);
      const { heap, timers, ...after } = await settled();
      if (switches >= 100)
        console.log(
          `${names}: ${Math.round((heap - heapBefore) / switches)} bytes a switch (${Math.round(heap / 1024)} KB), ` +
            `timers ${timersBefore} -> ${timers}, repeated ${repeated}, ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
        );
      expect(after).toEqual(before);
      // A toast, a retry or the next beat of the live channel may be on its way.
      expect(timers).toBeLessThanOrEqual(timersBefore + 3);
      expect(heap - heapBefore).toBeLessThan(restless + mostPerSwitch * switches * ids.length);
      expect(ada.complaints).toEqual([]);
    },
    120_000 + switches * 10_000,
  );
});
