import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PluginEntity } from '@trellis/sdk/shared';
import { askUntil } from '@trellis/sdk/testing/server';
import type { Browser } from 'playwright-core';
import { badPages } from './broken/bad-pages.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, createTable, newPerson, signedInClient, signUp, type Person } from './person.ts';

describeInBrowser('page halves that go wrong, all in one page:', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let boss: Awaited<ReturnType<typeof signedInClient>>;

  beforeAll(async () => {
    product = await startBuiltProduct(badPages);
    browser = await launchBrowser();
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, 'ada@example.com');
    boss = await signedInClient(product.url, 'ada@example.com');
    // Whoever has an account is heard when the page tells what went wrong.
    await ada.page.reload();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  /** All that the card of a plugin says of what is wrong. */
  async function saidOf(id: string): Promise<string> {
    const { list } = await boss<{ list: readonly PluginEntity[] }>('GET', '/api/v1/app-store/plugins');
    const card = list.find((plugin) => plugin.id === id);
    const errors = card?.errors.map(({ where, message }) => `${where}: ${message}`) ?? [];
    return [card?.reason, ...(card?.notices ?? []), ...errors].filter(Boolean).join('\n');
  }

  test('somebody makes a project and a table beside them', async () => {
    await createProject(ada, 'Calm');
    await createTable(ada, 'Rows');
    await ada.page.getByRole('button', { name: 'Add a row' }).first().click();
    await ada.page.locator('[role=row][aria-rowindex="2"]:not([aria-busy])').waitFor();
    expect(await ada.page.getByRole('navigation', { name: 'Tables' }).isVisible()).toBe(true);
  });

  test.each(badPages)('one that $does is named with the reason', async ({ id, says }) => {
    expect(
      await askUntil(
        () => saidOf(id),
        (said) => says.test(said),
      ),
    ).toMatch(says);
  });

  test('none of it is laid at the door of the product', async () => {
    const { list } = await boss<{ list: readonly PluginEntity[] }>('GET', '/api/v1/app-store/plugins');
    const ours = list.filter(({ builtIn }) => builtIn);
    expect(ours.flatMap(({ id, errors }) => errors.map(({ message }) => `${id}: ${message}`))).toEqual([]);
    expect(product.isRunning()).toBe(true);
  });
});
