import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signedInClient, signIn, signUp, type Person } from './person.ts';

interface Entity {
  readonly id: string;
}

interface Task {
  readonly Name: string | null;
  readonly From: string;
  readonly To: string | null;
}

const email = 'ada@example.com';
const meta = '/api/v1/db/meta';

describeInBrowser('rows on their days', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let other: Person;
  let call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  let tableId: string;
  let rows: string;
  let address: string;
  let calendarId: string;
  /** The month that the calendars show, as `2026-11-`: asked of them, since it ends while a test runs or where a clock differs. */
  let month: string;
  const day = (of: number) => `${month}${String(of).padStart(2, '0')}`;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, email);
    call = await signedInClient(product.url, email);
    await createProject(ada, 'Work');
    const projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    const table = await call<Entity & { readonly columns: readonly (Entity & { readonly title: string })[] }>(
      'POST',
      `${meta}/projects/${projectId}/tables`,
      {
        title: 'Tasks',
        columns: [
          { title: 'Id', uidt: 'ID', pk: true, ai: true },
          { title: 'Name', uidt: 'SingleLineText' },
          { title: 'From', uidt: 'Date' },
          { title: 'To', uidt: 'Date' },
        ],
      },
    );
    tableId = table.id;
    rows = `/api/v1/db/data/noco/${projectId}/${tableId}`;
    const idOf = (title: string) => table.columns.find((column) => column.title === title)?.id ?? '';
    calendarId = (
      await call<Entity>('POST', `${meta}/tables/${tableId}/calendars`, {
        title: 'Days',
        meta: { ranges: [{ fromId: idOf('From'), toId: idOf('To') }] },
      })
    ).id;
    address = `${product.url}/#/nc/${projectId}?name=Tasks&dbalias=${tableId}&type=table&view=${calendarId}`;
    other = await newPerson(browser, product.url);
    await signIn(other, product.url, email);
    // A wait for what never comes ends while the test can say so.
    const shown = await monthOn(other.page);
    month = await monthOn(ada.page);
    // It can end between the two, once.
    if (shown !== month) await monthOn(other.page);
    await call('POST', `/api/v1/db/data/bulk/noco/${projectId}/${tableId}`, [
      { Name: 'Plan', From: day(6), To: day(6) },
      { Name: 'Build', From: day(13), To: day(14) },
      { Name: 'Begun earlier', From: '2001-01-01', To: day(20) },
      { Name: 'Long ago', From: '2001-01-01', To: '2001-01-02' },
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  /** Opens the calendar and reads which month it shows. */
  async function monthOn(page: Page): Promise<string> {
    await page.goto(address);
    await page.reload();
    const middle = page.locator('.calendar [data-date$="-15"]').first();
    return ((await middle.getAttribute('data-date')) ?? '').slice(0, 8);
  }
  /** Turns the weeks until one has the day. */
  async function goToDay(page: Page, of: string): Promise<void> {
    const there = page.locator(`.calendar [data-date="${of}"]`).first();
    const first = page.locator('.calendar [data-date]').first();
    await first.waitFor();
    while ((await there.count()) === 0) {
      const before = (await first.getAttribute('data-date')) ?? '';
      await page
        .locator('.tr-days-bar')
        .getByRole('button', { name: before < of ? 'On' : 'Back', exact: true })
        .click();
      await page.waitForFunction(
        (old) => document.querySelector('.calendar [data-date]')?.getAttribute('data-date') !== old,
        before,
      );
    }
  }
  const cell = (page: Page, of: number) => page.locator(`.calendar [data-date="${day(of)}"]`).first();
  const entry = (page: Page, name: string) =>
    page.locator('.calendar').getByText(name, { exact: true }).first();
  const center = async (of: Locator) => {
    const box = await of.boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };
  /** Waits until an entry is drawn in the cell of a day. */
  const standsOn = (page: Page, name: string, of: number) =>
    page.waitForFunction(
      ([text, date]) => {
        const drawn = [...document.querySelectorAll('.calendar *')].find(
          ({ childElementCount, textContent }) => childElementCount === 0 && textContent === text,
        );
        const [at, within] = [drawn, document.querySelector(`.calendar [data-date="${date}"]`)].map(
          (element) => element?.getBoundingClientRect(),
        );
        if (at === undefined || within === undefined) return false;
        return (
          at.left >= within.left - 2 &&
          at.left < within.right &&
          at.top >= within.top &&
          at.top < within.bottom
        );
      },
      [name, day(of)],
    );
  const plan = async () =>
    (await call<{ list: readonly Task[] }>('GET', `${rows}?where=(Name,eq,Plan)`)).list[0];

  test('a calendar shows the rows of the days in sight, and moves them by mouse on the screen of everybody', async () => {
    for (const { page } of [ada, other]) {
      for (const name of ['Plan', 'Build', 'Begun earlier']) await entry(page, name).waitFor();
      expect(await entry(page, 'Long ago').count()).toBe(0);
    }
    const { page } = ada;
    const from = await center(entry(page, 'Plan'));
    const to = await center(cell(page, 8));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 10, from.y + 4, { steps: 3 });
    await page.mouse.move(to.x, to.y, { steps: 8 });
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.mouse.up();
    await saved;
    expect(await plan()).toMatchObject({ From: day(8), To: day(8) });
    for (const person of [ada, other]) await standsOn(person.page, 'Plan', 8);
    await page.getByRole('button', { name: /^Undo/ }).click();
    for (const person of [ada, other]) await standsOn(person.page, 'Plan', 6);
    expect(await plan()).toMatchObject({ From: day(6), To: day(6) });
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('days without a row lead to the nearest one that has a day', async () => {
    const { page } = other;
    await page.goto(address);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    // "Begun earlier" lasts until this month: no month before it is empty, those after it are.
    for (let turn = 0; turn < 4; turn += 1)
      await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('No entries on these days').first().waitFor();
    await page.getByRole('button', { name: 'Next entry' }).click();
    await page.getByText('There is no later entry.').waitFor();
    await page.getByRole('button', { name: 'Previous entry' }).click();
    await entry(page, 'Plan').waitFor();
    expect(other.complaints).toEqual([]);
  });

  test('rows with times of day stand at their hours, and one without a date is dragged to its hour', async () => {
    const projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    const zoned = { timezone: 'Asia/Tokyo', date_format: 'YYYY-MM-DD', time_format: 'HH:mm' };
    const option = { id: 'op_1', title: 'Talk', color: '#7440d8' };
    const table = await call<Entity & { readonly columns: readonly (Entity & { readonly title: string })[] }>(
      'POST',
      `${meta}/projects/${projectId}/tables`,
      {
        title: 'Meetings',
        columns: [
          { title: 'Id', uidt: 'ID', pk: true, ai: true },
          { title: 'Name', uidt: 'SingleLineText' },
          { title: 'Begins', uidt: 'DateTime', meta: zoned },
          { title: 'Ends', uidt: 'DateTime', meta: zoned },
          { title: 'Kind', uidt: 'SingleSelect', meta: { options: [option] } },
        ],
      },
    );
    const idOf = (title: string) => table.columns.find((column) => column.title === title)?.id ?? '';
    const calendars = `${meta}/tables/${table.id}/calendars`;
    const ranges = [{ fromId: idOf('Begins'), toId: idOf('Ends') }];
    await expect(
      call('POST', calendars, { title: 'No', meta: { ranges, colorId: idOf('Name') } }),
    ).rejects.toThrow('take their colours from a list of options');
    const view = await call<Entity>('POST', calendars, {
      title: 'Hours',
      meta: { ranges, colorId: idOf('Kind') },
    });
    const of = `/api/v1/db/data/noco/${projectId}/${table.id}`;
    await call('POST', of, {
      Name: 'Breakfast',
      // Nine in the morning there.
      Begins: `${day(10)} 00:00:00`,
      Ends: `${day(10)} 01:00:00`,
      Kind: 'Talk',
    });
    await call('POST', of, { Name: 'Some day' });
    const { page } = ada;
    await page.goto(
      `${product.url}/#/nc/${projectId}?name=Meetings&dbalias=${table.id}&type=table&view=${view.id}`,
    );
    await entry(page, 'Breakfast').waitFor();
    await page.getByLabel('Days in sight').selectOption({ label: 'Week' });
    // The week of the tenth may be another one than the week that the calendar begins with.
    await goToDay(page, day(10));
    const breakfast = entry(page, 'Breakfast');
    await breakfast.waitFor();
    const shown = page.locator('.calendar').getByText(/^9:00/).first();
    await shown.waitFor();
    await page.getByRole('button', { name: 'Without a date' }).click();
    const undated = page.getByRole('region', { name: 'Without a date' });
    const waiting = undated.getByRole('button', { name: 'Some day', exact: true });
    await waiting.waitFor();
    const [from, to] = [await center(waiting), await center(breakfast)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x - 20, from.y + 10, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 10 });
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.mouse.up();
    await saved;
    await undated.getByText('Every row has its day.').waitFor();
    await entry(page, 'Some day').waitFor();
    const read = async () =>
      (
        await call<{ list: readonly { readonly Begins: string | null }[] }>(
          'GET',
          `${of}?where=(Name,eq,Some day)`,
        )
      ).list[0];
    expect((await read())?.Begins).toMatch(new RegExp(`^${day(10)} 00:[03]0:00`));
    await page.getByRole('button', { name: /^Undo/ }).click();
    await waiting.waitFor();
    expect((await read())?.Begins).toBeNull();
    expect(ada.complaints).toEqual([]);
  });
});
