import { afterAll, beforeAll, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { findingsInBothThemes } from './axe.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signedInClient, signIn, signUp, type Person } from './person.ts';
import { expectUntil } from './expect-until.ts';

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
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const address = () =>
    `${product.url}/#/nc/${projectId}?name=Tasks&dbalias=${tableId}&type=table&view=${viewId}`;
  const untilZoom = (page: Page, name: string) =>
    page.locator('.tr-days-bar option:checked', { hasText: name }).waitFor({ state: 'attached' });
  async function mistakesIn(page: Page): Promise<readonly unknown[]> {
    await page.evaluate(axe.source);
    return page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run('.timeline');
      return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }));
    });
  }
  const paint = async () =>
    (await call<{ list: readonly object[] }>('GET', `/api/v1/db/data/noco/${projectId}/${tableId}`)).list[0];
  /** Once the page has saved it. */
  async function untilPaint(days: object): Promise<void> {
    await expectUntil(async () => {
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
    await page.keyboard.press('ArrowDown');
    await page.locator('.timeline-add:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('.timeline-bar-body:focus', { hasText: 'Paint' }).waitFor();
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

  test('months or years stand over the parts of the scale, weekends are shaded, and today is marked', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Today' }).click();
    const months = (days: readonly string[]) => [
      ...new Set(
        days.map((day) =>
          new Date(day).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
        ),
      ),
    ];
    const shown = Array.from({ length: 14 }, (_, at) => dayFromNow(at - 1));
    expect(await page.locator('.timeline-band').allTextContents()).toEqual(months(shown));
    const weekend = shown.filter((day) => [0, 6].includes(new Date(day).getUTCDay()));
    expect(await page.locator('.timeline-weekend').count()).toBe(weekend.length);
    expect(await page.locator('.timeline-tick[data-today=true]').textContent()).toContain(
      String(Number(dayFromNow(0).slice(8))),
    );
    await page.getByLabel('Days in sight').selectOption({ label: 'Quarters' });
    const years = page.locator('.timeline-band');
    await years
      .getByText(/^\d{4}$/)
      .first()
      .waitFor();
    expect(await page.locator('.timeline-weekend').count()).toBe(0);
    await page.reload();
    await untilZoom(page, 'Quarters');
    await page.getByLabel('Days in sight').selectOption({ label: 'Days' });
    await page.getByRole('button', { name: 'Today' }).click();
    await page.locator('.timeline-bar-body', { hasText: 'Paint' }).waitFor();
  });

  test('rows without a date stand in a list, and get their day by mouse and by keys', async () => {
    const { page } = ada;
    for (const Name of ['Idle', 'Lazy'])
      await call('POST', `/api/v1/db/data/noco/${projectId}/${tableId}`, { Name });
    const rowOf = async (name: string) => {
      const { list } = await call<{ list: readonly { Name: string; From: string | null }[] }>(
        'GET',
        `/api/v1/db/data/noco/${projectId}/${tableId}`,
      );
      return list.find(({ Name }) => Name === name);
    };
    const list = page.getByRole('region', { name: 'Without a date' });
    await page.getByRole('button', { name: 'Without a date 2' }).click();
    const idle = list.getByRole('button', { name: 'Idle', exact: true });
    await idle.waitFor();
    expect(await mistakesIn(page)).toEqual([]);
    const from = await idle.boundingBox();
    const track = await page.locator('.timeline-scale .timeline-track').boundingBox();
    if (from === null || track === null) throw new Error('The list is not drawn.');
    // The fourth day in sight, of which the first is yesterday.
    const x = track.x + (track.width / 14) * 3.5;
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x - 30, from.y + 10, { steps: 4 });
    await page.mouse.move(x, track.y + 200, { steps: 8 });
    await page.locator('.timeline-target').waitFor();
    await page.mouse.up();
    await expectUntil(async () => (await rowOf('Idle'))?.From !== null);
    expect(await rowOf('Idle')).toMatchObject({ From: dayFromNow(2), To: null });
    await idle.waitFor({ state: 'detached' });
    await page.locator('.timeline-bar-body', { hasText: 'Idle' }).waitFor();

    await list.getByRole('button', { name: 'Lazy', exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectUntil(async () => (await rowOf('Lazy'))?.From !== null);
    expect(await rowOf('Lazy')).toMatchObject({ From: dayFromNow(0) });
    // Its bar has the focus, and goes on by keys.
    await page.locator('.timeline-bar-body:focus', { hasText: 'Lazy' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await expectUntil(async () => (await rowOf('Lazy'))?.From === dayFromNow(1));
    expect(await rowOf('Lazy')).toMatchObject({ From: dayFromNow(1) });
    await list.getByText('Every row has its day.').waitFor();

    // One that gets its day in its panel leaves the list when that is closed.
    await call('POST', `/api/v1/db/data/noco/${projectId}/${tableId}`, { Name: 'Late' });
    await list.getByRole('button', { name: 'Late', exact: true }).click();
    const panel = page.getByRole('dialog', { name: 'Late' });
    await panel.getByRole('textbox', { name: 'From' }).fill(dayFromNow(1));
    await panel.getByRole('button', { name: 'Save' }).click();
    await expectUntil(async () => (await rowOf('Late'))?.From === dayFromNow(1));
    await panel.getByRole('button', { name: 'Close' }).click();
    await list.getByText('Every row has its day.').waitFor();
    await page.locator('.timeline-bar-body', { hasText: 'Late' }).waitFor();
    await list.getByRole('button', { name: 'Close' }).click();
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
    await expectUntil(async () => {
      moved = (await paint()) as Record<string, string>;
      return moved.From !== dayFromNow(4);
    });
    const lasts = Date.parse(moved.To ?? '') - Date.parse(moved.From ?? '');
    expect(lasts).toBe(2 * 86_400_000);
    await page.keyboard.press('Control+z');
    await untilPaint({ From: dayFromNow(4), To: dayFromNow(6) });
  });

  test('rows are opened, made, looked for and seen as others change them, in both themes', async () => {
    await call('PATCH', `${meta}/timelines/${viewId}`, { meta: { zoom: 'day' } });
    const other = await newPerson(browser, product.url);
    await signIn(other, product.url, 'ada@example.com');
    const { page } = other;
    for (const of of [page, ada.page]) {
      await of.goto(address());
      await untilZoom(of, 'Days');
    }
    const bar = (name: string, of = page) => of.locator('.timeline-bar-body', { hasText: name });
    await bar('Paint').waitFor();
    expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] });

    await bar('Paint').click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.locator('.timeline-bar-body:focus', { hasText: 'Paint' }).waitFor();

    await page.getByRole('button', { name: 'New row' }).first().click();
    await panel.getByRole('textbox', { name: 'Name' }).fill('Roof');
    await panel.getByRole('button', { name: 'Add the row' }).click();
    for (const of of [page, ada.page]) {
      await of.getByRole('button', { name: 'Today' }).click();
      await bar('Roof', of).waitFor();
    }
    const { list } = await call<{ list: readonly { Id: number; Name: string }[] }>(
      'GET',
      `/api/v1/db/data/noco/${projectId}/${tableId}`,
    );
    const roof = list.find(({ Name }) => Name === 'Roof');
    await call('PATCH', `/api/v1/db/data/noco/${projectId}/${tableId}/${roof?.Id}`, { Name: 'Cellar' });
    for (const of of [page, ada.page]) await bar('Cellar', of).waitFor();

    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox', { name: 'Search rows' }).fill('cell');
    await bar('Paint').waitFor({ state: 'detached' });
    await bar('Cellar').waitFor();
    await call('DELETE', `/api/v1/db/data/noco/${projectId}/${tableId}/${roof?.Id}`);
    await bar('Cellar').waitFor({ state: 'detached' });
    await bar('Cellar', ada.page).waitFor({ state: 'detached' });
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
    await other.context.close();
  });

  test('a finger that rests on a bar moves it, and one takes an end of it from beside it', async () => {
    await call('PATCH', `${meta}/timelines/${viewId}`, { meta: { zoom: 'day' } });
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const page = await context.newPage();
    await signIn({ ...ada, page, context }, product.url, 'ada@example.com');
    await page.goto(address());
    const bar = page.locator('.timeline-bar-body', { hasText: 'Paint' });
    await page.getByRole('button', { name: 'Today' }).tap();
    await page.getByRole('button', { name: 'Next', exact: true }).tap();
    await bar.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
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
      if (beside === 0) await page.locator('.timeline-bar[data-moved=true]').waitFor();
      for (const step of [0.25, 0.5, 0.75, 1]) await send('touchMove', { x: x + day * days * step, y });
      await send('touchEnd');
    }
    await swipe(0.5, 0, 1);
    await untilPaint({ From: dayFromNow(5), To: dayFromNow(7) });
    await swipe(1, 10, 1);
    await untilPaint({ From: dayFromNow(5), To: dayFromNow(8) });

    // A bar of few pixels has its ends beside it, as wide as a finger asks for, and the bar takes one line of tools.
    const tops = await page.locator('.tr-days-bar > *').evaluateAll((all) =>
      all.map((of) => {
        const { top, height } = of.getBoundingClientRect();
        return Math.round((top + height / 2) / 4);
      }),
    );
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1);
    // On the narrowest phones they take two, and all of them are there.
    await page.setViewportSize({ width: 320, height: 844 });
    const ends = await page
      .locator('.tr-days-bar > *')
      .evaluateAll((all) => all.map((of) => of.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThanOrEqual(320);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Days in sight').selectOption({ label: 'Months' });
    // One month before this one is in sight.
    const firstMonth = new Date();
    firstMonth.setUTCDate(1);
    firstMonth.setUTCMonth(firstMonth.getUTCMonth() - 1);
    const month = firstMonth.toLocaleDateString('en-US', { month: 'short', timeZone: 'UTC' });
    // No tap: the browser takes one that comes soon after a swipe for the end of its scrolling.
    await page.getByRole('button', { name: 'Today' }).click();
    await page.locator('.tr-days-bar h2', { hasText: new RegExp(`^${month} 1,`, 'v') }).waitFor();
    /** Takes the end of the bar from beside it, and pulls it half a month on. */
    async function pullEnd(): Promise<void> {
      const before = (await paint()) as { readonly From: string; readonly To: string };
      const narrow = await bar.boundingBox();
      const scale = await page.locator('.timeline-scale .timeline-track').boundingBox();
      if (narrow === null || scale === null) throw new Error('The bar is not drawn.');
      expect(narrow.width).toBeLessThan(27);
      const [x, y] = [narrow.x + narrow.width + 20, narrow.y + narrow.height / 2];
      await send('touchStart', { x, y });
      for (const step of [0.25, 0.5, 0.75, 1])
        await send('touchMove', { x: x + (scale.width / 8) * step, y });
      await send('touchEnd');
      await expectUntil(async () => ((await paint()) as { readonly To: string }).To !== before.To);
      const after = (await paint()) as { readonly From: string; readonly To: string };
      expect(after.From).toBe(before.From);
      expect(after.To > before.To).toBe(true);
    }
    await pullEnd();
    // At the edge of the days in sight the bar itself is the other end.
    const day = (of: number) => {
      firstMonth.setUTCDate(of);
      return firstMonth.toISOString().slice(0, 10);
    };
    const { From, To } = (await paint()) as { readonly From: string; readonly To: string };
    const changePaint = (days: object) =>
      call('PATCH', `/api/v1/db/data/noco/${projectId}/${tableId}/1`, days);
    await changePaint({ From: day(3), To: day(6) });
    await page.locator('.timeline-bar-body[data-edge=start]', { hasText: 'Paint' }).waitFor();
    await pullEnd();
    await changePaint({ From, To });
    await untilPaint({ From, To });
    await context.close();
    await call('PATCH', `${meta}/timelines/${viewId}`, { meta: { zoom: 'quarter' } });
    expect(ada.complaints).toEqual([]);
  });

  test('a stranger sees the bars by a link on a phone, and changes nothing', async () => {
    const { uuid } = await call<{ uuid: string }>('POST', `${meta}/views/${viewId}/share`, {});
    const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const stranger = await phone.newPage();
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
