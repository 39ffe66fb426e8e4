import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { objectChanges, type ObjectChange } from './object-changes.ts';
import { newPerson, signedInClient, signUp, type Person } from './person.ts';
import { watchRequests } from './requests.ts';

describeInBrowser('what plugins keep beside rows and views', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let changes: readonly ObjectChange[];

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, 'ada@example.com');
    changes = await objectChanges(product.url, await signedInClient(product.url, 'ada@example.com'));
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  test('is on the screen of a browser that looks at it when another one changes it, at once or when the network is back', async () => {
    const { page, context } = ada;
    const requests = watchRequests(page);
    const wrong: string[] = [];
    /** Notes what never appears, and looks on: each kind tells of itself. */
    const see = async ({ name, shown }: ObjectChange, turn: number, how: string) => {
      const seeing = shown(page, turn).waitFor({ timeout: 20_000 });
      await seeing.catch(() => wrong.push(`${name}: not there ${how}`));
    };
    for (const change of changes) {
      await change.open(page);
      await requests.settled();
      await change.change(0);
      await see(change, 0, 'at once');

      await context.setOffline(true);
      await page.waitForFunction(() => !navigator.onLine);
      await change.change(1);
      if (await change.shown(page, 1).isVisible()) wrong.push(`${change.name}: there without a network`);
      await context.setOffline(false);
      await see(change, 1, 'when the network is back');
    }
    expect(wrong).toEqual([]);
    expect(ada.complaints).toEqual([]);
  });
});
