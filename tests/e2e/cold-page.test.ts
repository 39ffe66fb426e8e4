import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, createTable, newPerson, signedInClient, signUp, type Person } from './person.ts';
import { watchRequests } from './requests.ts';

/** What a page asked its server for before the sign-in form was there, and what it showed by then. */
interface Beginning {
  readonly asked: readonly string[];
  readonly sawSkeleton: boolean;
}

/** Runs in the page before anything else: notes the moment at which the form is there. */
const watch = `
  const beginning = { sawSkeleton: false };
  new MutationObserver((_changes, observer) => {
    if (document.querySelector('.p-skeleton') !== null) beginning.sawSkeleton = true;
    if (document.querySelector('input[type=password]') === null) return;
    observer.disconnect();
    const now = performance.now();
    const early = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < now);
    beginning.asked = early.map(({ name }) => new URL(name).pathname);
    globalThis.beginning = beginning;
  }).observe(document, { childList: true, subtree: true });
`;

describeInBrowser('a browser that was never here', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, 'ada@example.com');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  test('has the sign-in form after a few files, none of which is for what comes later', async () => {
    const page = await (await browser.newContext()).newPage();
    const requests = watchRequests(page);
    await page.addInitScript(watch);
    // What no page waits for comes after the form, in one file.
    const later = page.waitForRequest(/\/plugins-access-rules-and-\d+-/, { timeout: 60_000 });
    await page.goto(product.url);
    await page.getByRole('heading', { name: 'Sign in to Trellis' }).waitFor();
    const { asked, sawSkeleton } = await page.evaluate<Beginning>('beginning');

    const halves = asked.filter((path) => /\/plugins?-.*\.js$/.test(path));
    expect(halves).toEqual([expect.stringMatching(/plugin-sys-users-/)]);
    expect(asked.filter((path) => /primereact|kit-dialogs/.test(path))).toEqual([]);
    expect(asked.filter((path) => path === '/api/v1/plugins/web')).toHaveLength(1);
    // The page, its React and SDK, the list of plugins, the session, the plugin of the form: what a new part adds here,
    // everybody waits for.
    expect(asked.length).toBeLessThanOrEqual(18);
    expect(sawSkeleton).toBe(false);
    await later;
    // All plugins begin with one style sheet; the page has its own.
    await requests.settled();
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    const sheets = loaded.filter((name) => /\/assets\/(main|plugin).*\.css$/.test(name));
    expect(new Set(sheets).size).toBe(2);
  });

  test('has the sign-in form in German after one file of texts', async () => {
    const page = await (await browser.newContext({ locale: 'de-DE' })).newPage();
    await page.addInitScript(watch);
    await page.goto(product.url);
    await page.getByRole('heading', { name: 'Bei Trellis anmelden' }).waitFor();
    const { asked } = await page.evaluate<Beginning>('beginning');
    expect(asked.filter((path) => /\/(messages-)?de-/.test(path))).toHaveLength(1);
  });

  test('opens a table with a few dozen requests, plugins that the same pages wait for in one file', async () => {
    await createProject(ada, 'Work');
    await createTable(ada, 'Tasks');
    const asked = await askedFor('en-GB');
    const files = asked.filter((path) => path.startsWith('/assets/'));
    expect(files.filter((path) => /\/plugins?-.*\.js$/.test(path)).length).toBeLessThanOrEqual(10);
    expect(files.length).toBeLessThanOrEqual(40);
    expect(asked.length).toBeLessThanOrEqual(60);
  });

  test('asks for the texts of a language in a few files, as plugins come in a few', async () => {
    const asked = await askedFor('de-DE');
    // The page's own with those of the plugins that all pages wait for, those that some wait for, and the rest.
    const texts = asked.filter((path) => /^\/assets\/(messages-)?de-/.test(path));
    expect(texts).toHaveLength(3);
    expect(asked.length).toBeLessThanOrEqual(62);
  });

  test('shows a stranger each kind of shared view after a few dozen small files', async () => {
    const call = await signedInClient(product.url, 'ada@example.com');
    const meta = '/api/v1/db/meta';
    const { id } = await call<{ id: string }>('POST', `${meta}/projects`, { title: 'Open' });
    const table = await call<{ id: string }>('POST', `${meta}/projects/${id}/tables`, {
      title: 'Events',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'Kind', uidt: 'SingleSelect', colOptions: { options: [{ title: 'Talk' }] } },
        { title: 'Day', uidt: 'Date' },
      ],
    });
    const Day = new Date().toISOString().slice(0, 10);
    await call('POST', `/api/v1/db/data/noco/${id}/${table.id}`, { Name: 'Opening', Kind: 'Talk', Day });
    const painted: string[] = [];
    for (const [plural, word] of [
      ['grids', 'view'],
      ['galleries', 'gallery'],
      ['kanbans', 'kanban'],
      ['calendars', 'calendar'],
      ['timelines', 'view'],
      ['forms', 'form'],
    ] as const) {
      const view = await call<{ id: string }>('POST', `${meta}/tables/${table.id}/${plural}`, {
        title: plural,
      });
      const { uuid } = await call<{ uuid: string }>('POST', `${meta}/views/${view.id}/share`, {});
      const context = await browser.newContext();
      const page = await context.newPage();
      const requests = watchRequests(page);
      const sizes: Promise<number>[] = [];
      page.on('requestfinished', (request) =>
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize)),
      );
      await page.goto(`${product.url}/#/nc/${word}/${uuid}`);
      await (plural === 'forms' ? page.locator('form') : page.getByText('Opening')).first().waitFor();
      await requests.settled();
      // For whoever reads the run: how soon it is depends on the machine.
      const paint = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      );
      expect(paint).toBeGreaterThan(0);
      const kilobytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1024;
      painted.push(`${plural} ${Math.round(paint ?? 0)} ms, ${Math.round(kilobytes)} kB`);
      expect([plural, sizes.length <= 45, kilobytes <= 600]).toEqual([plural, true, true]);
      await context.close();
    }
    process.stdout.write(`First paint for strangers: ${painted.join('; ')}\n`);
  });

  /**
   * What a browser that was never here asks for until the table that Ada has open is there. Each path once: what a slow machine read before
   * its socket was open, the page reads again.
   */
  async function askedFor(locale: string): Promise<readonly string[]> {
    const storageState = await ada.context.storageState();
    const context = await browser.newContext({ storageState, locale });
    const page = await context.newPage();
    const requests = watchRequests(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(ada.page.url());
    await page.getByRole('grid').waitFor();
    await requests.settled();
    await context.close();
    return [...new Set(asked)];
  }
});
