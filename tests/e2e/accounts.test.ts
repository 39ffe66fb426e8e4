import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import {
  createProject,
  createTable,
  newPerson,
  signedInClient,
  signIn,
  signUp,
  type Person,
} from './person.ts';

describeInBrowser('the accounts of a browser', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let first: Person;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    first = await newPerson(browser, product.url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  test('begin with signing up, where nobody has an account yet', async () => {
    await first.page.getByRole('heading', { name: 'Create your account' }).waitFor();
    await first.page.getByText(/this account becomes the super admin/).waitFor();
    expect(await first.page.getByLabel('Password', { exact: true }).getAttribute('autocomplete')).toBe(
      'new-password',
    );
  });

  test('are one for all tabs: signing out, and in as somebody else, is followed by the others', async () => {
    await signUp(first, product.url, 'ada@example.com');
    await createProject(first, 'Salaries');
    const second = { ...first, page: await first.context.newPage() };
    await second.page.goto(`${product.url}/#/projects`);
    await second.page.getByText('Salaries').first().waitFor();

    await first.page.getByRole('button', { name: /^Account of/ }).click();
    // The notice goes by itself after a while.
    const told = second.page.getByText(/in another tab/).waitFor();
    await first.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await told;
    await first.page.getByRole('heading', { name: 'Sign in to Trellis' }).waitFor();
    await second.page.getByRole('heading', { name: 'Sign in to Trellis' }).waitFor();

    await signUp(first, product.url, 'ben@example.com');
    await second.page.getByRole('button', { name: 'Account of ben@example.com' }).waitFor();
    expect(await second.page.getByText('Salaries').count()).toBe(0);
    await signOutAndIn(first);
    await second.page.getByText('Salaries').first().waitFor();
    expect(first.complaints).toEqual([]);
  });

  test('show an administrator all of their tabs in a window of usual width', async () => {
    await first.page.goto(`${product.url}/#/user/settings`);
    const tabs = first.page.getByRole('tablist', { name: 'Account' });
    await tabs.getByRole('tab', { name: 'Audit' }).waitFor();
    expect(await tabs.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await first.page.goto(`${product.url}/#/projects`);
  });

  test('whose session ends while something is typed goes on with it after signing in again, and shows nothing of it to another', async () => {
    await first.page.getByText('Salaries').first().click();
    await createTable(first, 'Pay');
    const { page } = first;
    await page
      .getByRole('button', { name: /add a row/i })
      .first()
      .click();
    const cell = page.getByRole('gridcell').first();
    await cell.waitFor();
    const endAll = async () => {
      const ada = await signedInClient(product.url, 'ada@example.com');
      await ada('DELETE', '/api/v1/auth/sessions');
    };
    // What is typed goes into the cell that is chosen; a new row is chosen only once the server has it.
    await cell.click();
    await page.keyboard.type('typed before');
    await endAll();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.waitFor();
    await again.getByLabel('E-mail').fill('ada@example.com');
    await again.getByLabel('Password', { exact: true }).fill('Passw0rd!');
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    // The cell has the keyboard again.
    await page.keyboard.press('Enter');
    await page.getByText('typed before').first().waitFor();
    await page.reload();
    await page.getByText('typed before').first().waitFor();

    await endAll();
    await again.waitFor();
    await again.getByLabel('E-mail').fill('ben@example.com');
    await again.getByLabel('Password', { exact: true }).fill('Passw0rd!');
    await again.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Account of ben@example.com' }).waitFor();
    expect(await page.getByText('typed before').count()).toBe(0);
    expect(await page.getByText('Salaries').count()).toBe(0);
    expect(first.complaints).toEqual([]);
  });

  async function signOutAndIn(person: Person): Promise<void> {
    await person.page.getByRole('button', { name: /^Account of/ }).click();
    await person.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await person.page.getByRole('heading', { name: 'Sign in to Trellis' }).waitFor();
    await signIn(person, product.url, 'ada@example.com');
  }
});
