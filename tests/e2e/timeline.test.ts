import { afterAll, beforeAll, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signedInClient, signIn, signUp, type Person } from './person.ts';

interface Entity {
  readonly id: string;
}

const meta = '/api/v1/db/meta';
/** The same during the whole test, also around midnight. */
const began = Date.now();
const dayFromNow = (days: number): string => new Date(began + days * 86_400_000).toISOString().slice(0, 10);

describeInBrowser('timelines', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  let projectId = '';
  let tableId = '';
  let viewId = '';

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, 'ada@example.com');
    call = await signedInClient(product.url, 'ada@example.com');
    await createProject(ada, 'House');
    projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    const table = await call<Entity>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Tasks',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'From', uidt: 'Date' },
        { title: 'To', uidt: 'Date' },
      ],
    });
    tableId = table.id;
    const row = { Name: 'Paint', From: dayFromNow(2), To: dayFromNow(4) };
    await call('POST', `/api/v1/db/data/noco/${projectId}/${tableId}`, row);
    const view = await call<Entity>('POST', `${meta}/tables/${tableId}/timelines`, { title: 'Plan' });
    viewId = view.id;
    await call('PATCH', `${meta}/timelines/${viewId}`, { meta: { zoom: 'day' } });
    ada.page.setDefaultTimeout(60_000);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const address = () =>
    `${product.url}/#/nc/${projectId}?name=Tasks&dbalias=${tableId}&type=table&view=${viewId}`;
  const untilZoom = (page: Page, name: string) =>
    page.locator('.timeline-toolbar option:checked', { hasText: name }).waitFor({ state: 'attached' });
  async function mistakesIn(page: Page): Promise<readonly unknown[]> {
    await page.evaluate(axe.source);
    return page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run('.timeline');
      return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }));
    });
  }
  const paint = async () =>
    (await call<{ list: readonly object[] }>('GET', `/api/v1/db/data/noco/${projectId}/${tableId}`)).list[0];
  async function expectSoon(isThere: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (!(await isThere()) && Date.now() < deadline)
      await ada.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  /** Once the page has saved it. */
  async function untilPaint(days: object): Promise<void> {
    await expectSoon(async () => {
      const row = (await paint()) as Record<string, unknown>;
      return Object.entries(days).every(([title, day]) => row[title] === day);
    });
    expect(await paint()).toMatchObject(days);
  }

  test('somebody moves and stretches a bar by mouse and by keys, and takes it back', async () => {
    const { page } = ada;
    await page.goto(address());
    const bar = page.locator('.timeline-bar-body', { hasText: 'Paint' });
    await bar.waitFor();
    // The page may have read the view before it got its zoom.
    await untilZoom(page, 'Days');
    expect(await mistakesIn(page)).toEqual([]);
    const box = await bar.boundingBox();
    if (box === null) throw new Error('The bar is not drawn.');
    const day = box.width / 3;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + day * 2, y, { steps: 4 });
    await page.mouse.up();
    await untilPaint({ From: dayFromNow(4), To: dayFromNow(6) });
    await bar.focus();
    await bar.press('Shift+ArrowRight');
    await untilPaint({ From: dayFromNow(4), To: dayFromNow(7) });
    await page.keyboard.press('Control+z');
    await untilPaint({ From: dayFromNow(4), To: dayFromNow(6) });
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByText('No entries on these days').waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('a wheel that is turned sideways goes along the days, and one that is turned down stays', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Today' }).click();
    await page.locator('.timeline-bar-body', { hasText: 'Paint' }).waitFor();
    const ticks = page.locator('.timeline-tick');
    const days = await ticks.allTextContents();
    const scale = await page.locator('.timeline-scale .timeline-track').boundingBox();
    if (scale === null) throw new Error('The scale is not drawn.');
    const begins = (day: string | undefined) =>
      page
        .locator('.timeline-tick:first-child')
        .getByText(day ?? '', { exact: true })
        .waitFor();
    const dayWidth = scale.width / days.length;
    await page.mouse.move(scale.x + scale.width / 2, scale.y + 100);
    await page.mouse.wheel(0, dayWidth * 5);
    await page.mouse.wheel(Math.ceil(dayWidth * 3), 0);
    await begins(days[3]);
    await page.mouse.wheel(-Math.ceil(dayWidth * 3), 0);
    await begins(days[0]);
    await page.locator('.timeline-bar-body', { hasText: 'Paint' }).waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('another zoom in the settings is seen at once, and short bars move as a whole', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Today' }).click();
    const bar = page.locator('.timeline-bar-body', { hasText: 'Paint' });
    await bar.waitFor();
    await call('PATCH', `${meta}/timelines/${viewId}`, { meta: { zoom: 'quarter' } });
    await untilZoom(page, 'Quarters');
    const box = await bar.boundingBox();
    if (box === null) throw new Error('The bar is not drawn.');
    expect(box.width).toBeLessThan(20);
    // Its name stands beside it.
    await page.locator('.timeline-bar-name', { hasText: 'Paint' }).waitFor();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y, { steps: 4 });
    await page.mouse.up();
    let moved: Record<string, string> = {};
    await expectSoon(async () => {
      moved = (await paint()) as Record<string, string>;
      return moved.From !== dayFromNow(4);
    });
    const lasts = Date.parse(moved.To ?? '') - Date.parse(moved.From ?? '');
    expect(lasts).toBe(2 * 86_400_000);
    await page.keyboard.press('Control+z');
    await untilPaint({ From: dayFromNow(4), To: dayFromNow(6) });
  });

  test('a finger moves a bar and takes an end of it from beside it', async () => {
    await call('PATCH', `${meta}/timelines/${viewId}`, { meta: { zoom: 'day' } });
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await signIn({ ...ada, page, context }, product.url, 'ada@example.com');
    await page.goto(address());
    const bar = page.locator('.timeline-bar-body', { hasText: 'Paint' });
    await page.getByRole('button', { name: 'Today' }).tap();
    await page.getByRole('button', { name: 'Next', exact: true }).tap();
    await bar.waitFor();
    const touch = await context.newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] });
    /** From a place at the bar, so many days on. */
    async function swipe(part: number, beside: number, days: number): Promise<void> {
      const box = await bar.boundingBox();
      const scale = await page.locator('.timeline-scale .timeline-track').boundingBox();
      if (box === null || scale === null) throw new Error('The bar is not drawn.');
      const day = scale.width / (await page.locator('.timeline-tick').count());
      const [x, y] = [box.x + box.width * part + beside, box.y + box.height / 2];
      await send('touchStart', { x, y });
      for (const step of [0.25, 0.5, 0.75, 1]) await send('touchMove', { x: x + day * days * step, y });
      await send('touchEnd');
    }
    await swipe(0.5, 0, 1);
    await untilPaint({ From: dayFromNow(5), To: dayFromNow(7) });
    await swipe(1, 10, 1);
    await untilPaint({ From: dayFromNow(5), To: dayFromNow(8) });
    await context.close();
    await call('PATCH', `${meta}/timelines/${viewId}`, { meta: { zoom: 'quarter' } });
    expect(ada.complaints).toEqual([]);
  });

  test('a stranger sees the bars by a link on a phone, and changes nothing', async () => {
    const { uuid } = await call<{ uuid: string }>('POST', `${meta}/views/${viewId}/share`, {});
    const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const stranger = await phone.newPage();
    stranger.setDefaultTimeout(60_000);
    await stranger.goto(`${product.url}/#/nc/view/${uuid}`);
    await stranger.locator('.timeline-bar-body', { hasText: 'Paint' }).waitFor();
    expect(await stranger.getByRole('button', { name: 'New row' }).count()).toBe(0);
    expect(await stranger.locator('.timeline-end').count()).toBe(0);
    expect(await mistakesIn(stranger)).toEqual([]);
    const ticks = stranger.locator('.timeline-tick');
    expect(await ticks.count()).toBe(4);
    // The phone is turned.
    await stranger.setViewportSize({ width: 844, height: 390 });
    await ticks.nth(11).waitFor();
    await phone.close();
  });
});
