import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { newPerson, signedInClient, signUp, type Person } from './person.ts';
import { keepPicture } from './pictures.ts';

interface Entity {
  readonly id: string;
}

/** A language that is read from right to left, in which this browser's person reads, with a few words of its own. */
const hebrew = {
  id: 'locale-he',
  name: 'Hebrew',
  manifest: { contributes: { locales: [{ id: 'he', label: 'עברית' }] } },
  web: `export default { setup(ctx) { ctx.register('locales', { id: 'he', label: 'עברית', dir: 'rtl' }); } };`,
};

/** The same during the whole test, also around midnight. */
const began = Date.now();
const dayFromNow = (days: number): string => new Date(began + days * 86_400_000).toISOString().slice(0, 10);

describeInBrowser('the page from right to left', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let projectId: string;
  let tableId: string;
  const views: Record<string, string> = {};

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([hebrew]), launchBrowser()]);
    ada = await newPerson(browser, product.url, 1440, { locale: 'he-IL' });
    await signUp(ada, product.url, 'ada@example.com');
    const call = await signedInClient(product.url, 'ada@example.com');
    const meta = '/api/v1/db/meta';
    ({ id: projectId } = await call<Entity>('POST', `${meta}/projects`, { title: 'Atlas' }));
    ({ id: tableId } = await call<Entity>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'City',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'People', uidt: 'Number' },
        { title: 'From', uidt: 'Date' },
        { title: 'To', uidt: 'Date' },
        {
          title: 'State',
          uidt: 'SingleSelect',
          colOptions: { options: [{ title: 'Open' }, { title: 'Doing' }, { title: 'Done' }] },
        },
        ...Array.from({ length: 12 }, (_, at) => ({ title: `Note ${at + 1}`, uidt: 'SingleLineText' })),
      ],
    }));
    await call(
      'POST',
      `/api/v1/db/data/bulk/noco/${projectId}/${tableId}`,
      Array.from({ length: 500 }, (_, at) => ({
        Name: `עיר ${at + 1}`,
        People: at,
        From: dayFromNow((at % 20) - 5),
        To: dayFromNow((at % 20) - 3),
        State: ['Open', 'Doing', 'Done'][at % 3],
      })),
    );
    for (const [kind, title] of [
      ['kanbans', 'Board'],
      ['galleries', 'Cards'],
      ['calendars', 'Month'],
      ['timelines', 'Plan'],
      ['forms', 'Ask'],
    ] as const)
      views[title] = (await call<Entity>('POST', `${meta}/tables/${tableId}/${kind}`, { title })).id;
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const open = (more = '') =>
    ada.page.goto(`${product.url}/#/nc/${projectId}?name=City&dbalias=${tableId}&type=table${more}`);

  const cell = (row: number, column: number): Locator =>
    ada.page.locator(`[aria-rowindex="${row + 2}"]:not([aria-busy]) [aria-colindex="${column + 2}"]`);
  const header = (title: string) => ada.page.getByRole('columnheader', { name: new RegExp(`^${title}\\b`) });
  const isAt = (place: string) =>
    ada.page.waitForFunction(
      (label) => document.querySelector('.tgrid-input')?.getAttribute('aria-label') === label,
      place,
    );
  async function boxOf(of: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
    const box = await of.boundingBox();
    if (box === null) throw new Error('It is not in sight');
    return box;
  }
  const middleOf = async (of: Locator): Promise<readonly [number, number]> => {
    const { x, y, width, height } = await boxOf(of);
    return [x + width / 2, y + height / 2];
  };
  async function drag(from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    const { mouse } = ada.page;
    await mouse.move(...from);
    await mouse.down();
    await mouse.move((from[0] + to[0]) / 2, to[1], { steps: 3 });
    await mouse.move(...to, { steps: 3 });
    await mouse.up();
  }
  /** Looks at the page at both widths, where nothing may stick out at the side. */
  async function look(name: string): Promise<void> {
    const { page } = ada;
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await keepPicture(page, `right to left, ${name} ${width}`);
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([name, width, tooWide]).toEqual([name, width, 0]);
    }
  }

  test('the grid begins at the right, and its keys lead where they point', async () => {
    const { page } = ada;
    await open();
    await cell(0, 0).waitFor();
    expect((await boxOf(cell(0, 0))).x).toBeGreaterThan((await boxOf(cell(0, 1))).x);
    await page.mouse.click(...(await middleOf(cell(0, 0))));
    await isAt('Name, row 1');
    await page.keyboard.press('ArrowLeft');
    await isAt('People, row 1');
    await page.keyboard.press('ArrowRight');
    await isAt('Name, row 1');
    await page.keyboard.press('Tab');
    await isAt('People, row 1');
    await page.keyboard.press('End');
    await isAt('Note 12, row 1');
    // What has come into sight stands below its title and within the grid.
    const grid = await boxOf(page.locator('.tgrid-scroller'));
    const last = await boxOf(cell(0, 16));
    expect((await boxOf(header('Note 12'))).x).toBe(last.x);
    expect(last.x).toBeGreaterThanOrEqual(grid.x);
    // The first column stays where it is.
    expect((await boxOf(cell(0, 0))).x).toBeGreaterThan(last.x + last.width);
    await page.keyboard.type('קצה');
    await page.keyboard.press('Enter');
    await cell(0, 16).getByText('קצה').waitFor();
    await page.keyboard.press('Home');
    await isAt('Name, row 2');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Delete');
    await cell(1, 1).filter({ hasText: /^$/ }).waitFor();
    expect(await cell(1, 0).textContent()).toBe('');
    await page.keyboard.press('Control+z');
    await cell(1, 0).getByText('עיר 2').waitFor();
    await look('a table');
  });

  test('the pointer selects, widens and moves columns of the grid, and the wheel goes on to the left', async () => {
    const { page } = ada;
    await page.keyboard.press('Control+Home');
    await drag(await middleOf(cell(2, 1)), await middleOf(cell(3, 3)));
    expect(await page.locator('.tgrid-body [aria-selected=true]').count()).toBe(6);

    const before = await boxOf(header('People'));
    const edge: readonly [number, number] = [before.x + 1, before.y + before.height / 2];
    await drag(edge, [edge[0] - 80, edge[1]]);
    const after = await boxOf(header('People'));
    expect(Math.round(after.width - before.width)).toBe(80);
    expect(Math.round(after.x + after.width)).toBe(Math.round(before.x + before.width));
    expect((await boxOf(cell(0, 1))).width).toBe(after.width);

    // State goes to the right of From, which is before it.
    const from = await boxOf(header('From'));
    await drag(await middleOf(header('State')), [from.x + from.width - 10, from.y + from.height / 2]);
    await page.waitForFunction(() => {
      const x = (title: string) =>
        [...document.querySelectorAll('[role=columnheader]')]
          .find((element) => element.textContent === title)
          ?.getBoundingClientRect().x ?? 0;
      return x('State') > x('From');
    });

    await page.mouse.move(...(await middleOf(cell(5, 2))));
    await page.mouse.wheel(-1000, 0);
    await header('Note 6').waitFor();
    expect((await boxOf(header('Note 6'))).x).toBe((await boxOf(cell(5, 10))).x);
    await page.mouse.wheel(5000, 0);
    await header('People').waitFor();
  });

  test('menus and panels open at the side where they begin, and code in them is read from the left', async () => {
    const { page } = ada;
    const filter = page.getByRole('button', { name: 'Filter' }).first();
    await filter.click();
    await page.getByRole('button', { name: 'Add filter' }).click();
    const [panel, button] = [await boxOf(page.getByRole('dialog')), await boxOf(filter)];
    expect(Math.abs(panel.x + panel.width - button.x - button.width)).toBeLessThan(2);
    await look('the filter');
    await page.keyboard.press('Escape');
    await open('&row=1');
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor();
    await page.waitForFunction(
      () => document.querySelector('[role=dialog]')?.getBoundingClientRect().x === 0,
    );
    await look('a row');
    await page.keyboard.press('Escape');
    await open();
    await page.getByRole('button', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'New webhook' }).click();
    const sides = await Promise.all(
      ['Body', 'Sample row', 'Name'].map((name) =>
        page
          .getByRole('dialog')
          .getByRole('textbox', { name, exact: true })
          .evaluate((element) => getComputedStyle(element).direction),
      ),
    );
    expect(sides).toEqual(['ltr', 'ltr', 'rtl']);
    await look('a webhook');
    await page.keyboard.press('Escape');
  });

  test('the side bar is widened to the left', async () => {
    const { page } = ada;
    await open();
    const bar = page.getByRole('complementary', { name: 'Side bar' });
    const before = await boxOf(bar);
    expect(Math.round(before.x + before.width)).toBe(1440);
    const edge = await middleOf(page.getByRole('separator', { name: 'Width of the side bar' }));
    await drag(edge, [edge[0] - 60, edge[1]]);
    expect(Math.abs((await boxOf(bar)).width - before.width - 60)).toBeLessThan(6);
  });

  test('boards, calendars and timelines run to the left', async () => {
    const { page } = ada;
    await open(`&view=${views['Board']}`);
    const column = (title: string) =>
      page
        .getByRole('heading', { name: title })
        .or(page.getByText(title, { exact: true }))
        .first();
    await column('Doing').waitFor();
    expect((await boxOf(column('Open'))).x).toBeGreaterThan((await boxOf(column('Doing'))).x);
    await look('a board');

    await open(`&view=${views['Month']}`);
    const day = (date: string) => page.locator(`[data-date="${date}"]`).first();
    await day(dayFromNow(0)).waitFor();
    const [today, monday] = [new Date(began).getUTCDay(), 1];
    // Another day of the same week.
    const other = today === monday ? 1 : monday - today;
    const [here, there] = [await boxOf(day(dayFromNow(0))), await boxOf(day(dayFromNow(other)))];
    expect(Math.sign(there.x - here.x)).toBe(-Math.sign(other));
    await look('a calendar');

    await open(`&view=${views['Plan']}`);
    await page.getByText('עיר 1', { exact: true }).first().waitFor();
    await look('a timeline');
    await open(`&view=${views['Cards']}`);
    await page.getByText('עיר 1', { exact: true }).first().waitFor();
    await look('cards');
    await open(`&view=${views['Ask']}`);
    await page.getByRole('heading', { name: 'Ask' }).waitFor();
    await look('a form');
    expect(ada.complaints).toEqual([]);
  });
});
