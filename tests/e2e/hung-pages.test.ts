import { afterEach, expect, test } from '@jest/globals';
import type { PluginEntity } from '@trellis/sdk/shared';
import { askUntil } from '@trellis/sdk/testing/server';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { newPerson, signedInClient, signUp } from './person.ts';

const item = "{ id: 'acme.fine', slot: 'top-bar-end', Component: () => 'All is fine' }";
const fine = {
  id: 'acme-fine',
  name: 'Fine',
  manifest: { contributes: { shellItems: [{ id: 'acme.fine' }] } },
  web: `export default { setup(ctx) { ctx.register('shellItems', ${item}); } };`,
};
/** Hangs where the person says so: somebody signs up first. */
const hanging = (how: string) => ({
  id: 'acme-hangs',
  name: 'Hangs',
  web: `export default { setup() { if (localStorage.getItem('hang') === 'yes') { ${how} } } };`,
});

describeInBrowser('a page that stands still because of a page half', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let context: BrowserContext;

  async function start(how: string): Promise<void> {
    product = await startBuiltProduct([hanging(how), fine]);
    browser = await launchBrowser();
    const ada = await newPerson(browser, product.url);
    ({ context } = ada);
    await signUp(ada, product.url, 'ada@example.com');
    await ada.page.evaluate(() => localStorage.setItem('hang', 'yes'));
  }
  afterEach(async () => {
    await browser?.close();
    await product?.dispose();
  });

  async function open(path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${product.url}${path}`, { waitUntil: 'commit' });
    return page;
  }

  /** Opens a page and closes it again if it stands still, as people do. */
  async function comesToLife(): Promise<boolean> {
    const page = await open('/');
    const isAlive = await page
      .getByText('All is fine')
      .waitFor({ timeout: 6000 })
      .then(
        () => true,
        () => false,
      );
    if (!isAlive) await page.close();
    return isAlive;
  }

  async function card(): Promise<PluginEntity | undefined> {
    const boss = await signedInClient(product.url, 'ada@example.com');
    const { list } = await boss<{ list: readonly PluginEntity[] }>('GET', '/api/v1/app-store/plugins');
    return list.find(({ id }) => id === 'acme-hangs');
  }

  test.each([
    ['a loop', 'for (;;) {}'],
    ['promises without end', 'const next = () => Promise.resolve().then(next); void next();'],
  ])('comes to life again without it, with the others, and its card says so: %s', async (_what, how) => {
    await start(how);
    expect(await askUntil(comesToLife, Boolean)).toBe(true);
    const said = await askUntil(
      async () => JSON.stringify(await card()),
      (text) => /stood still/.test(text),
    );
    expect(said).toMatch(/stood still/);
  });

  test('can be opened without plugins from elsewhere, and the one that hangs is switched off there', async () => {
    await start('for (;;) {}');
    const page = await open('/?without-plugins#/app-store');
    await page.getByText('Plugins from elsewhere are left out of this page').waitFor();
    expect(await page.getByText('All is fine').count()).toBe(0);
    const boss = await signedInClient(product.url, 'ada@example.com');
    await boss('POST', '/api/v1/app-store/plugins/acme-hangs/disable', {});
    await page.getByRole('button', { name: 'Load them' }).click();
    await page.getByText('All is fine').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });
});
