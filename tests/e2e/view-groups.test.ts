import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { findingsInBothThemes } from './axe.ts';
import { describeInBrowser, launchBrowser, patience } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import {
  createProject,
  newPerson,
  newPersonWithPhone,
  signedInClient,
  signIn,
  signUp,
  type Person,
} from './person.ts';

const email = 'ada@example.com';
const meta = '/api/v1/db/meta';

/** Waits until what is read is as wanted, and says what it was at last. */
async function expectSoon<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const until = Date.now() + patience;
  let last = await read();
  while (JSON.stringify(last) !== JSON.stringify(wanted) && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    last = await read();
  }
  expect(last).toEqual(wanted);
}

describeInBrowser('groups of views and icons of their own', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let other: Person;
  let phone: Person;
  let address = '';

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, email);
    await createProject(ada, 'Shop');
    const call = await signedInClient(product.url, email);
    const projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    const table = await call<{ id: string }>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Orders',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
      ],
    });
    for (const title of ['Open', 'Paid', 'Left', 'Late'])
      await call('POST', `${meta}/tables/${table.id}/grids`, { title });
    address = `${product.url}/#/nc/${projectId}?name=Orders&dbalias=${table.id}&type=table`;
    other = await newPerson(browser, product.url);
    await signIn(other, product.url, email);
    phone = await newPersonWithPhone(browser, product.url);
    await signIn(phone, product.url, email);
    for (const { page } of [ada, other]) await openViews(page);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  async function openViews(page: Page) {
    await page.goto(address);
    await page.getByRole('button', { name: 'Contents of Orders' }).click();
    await viewButton(page, 'Late').waitFor();
  }

  const tree = (page: Page) => page.getByRole('list', { name: 'Views of Orders' });
  const viewButton = (page: Page, title: string) =>
    tree(page).getByRole('button', { name: title, exact: true });
  const group = (page: Page, name: string) => page.getByRole('list', { name, exact: true });
  const titlesIn = (page: Page, name: string) =>
    group(page, name)
      .locator('.tr-item')
      .evaluateAll((items) => items.map((item) => item.getAttribute('title')));

  async function choose(page: Page, title: string, entry: string) {
    await viewButton(page, title).hover();
    await tree(page)
      .getByRole('button', { name: `Actions for ${title}`, exact: true })
      .click();
    await page.getByRole('menuitem', { name: entry }).click();
  }

  /** Drags by mouse from the middle of one thing to that of another. */
  async function drag(page: Page, from: Locator, to: Locator) {
    const [start, end] = [await from.boundingBox(), await to.boundingBox()];
    if (start === null || end === null) throw new Error('There is nothing to drag.');
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await page.mouse.down();
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 });
    await page.mouse.up();
  }

  test('a group is made, named in place, and filled by mouse, and another browser sees it', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Add a view to Orders' }).click();
    await page.getByRole('menuitem', { name: 'New group of views' }).click();
    await page.getByRole('textbox', { name: 'Group name' }).fill('Money');
    await page.keyboard.press('Enter');
    await drag(page, viewButton(page, 'Paid'), viewButton(page, 'Money'));
    await expectSoon(() => titlesIn(page, 'Group Money'), ['Paid']);
    await drag(page, viewButton(page, 'Open'), viewButton(page, 'Paid'));
    await expectSoon(() => titlesIn(page, 'Group Money'), ['Open', 'Paid']);
    await expectSoon(() => titlesIn(other.page, 'Group Money'), ['Open', 'Paid']);
  });

  test('keys take a view on into the next group, and stay with it', async () => {
    const { page } = ada;
    await viewButton(page, 'Paid').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expectSoon(() => titlesIn(page, 'Without a group'), ['Paid', 'Orders', 'Left', 'Late']);
    await expectSoon(() => page.evaluate(() => document.activeElement?.getAttribute('title')), 'Paid');
    await page.keyboard.press('Alt+ArrowUp');
    await expectSoon(() => titlesIn(page, 'Group Money'), ['Open', 'Paid']);
  });

  test('fingers drag a view into a group by its grip', async () => {
    const { page, context } = phone;
    await page.goto(address);
    await page.getByRole('button', { name: 'Side bar' }).click();
    await page.getByRole('button', { name: 'Contents of Orders' }).click();
    await viewButton(page, 'Late').waitFor();
    const late = page.getByRole('button', { name: 'Late', exact: true });
    const grip = tree(page).locator('li[data-view]', { has: late }).locator('.tr-tree-grip');
    const [start, end] = [await grip.boundingBox(), await viewButton(page, 'Money').boundingBox()];
    if (start === null || end === null) throw new Error('There is no grip.');
    const touch = await context.newCDPSession(page);
    const x = start.x + start.width / 2;
    const [from, to] = [start.y + start.height / 2, end.y + end.height / 2];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y: from }] });
    for (let step = 1; step <= 6; step += 1)
      await touch.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: [{ x, y: from + ((to - from) * step) / 6 }],
      });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expectSoon(() => titlesIn(page, 'Group Money'), ['Open', 'Paid', 'Late']);
    await expectSoon(() => titlesIn(ada.page, 'Group Money'), ['Open', 'Paid', 'Late']);
  });

  test('an icon of its own is shown in the side bar, the switcher and the search of all browsers', async () => {
    const { page } = ada;
    await choose(page, 'Paid', 'Change the icon');
    await page.getByRole('button', { name: '💰' }).click();
    const iconOf = (of: Page) => viewButton(of, 'Paid').locator('.tr-emoji').textContent();
    await expectSoon(() => iconOf(other.page), '💰');
    await viewButton(page, 'Paid').click();
    const switcher = page.getByRole('button', { name: 'Paid' }).and(page.locator('.tr-tool'));
    await expectSoon(async () => (await switcher.textContent())?.includes('💰'), true);
    await switcher.click();
    await page.getByRole('dialog', { name: 'Views' }).getByRole('list', { name: 'Money' }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] });
    await page.keyboard.press('Escape');
  });

  test('a folded group stays folded for its person alone, and removing it keeps its views', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Group Money' }).click();
    await viewButton(page, 'Late').waitFor({ state: 'detached' });
    await page.reload();
    await viewButton(page, 'Money').waitFor();
    expect(await viewButton(page, 'Late').count()).toBe(0);
    expect(await viewButton(other.page, 'Late').count()).toBe(1);
    await choose(page, 'Money', 'Remove the group');
    await viewButton(page, 'Late').waitFor();
    expect(await viewButton(page, 'Money').count()).toBe(0);
    expect([...ada.complaints, ...other.complaints, ...phone.complaints]).toEqual([]);
  });
});
