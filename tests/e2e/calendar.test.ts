import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { findingsInBothThemes } from './axe.ts';
import { describeInBrowser, launchBrowser, patience } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signedInClient, signIn, signUp, type Person } from './person.ts';

const email = 'cal@example.com';
const meta = '/api/v1/db/meta';
/** The days of a month that all calendars show, whatever their first day of the week is. */
const first = '2026-06-10';
const [rows, days] = [100_000, 8];

interface Table {
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
}

const dayAfter = (by: number, from = first) =>
  new Date(Date.parse(`${from}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);

describeInBrowser('a calendar', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let bob: Person;
  let call: Awaited<ReturnType<typeof signedInClient>>;
  let projectId = '';
  let table: Table;
  let view = '';
  let few = '';

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, email);
    await createProject(ada, 'Year');
    projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    call = await signedInClient(product.url, email);
    table = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Events',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'From', uidt: 'Date' },
        { title: 'To', uidt: 'Date' },
        { title: 'Kind', uidt: 'SingleLineText' },
      ],
    });
    const id = (title: string) => table.columns.find((column) => column.title === title)?.id ?? '';
    for (let start = 0; start < rows; start += 10_000)
      await call(
        'POST',
        `/api/v1/db/data/bulk/noco/${projectId}/${table.id}`,
        Array.from({ length: 10_000 }, (_, at) => {
          const From = dayAfter((start + at) % days);
          // Every other one goes on for a day more.
          return {
            Name: `Event ${start + at}`,
            From,
            To: dayAfter(Math.floor((start + at) / days) % 2, From),
            Kind: 'many',
          };
        }),
      );
    await call('POST', `/api/v1/db/data/bulk/noco/${projectId}/${table.id}`, [
      { Name: 'Picnic', From: dayAfter(0), To: dayAfter(1), Kind: 'few' },
      { Name: 'Party', From: dayAfter(2), To: dayAfter(2), Kind: 'few' },
    ]);
    const make = async (title: string) =>
      (
        await call<Table>('POST', `${meta}/tables/${table.id}/calendars`, {
          title,
          meta: { ranges: [{ fromId: id('From'), toId: id('To') }] },
        })
      ).id;
    view = await make('All');
    few = await make('Few');
    await call('POST', `${meta}/views/${few}/filters`, {
      fk_column_id: id('Kind'),
      comparison_op: 'eq',
      value: 'few',
    });
    bob = await newPerson(browser, product.url);
    await signIn(bob, product.url, email);
    for (const { page } of [ada, bob]) {
      page.setDefaultTimeout(patience);
      await page.clock.setFixedTime(new Date(`${first}T09:00:00Z`));
    }
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const open = (page: Page, id: string) =>
    page.goto(`${product.url}/#/nc/${projectId}?name=Events&dbalias=${table.id}&type=table&view=${id}`);
  const cell = (page: Page, day: string) => page.locator(`.calendar-days [role="cell"][data-date="${day}"]`);
  const entry = (page: Page, name: string) =>
    page.locator('.calendar-days [data-key]', { hasText: name }).first();
  const daysOf = async (name: string) => {
    const { list } = await call<{ list: readonly { From: string; To: string }[] }>(
      'GET',
      `/api/v1/db/data/noco/${projectId}/${table.id}?where=(Name,eq,${name})`,
    );
    return [list[0]?.From, list[0]?.To];
  };
  async function until(name: string, from: string, to: string): Promise<void> {
    const end = Date.now() + patience;
    while (JSON.stringify(await daysOf(name)) !== JSON.stringify([from, to])) {
      if (Date.now() > end) expect(await daysOf(name)).toEqual([from, to]);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  const center = async (of: Locator) => {
    const box = await of.boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };

  test('of 100,000 rows says how many each day has, and opens a day by its number', async () => {
    const { page } = ada;
    await open(page, view);
    const perDay = rows / days;
    await page.locator('.calendar-count').first().waitFor();
    // Half of those of the day before are there as well.
    const expected = Array.from({ length: days + 1 }, (_, at) =>
      at === 0
        ? perDay + 1
        : at === 1
          ? perDay * 1.5 + 1
          : at === 2
            ? perDay * 1.5 + 1
            : at === days
              ? perDay / 2
              : perDay * 1.5,
    );
    const shown = await page
      .locator('.calendar-count')
      .evaluateAll((all) => all.map((of) => of.getAttribute('title')));
    expect(shown).toEqual(expected.map((count) => `${count.toLocaleString('en')} entries`));
    expect(await page.locator('.calendar [role="status"]').allTextContents()).toEqual([
      expect.stringContaining('The first 1,000 of 100,002 entries of these days are shown'),
    ]);
    expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] });
    await call('POST', `/api/v1/db/data/noco/${projectId}/${table.id}`, {
      Name: 'Late',
      From: dayAfter(7),
      Kind: 'many',
    });
    await page
      .locator(`.calendar-count[title="${(perDay * 1.5 + 1).toLocaleString('en')} entries"]`)
      .nth(2)
      .waitFor();
    await cell(page, dayAfter(3)).locator('.calendar-count').click();
    await page.getByRole('heading', { name: /June 13, 2026/ }).waitFor();
    expect(await page.getByLabel('Days in sight').inputValue()).toBe('dayGridDay');
    expect(ada.complaints).toEqual([]);
  });

  test('moves entries by mouse and by keys, on the screen of everybody, and takes moves back', async () => {
    await Promise.all([open(ada.page, few), open(bob.page, few)]);
    const { page } = ada;
    const party = entry(page, 'Party');
    await party.waitFor();
    const [from, to] = [await center(party), await center(cell(page, dayAfter(4)))];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 8 });
    await page.mouse.up();
    await until('Party', dayAfter(4), dayAfter(4));
    await cell(bob.page, dayAfter(4)).getByText('Party').waitFor();

    await entry(page, 'Party').focus();
    await page.keyboard.press('ArrowRight');
    await until('Party', dayAfter(5), dayAfter(5));
    await cell(page, dayAfter(5)).getByText('Party').waitFor();
    await cell(page, dayAfter(5)).locator('[data-key]:focus').waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await until('Party', dayAfter(5), dayAfter(6));
    await cell(page, dayAfter(5)).locator('[data-key]:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await until('Party', dayAfter(-2), dayAfter(-1));
    await cell(bob.page, dayAfter(-2)).getByText('Party').waitFor();
    await page.keyboard.press('Control+z');
    await until('Party', dayAfter(5), dayAfter(6));
    expect(ada.complaints).toEqual([]);
  });

  test('is moved by a finger on a phone', async () => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(patience);
      await page.clock.setFixedTime(new Date(`${first}T09:00:00Z`));
      await signIn({ page, context, complaints: [] }, product.url, email);
      await open(page, few);
      await page.getByText('Picnic').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await page.getByLabel('Days in sight').selectOption({ label: 'Month' });
      const picnic = entry(page, 'Picnic');
      await picnic.waitFor();
      const from = await center(cell(page, dayAfter(0)));
      const { y } = await center(picnic);
      const to = await center(cell(page, dayAfter(7)));
      const session = await context.newCDPSession(page);
      const touch = (type: string, points: readonly { x: number; y: number }[]) =>
        session.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: [...points] });
      await touch('touchStart', [{ x: from.x, y }]);
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 500))),
      );
      for (let part = 1; part <= 8; part++)
        await touch('touchMove', [
          { x: from.x + ((to.x - from.x) * part) / 8, y: y + ((to.y - y) * part) / 8 },
        ]);
      await touch('touchEnd', []);
      await until('Picnic', dayAfter(7), dayAfter(8));
    } finally {
      await context.close();
    }
  });
});
