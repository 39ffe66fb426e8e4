import { rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PluginAsks, PluginEntity } from '@trellis/sdk/shared';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';
import { createProject, createTable, newPerson, signedInClient, signUp, type Person } from './person.ts';
import { PageScale } from './switches/page-figures.ts';
import { countRows, weighable, weighServer } from './switches/server-figures.ts';
import { everyPlugin, installExamples, sample } from './switches/switched-plugins.ts';
import { describeFigures, changedBetween, loggedBetween, type Figures } from './switches/verdict.ts';

/**
 * How often the plugins go off and on again in front of an open page: a sample of them together, which finds what any of them leaves.
 * `TRELLIS_TEST_SWITCHES=500` makes a campaign of it, in which each that can go off goes alone, and is told of.
 */
const switches = Number(process.env['TRELLIS_TEST_SWITCHES'] ?? 10);
const isCampaign = process.env['TRELLIS_TEST_SWITCHES'] !== undefined;
const together = isCampaign ? everyPlugin.map((id) => [id]) : [sample];
/** Switches after which everything that is made once is there. */
const warming = 4;
/** How often a switch is tried while the database is busy. */
const mostTries = 5;
/** How often it is weighed again while something may still be on its way. */
const mostLooks = 10;

describeInBrowser('a page in front of which plugins are switched', () => {
  let dataDir: string;
  let server: BuiltServer;
  let browser: Browser;
  let ada: Person;
  let boss: Awaited<ReturnType<typeof signedInClient>>;
  let scale: PageScale;
  /** The newest of the lists of plugins that the page has read. */
  let readByPage = -1;
  let wake = () => {};

  beforeAll(async () => {
    dataDir = await shipToNewFolder([]);
    await installExamples(dataDir);
    server = startBuiltServer(dataDir, weighable);
    const url = await server.listening();
    // Compiled code is the engine's: it grows by kilobytes a switch for hundreds of switches, with nothing kept by the page.
    browser = await launchBrowser({ isInterpreting: true });
    ada = await newPerson(browser, url);
    const { page } = ada;
    scale = await PageScale.of(page);
    await signUp(ada, url, 'ada@example.com');
    page.on('response', async (answer) => {
      if (new URL(answer.url()).pathname !== '/api/v1/plugins/web' || !answer.ok()) return;
      ({ generation: readByPage } = (await answer.json()) as { readonly generation: number });
      wake();
    });
    await page.reload();
    await createProject(ada, 'Office');
    await createTable(ada, 'People');
    boss = await signedInClient(url, 'ada@example.com');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  const path = '/api/v1/app-store/plugins';
  const cards = async () => (await boss<{ list: readonly PluginEntity[] }>('GET', path)).list;

  /** Switches a plugin; again where the server says that its database was busy. */
  async function decide(call: string, body: object): Promise<void> {
    for (let tries = 1; ; tries += 1)
      try {
        await boss('POST', `${path}/${call}`, body);
        return;
      } catch (error) {
        const isBusy = /: 503 .*"(?:DATABASE_BUSY|PLUGIN_HELD_UP)"/.test(String(error));
        if (!isBusy || tries === mostTries) throw error;
        await setTimeout(1000);
      }
  }

  /** Resolves when the page knows which plugins run by now, as those who have a web half and those who have none. */
  async function pageHasRead(): Promise<void> {
    const { generation } = await boss<{ generation: number }>('GET', '/api/v1/plugins/web');
    while (readByPage < generation) await new Promise<void>((resolve) => (wake = resolve));
  }

  /** @param dependents of each plugin, those that run with it and go off before it */
  async function switchOffAndOn(
    ids: readonly string[],
    dependents: ReadonlyMap<string, readonly string[]>,
  ): Promise<void> {
    const off: string[] = [];
    for (const id of ids) {
      if (off.includes(id)) continue;
      const cascade = (dependents.get(id) ?? []).filter((one) => !off.includes(one));
      await decide(`${id}/disable`, { cascade });
      off.push(...cascade, id);
    }
    await pageHasRead();
    for (const id of off.toReversed()) await decide(`${id}/enable`, {});
    await pageHasRead();
  }

  async function weigh(): Promise<Figures> {
    const page = await scale.settled();
    return { page, server: await weighServer(server, dataDir), rows: countRows(dataDir) };
  }

  /** Weighs until nothing is left, since what waits for something goes again. */
  async function weighAfter(before: Figures, pairs: number): Promise<Figures> {
    let after = await weigh();
    for (let looks = 1; looks < mostLooks && changedBetween(before, after, pairs).length > 0; looks += 1) {
      await setTimeout(1000);
      after = await weigh();
    }
    return after;
  }

  /** Lets plugins run that nobody has switched on, as somebody who agrees to all that they ask for. @returns those */
  async function switchOn(ids: readonly string[]): Promise<readonly string[]> {
    const idle = (await cards()).filter(({ id, state }) => ids.includes(id) && state !== 'enabled');
    for (const { id, unagreed } of idle)
      await decide(`${id}/enable`, { consent: unagreed satisfies PluginAsks });
    return idle.map(({ id }) => id);
  }

  test.each(together.map((ids) => [ids.join(', '), ids] as const))(
    `has nothing left of ${switches} switches of %s`,
    async (names, ids) => {
      const begun = performance.now();
      const switchedOn = await switchOn(ids);
      const list = await cards();
      const isOn = (of: string) => list.some((plugin) => plugin.id === of && plugin.state === 'enabled');
      expect(ids.filter((id) => !isOn(id))).toEqual([]);
      const dependents = new Map(list.map((plugin) => [plugin.id, plugin.dependents.filter(isOn)]));
      for (let at = 0; at < warming; at += 1) await switchOffAndOn(ids, dependents);
      const rowsAtFirst = countRows(dataDir);
      await switchOffAndOn(ids, dependents);
      const before = await weigh();
      for (let at = 0; at < switches; at += 1) await switchOffAndOn(ids, dependents);
      const pairs = switches * ids.length;
      const after = await weighAfter(before, pairs);
      const changed = changedBetween(before, after, pairs);
      if (isCampaign)
        console.log(
          `${names}: ${switches} switches in ${Math.round((performance.now() - begun) / 1000)} s\n` +
            `${describeFigures(before, after, pairs)}\n` +
            `  ${changed.length === 0 ? 'Nothing is left and nothing is gone.' : `CHANGED: ${changed.join('; ')}`}`,
        );
      expect(changed).toEqual([]);
      expect(loggedBetween(before.rows, after.rows)).toBe(loggedBetween(rowsAtFirst, before.rows) * switches);
      expect(ada.complaints).toEqual([]);
      for (const id of switchedOn) await decide(`${id}/disable`, { cascade: [] });
    },
    120_000 + switches * 10_000,
  );
});
