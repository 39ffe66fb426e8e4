import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { type DemoPage, openDemoPage } from '../../plugins/view-grid/testing/demo-page.ts';
import { describeInBrowser } from './browser.ts';
import { expectUntil } from './expect-until.ts';

// What jsdom cannot show: layout, scrolling, an input method, the clipboard, fingers.
describeInBrowser('the grid in a browser', () => {
  let demo: DemoPage;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    demo = await openDemoPage();
  });
  afterAll(() => demo.close());
  afterEach(async () => {
    await page.context().close();
    expect(problems.splice(0)).toEqual([]);
  });

  async function open(query = '', options: BrowserContextOptions = {}): Promise<void> {
    const context = await demo.browser.newContext({
      viewport: { width: 1280, height: 720 },
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    page = await context.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${demo.url}?${query}`);
  }

  const cell = (row: number, column: number) =>
    page.locator(`[aria-rowindex="${row + 2}"]:not([aria-busy]) [aria-colindex="${column + 2}"]`);
  const input = () => page.locator('.tgrid-input');
  const log = (): Promise<{ kind: string }[]> =>
    page.evaluate(() => Reflect.get(window, 'gridLog') as { kind: string }[]);
  const text = (row: number, column: number): Promise<string | null> => cell(row, column).textContent();
  const firstRowTop = (row: number): Promise<number> =>
    cell(row, 0).evaluate((element) => element.getBoundingClientRect().top);
  /** Moves the scroll bar: `share` of the whole height, pixels from the left. */
  const scroll = (to: { share?: number; left?: number }): Promise<void> =>
    page.locator('.tgrid-scroller').evaluate((scroller, { share, left }) => {
      if (share !== undefined) scroller.scrollTop = scroller.scrollHeight * share;
      if (left !== undefined) scroller.scrollLeft = left;
    }, to);

  test('the last of a million rows is reached by the keyboard and by the scroll bar', async () => {
    await open();
    await cell(0, 0).click();
    await page.keyboard.press('Control+ArrowDown');
    await cell(999_999, 0).getByText('1000000').waitFor();
    expect(await input().getAttribute('aria-label')).toBe('Name, row 1,000,000');
    await page.keyboard.press('Control+Home');
    await cell(0, 0).getByText('Ada Lovelace 1').waitFor();
    await scroll({ share: 1 });
    await cell(999_999, 0).getByText('1000000').waitFor();
    const below = await cell(999_999, 0).evaluate(
      (element) => innerHeight - element.getBoundingClientRect().bottom,
    );
    expect(below).toBeGreaterThan(0);
  });

  test('the wheel moves the rows by exact pixels in the middle of a million rows', async () => {
    await open();
    await cell(0, 0).click();
    await scroll({ share: 0.5 });
    const sixth = page.locator('.tgrid-body [role=row]').nth(5);
    const indexOfSixth = async () => Number(await sixth.getAttribute('aria-rowindex'));
    await expectUntil(async () => (await indexOfSixth()) > 1000);
    const row = (await indexOfSixth()) - 2;
    await cell(row, 0).waitFor();
    const before = await firstRowTop(row);
    await page.mouse.move(600, 400);
    for (let step = 0; step < 10; step++) await page.mouse.wheel(0, 340);
    await cell(row + 100, 0).waitFor();
    await expectUntil(async () => (await firstRowTop(row + 100)) === before);
  });

  test('rows come in where the user stops, and are drawn before they come', async () => {
    await open('held');
    const skeleton = page.locator('.tgrid-skeleton');
    const expectRows = () =>
      expectUntil(async () => {
        await page.evaluate(() => (Reflect.get(window, 'gridAnswer') as () => void)());
        return (await skeleton.count()) === 0;
      });
    await skeleton.first().waitFor();
    await expectRows();
    await cell(0, 0).getByText('Ada').waitFor();
    await scroll({ share: 0.2 });
    await skeleton.first().waitFor();
    await expectRows();
  });

  test('the frozen column and the titles stay in place', async () => {
    await open();
    await cell(0, 0).waitFor();
    const before = await cell(3, 0).boundingBox();
    await scroll({ left: 900 });
    await cell(3, 12).waitFor();
    expect(await cell(3, 0).boundingBox()).toEqual(before);
    expect((await page.getByRole('columnheader', { name: 'Name' }).boundingBox())?.x).toBe(before?.x);
    const aligned = await page.getByRole('columnheader', { name: /^Status 12/ }).boundingBox();
    expect(aligned?.x).toBe((await cell(3, 12).boundingBox())?.x);
    await scroll({ share: 0.5 });
    await expectUntil(async () => (await cell(3, 12).count()) === 0);
    const scrolled = await page.getByRole('columnheader', { name: /^Status 12/ }).boundingBox();
    expect(scrolled?.y).toBe(aligned?.y);
  });

  test('the first character of an input method is kept', async () => {
    await open();
    await cell(2, 5).click();
    const devtools: CDPSession = await page.context().newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await devtools.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await devtools.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    expect(await input().inputValue()).toBe('にほん');
    await devtools.send('Input.insertText', { text: '日本' });
    await page.keyboard.press('Enter');
    await cell(2, 5).getByText('日本', { exact: true }).waitFor();
  });

  test('an input method may open an editor of a column type too', async () => {
    await open();
    await cell(2, 2).click();
    const devtools: CDPSession = await page.context().newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'S', selectionStart: 1, selectionEnd: 1 });
    await devtools.send('Input.insertText', { text: 'Sh' });
    expect(await page.getByLabel('Choice').inputValue()).toBe('Sh');
    await page.keyboard.press('Enter');
    await cell(2, 2).getByText('Shipped').waitFor();
  });

  test('keys that come one on the heels of the other are all taken, as from a scanner', async () => {
    await open();
    await cell(1, 5).click();
    for (const code of ['4006381', '9783161', '0012345']) {
      await page.keyboard.type(code, { delay: 0 });
      await page.keyboard.press('Enter');
    }
    await cell(3, 5).getByText('0012345').waitFor();
    expect([await text(1, 5), await text(2, 5)]).toEqual(['4006381', '9783161']);
  });

  test('a range is copied and pasted elsewhere, with tabs, quotes and lines in the cells', async () => {
    await open();
    await cell(1, 5).click();
    await page.keyboard.type('say "hi"');
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.type('again');
    await page.keyboard.press('Enter');
    await cell(1, 5).getByText('say "hi"').waitFor();
    await cell(1, 5).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+c');
    await cell(10, 5).click();
    await page.keyboard.press('Control+v');
    await expectUntil(async () => (await text(10, 5)) === 'say "hi"\nagain');
    expect(await text(11, 6)).toBe(await text(2, 6));
  });

  test('what was cut is gone and can be pasted', async () => {
    await open();
    await cell(1, 5).click();
    const before = await text(1, 5);
    await page.keyboard.press('Control+x');
    await expectUntil(async () => (await text(1, 5)) === '');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+v');
    await expectUntil(async () => (await text(2, 5)) === before);
  });

  test('pasting past the last row adds rows', async () => {
    await open('rows=3');
    await cell(2, 5).click();
    await page.evaluate(() => navigator.clipboard.writeText('one\ntwo\nthree\n'));
    await page.keyboard.press('Control+v');
    await cell(4, 5).getByText('three').waitFor();
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('6');
  });

  test('a press anywhere in the line under the last row adds one, also beside its words and far to the right', async () => {
    await open('rows=3');
    await cell(2, 0).waitFor();
    const rows = () => page.getByRole('grid').getAttribute('aria-rowcount');
    for (const left of [0, 900]) {
      await scroll({ left });
      const line = await page.locator('.tgrid-append').boundingBox();
      const words = await page.getByText('Add a row').boundingBox();
      // The words stay in sight.
      expect(words?.x).toBeGreaterThanOrEqual(0);
      const before = Number(await rows());
      await page.mouse.click(1000, (line?.y ?? 0) + (line?.height ?? 0) / 2);
      await expectUntil(async () => Number(await rows()) === before + 1);
    }
  });

  test('a drag at the lower edge scrolls and goes on selecting', async () => {
    await open();
    await cell(5, 5).waitFor();
    const start = await cell(5, 5).boundingBox();
    if (start === null) throw new Error('The cell is not drawn');
    await page.mouse.move(start.x + 20, start.y + 10);
    await page.mouse.down();
    await page.mouse.move(start.x + 30, 500, { steps: 3 });
    await page.mouse.move(start.x + 30, 718);
    await cell(60, 5).waitFor();
    await expectUntil(async () => (await cell(60, 5).getAttribute('aria-selected')) === 'true');
    await page.mouse.up();
    expect(await cell(5, 5).count()).toBe(0);
  });

  test('the editor is cut under the frozen columns, as its cell is', async () => {
    await open();
    await cell(1, 5).dblclick();
    await scroll({ left: 640 });
    const onTop = await cell(1, 0).evaluate((element) => {
      const box = element.getBoundingClientRect();
      const found = document.elementFromPoint(box.right - 5, box.top + 15);
      return found !== null && element.contains(found);
    });
    expect(onTop).toBe(true);
  });

  test('a column is pulled wider and dragged to another place', async () => {
    await open();
    const title = page.getByRole('columnheader', { name: /^Note 5/ });
    const before = await title.boundingBox();
    if (before === null) throw new Error('The title is not drawn');
    await page.mouse.move(before.x + before.width - 3, before.y + 10);
    await page.mouse.down();
    await page.mouse.move(before.x + before.width + 57, before.y + 10, { steps: 4 });
    await page.mouse.up();
    expect((await title.boundingBox())?.width).toBe(before.width + 60);
    const amount = page.getByRole('columnheader', { name: /^Amount 1/ });
    const from = await amount.boundingBox();
    if (from === null) throw new Error('The title is not drawn');
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(before.x + 5, before.y + 10, { steps: 4 });
    await page.mouse.up();
    await expectUntil(async () => ((await amount.boundingBox())?.x ?? 0) > from.x + 100);
  });

  test('on a touch screen a tap selects, a second one edits, and a swipe scrolls', async () => {
    await open('', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await cell(3, 1).tap();
    expect(await input().getAttribute('inputmode')).toBe('none');
    await cell(5, 0).tap();
    await expectUntil(async () => (await cell(5, 0).getAttribute('aria-selected')) === 'true');
    // Fingers take their time: this is no double click.
    await page.waitForTimeout(700);
    await cell(5, 0).tap();
    await expectUntil(async () => (await input().inputValue()).endsWith(' 6'));
    expect(await input().getAttribute('inputmode')).toBeNull();
    await page.keyboard.press('Escape');
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: y === undefined ? [] : [{ x: 200, y }],
      });
    // Where the machine is busy, a swipe may be taken for a long press: a person swipes again.
    await expectUntil(async () => {
      await touch('touchStart', 600);
      for (let y = 580; y >= 200; y -= 20) await touch('touchMove', y);
      await touch('touchEnd');
      return page.evaluate(() => (document.querySelector('.tgrid-scroller')?.scrollTop ?? 0) > 300);
    });
  });

  test('a column type that throws is marked in its cells, and the rest goes on', async () => {
    await open('broken');
    await cell(0, 0).waitFor();
    expect(await cell(0, 2).getByRole('img').getAttribute('title')).toContain('throws on every third row');
    expect(await text(1, 2)).toBe('fine');
    const errors = (await log()).filter((entry) => entry.kind === 'cellError');
    expect(errors).toHaveLength(1);
  });
});
