import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signedInClient, signUp, type Person } from './person.ts';

const meta = '/api/v1/db/meta';

describeInBrowser('two people at one table', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let bob: Person;
  /** The address of the table for whoever has the link of its project. */
  let visit = '';

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, 'ada@example.com');
    bob = await newPerson(browser, product.url);
    await signUp(bob, product.url, 'bob@example.com');
    const call = await signedInClient(product.url, 'ada@example.com');
    await createProject(ada, 'Shop');
    const projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    await call('POST', `${meta}/projects/${projectId}/users`, { email: 'bob@example.com', roles: 'editor' });
    const table = await call<{ readonly id: string }>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Orders',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    for (const Name of ['Lamp', 'Chair'])
      await call('POST', `/api/v1/db/data/noco/${projectId}/${table.id}`, { Name });
    const path = `${meta}/projects/${projectId}/shared`;
    const { uuid } = await call<{ readonly uuid: string }>('POST', path, { roles: 'editor' });
    visit = `${product.url}/#/nc/base/${uuid}?name=Orders&dbalias=${table.id}&type=table`;
    for (const { page } of [ada, bob]) {
      await page.goto(`${product.url}/#/nc/${projectId}?name=Orders&dbalias=${table.id}&type=table`);
      await cell(page, 'Chair').waitFor();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const cell = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true });
  const others = (page: Page) =>
    page.getByRole('list', { name: /other people? looks? at this table|other person/ });
  const frame = (page: Page, email: string) => page.locator('.tgrid-mark', { hasText: email });

  /** Whether the frame of somebody lies on a cell. */
  async function isOn(page: Page, email: string, text: string): Promise<boolean> {
    const [around, within] = [await frame(page, email).boundingBox(), await cell(page, text).boundingBox()];
    return (
      around !== null &&
      within !== null &&
      Math.abs(around.y - within.y) < 5 &&
      Math.abs(around.x - within.x) < 5
    );
  }

  test('see each other over the view, and each the cell of the other', async () => {
    await others(ada.page).getByRole('img', { name: 'bob@example.com' }).waitFor();
    await others(bob.page).getByRole('img', { name: 'ada@example.com' }).waitFor();
    await cell(bob.page, 'Chair').click();
    await frame(ada.page, 'bob@example.com').waitFor();
    expect(await isOn(ada.page, 'bob@example.com', 'Chair')).toBe(true);
    await bob.page.keyboard.press('ArrowUp');
    while (!(await isOn(ada.page, 'bob@example.com', 'Lamp'))) await ada.page.waitForTimeout(100);
    expect(await frame(bob.page, 'bob@example.com').count()).toBe(0);
  });

  test('see a visitor come by a link, who is told that they are there and not who they are', async () => {
    const visitor = await newPerson(browser, product.url);
    await visitor.page.goto(visit);
    await cell(visitor.page, 'Chair').click();
    await frame(ada.page, 'Visitor').waitFor();
    expect(await isOn(ada.page, 'Visitor', 'Chair')).toBe(true);
    await frame(visitor.page, 'Member').first().waitFor();
    await others(visitor.page).getByRole('img', { name: 'Member' }).first().waitFor();
    expect(await visitor.page.content()).not.toMatch(/(?:ada|bob)@example/);
    await cell(visitor.page, 'Chair').dblclick();
    await visitor.page.keyboard.press('Control+A');
    await visitor.page.keyboard.type('Sofa');
    await visitor.page.keyboard.press('Enter');
    await cell(bob.page, 'Sofa').waitFor();
    // What members change arrives as well, without a reload.
    await cell(bob.page, 'Sofa').dblclick();
    await bob.page.keyboard.press('Control+A');
    await bob.page.keyboard.type('Desk');
    await bob.page.keyboard.press('Enter');
    await cell(visitor.page, 'Desk').waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.context.close();
    await others(ada.page).getByRole('img', { name: 'Visitor' }).waitFor({ state: 'detached' });
  });

  test('are told while they edit the same cell, and what was written over can be put back', async () => {
    await cell(ada.page, 'Lamp').dblclick();
    await ada.page.keyboard.press('Control+A');
    await ada.page.keyboard.type('Torch');
    await cell(bob.page, 'Lamp').click();
    await ada.page.getByText('Also in this cell: bob@example.com').waitFor();
    await bob.page.keyboard.type('Candle');
    await bob.page.keyboard.press('Enter');
    await ada.page.getByText('Somebody else changed this to “Candle” meanwhile.').waitFor();
    await ada.page.keyboard.press('Enter');
    await cell(bob.page, 'Torch').waitFor();
    await ada.page.getByRole('button', { name: 'Put “Candle” back' }).click();
    await cell(bob.page, 'Candle').waitFor();
    await cell(ada.page, 'Candle').waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('are alone again when the other one goes', async () => {
    await bob.context.close();
    await frame(ada.page, 'bob@example.com').waitFor({ state: 'detached' });
    await others(ada.page).waitFor({ state: 'detached' });
    expect(ada.complaints).toEqual([]);
  });
});
