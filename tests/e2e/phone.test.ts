import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { newPersonWithPhone, signedInClient, signUp, type Person } from './person.ts';

const email = 'ada@example.com';
const meta = '/api/v1/db/meta';

describeInBrowser('on a phone', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPersonWithPhone(browser, product.url);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  /** Fields whose letters make the browser zoom, and buttons that send a form and are too low for a finger. */
  const tooSmall = (page: Page) =>
    page.evaluate(() => {
      const isInSight = (element: Element) => element.getBoundingClientRect().width > 1;
      const fields = [
        ...document.querySelectorAll('input:not([type=checkbox], [type=radio]), select, textarea'),
      ];
      const buttons = [...document.querySelectorAll('[type=submit]')];
      return [
        ...fields.filter((field) => isInSight(field) && parseFloat(getComputedStyle(field).fontSize) < 16),
        ...[...buttons, ...document.querySelectorAll('.form-sheet .tr-picker')].filter(
          (button) => isInSight(button) && button.getBoundingClientRect().height < 42,
        ),
      ].map((element) => element.outerHTML.slice(0, 120));
    });

  test('the first visitor of an empty server reads nothing of signing in, and fields and buttons fit a finger', async () => {
    const { page } = ada;
    const headings = page.evaluate(
      () =>
        new Promise<readonly string[]>((resolve) => {
          const seen = new Set<string>();
          const look = () => {
            const heading = document.querySelector('h1')?.textContent;
            if (heading !== undefined && heading !== null) seen.add(heading);
            if (seen.has('Create your account')) resolve([...seen]);
          };
          new MutationObserver(look).observe(document, { subtree: true, childList: true });
          look();
        }),
    );
    expect(await headings).toEqual(['Create your account']);
    expect(await tooSmall(page)).toEqual([]);
  });

  test('forms of dialogs and of views fit a finger', async () => {
    const { page } = ada;
    await signUp(ada, product.url, email);
    await page.getByRole('button', { name: /Blank project/ }).click();
    await page.getByLabel('Project name').waitFor();
    expect(await tooSmall(page)).toEqual([]);
    const call = await signedInClient(product.url, email);
    const { id } = await call<{ id: string }>('POST', `${meta}/projects`, { title: 'Shop' });
    const table = await call<{ id: string }>('POST', `${meta}/projects/${id}/tables`, {
      title: 'Orders',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'Notes', uidt: 'LongText' },
        { title: 'Due', uidt: 'Date' },
      ],
    });
    const view = await call<{ id: string }>('POST', `${meta}/tables/${table.id}/forms`, { title: 'Ask' });
    const { uuid } = await call<{ uuid: string }>('POST', `${meta}/views/${view.id}/share`, {});
    await page.goto(`${product.url}/#/nc/form/${uuid}`);
    await page.getByRole('button', { name: 'Submit' }).waitFor();
    expect(await tooSmall(page)).toEqual([]);
  });

  test('the grip of a row stands apart from the box that selects the row', async () => {
    const { page } = ada;
    const call = await signedInClient(product.url, email);
    const [project] = (await call<{ list: readonly { id: string }[] }>('GET', `${meta}/projects`)).list;
    await call('POST', `/api/v1/db/data/noco/${project?.id}/Orders`, { Name: 'Shoes' });
    await page.goto(product.url);
    await page.getByRole('button', { name: /^Shop/ }).click();
    await page.getByRole('gridcell', { name: 'Shoes' }).waitFor();
    const grip = await page.locator('.tgrid-grip').first().boundingBox();
    const box = await page.locator('[role=rowheader] .tgrid-tick').first().boundingBox();
    if (grip === null || box === null) throw new Error('The row has no grip or no box.');
    expect(grip.width).toBeGreaterThanOrEqual(20);
    expect(box.x - grip.x - grip.width).toBeGreaterThanOrEqual(4);
  });

  test('the toolbar of a view shows at which edge it goes on', async () => {
    const { page } = ada;
    await page.goto(product.url);
    await page.getByRole('button', { name: /^Shop/ }).click();
    const toolbar = page.getByRole('toolbar', { name: 'View' });
    await toolbar.and(page.locator('[data-more=end]')).waitFor();
    await toolbar.evaluate((strip) => strip.scrollTo({ left: strip.scrollWidth }));
    await toolbar.and(page.locator('[data-more=start]')).waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('the menu of an automation stands beside its name, whatever else is told of it', async () => {
    const { page } = ada;
    const call = await signedInClient(product.url, email);
    const [project] = (await call<{ list: readonly { id: string }[] }>('GET', `${meta}/projects`)).list;
    const id = project?.id ?? '';
    const [table] = (await call<{ list: readonly { id: string }[] }>('GET', `${meta}/projects/${id}/tables`))
      .list;
    await call('POST', `/api/v1/plugins/automations/projects/${id}/automations`, {
      title: 'Tell the workshop of each order that comes in',
      trigger: { type: 'row.added', settings: { table: table?.id } },
      steps: [{ id: 's', name: 's', type: 'wait', settings: { amount: '1', unit: 'minutes' } }],
    });
    await call('POST', `/api/v1/db/data/noco/${id}/Orders`, { Name: 'Boots' });
    await page.goto(`${product.url}/#/nc/${id}?name=Automations&dbalias=automations&type=automations`);
    const list = page.getByRole('list', { name: 'Automations' });
    await list.getByText(/^Last run/).waitFor();
    const boxOf = async (of: Locator) => {
      const box = await of.boundingBox();
      if (box === null) throw new Error('It is not there.');
      return box;
    };
    const [whole, button, name, menu] = [
      await boxOf(list),
      await boxOf(list.getByRole('switch')),
      await boxOf(list.getByRole('button', { name: /^Tell the workshop/ })),
      await boxOf(list.getByRole('button', { name: /^What to do with/ })),
    ];
    expect(menu.x + menu.width).toBeGreaterThan(whole.x + whole.width - 4);
    expect(menu.y).toBeLessThan(name.y + name.height);
    expect(Math.abs(menu.y + menu.height / 2 - button.y - button.height / 2)).toBeLessThan(8);
    expect(name.width).toBeGreaterThan(whole.width / 2);
  });
});
