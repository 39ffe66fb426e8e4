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
    // Whoever opened an entry by keys has them there again.
    await cell(page, dayAfter(5)).locator('[data-key]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Party' }).waitFor();
    await page.keyboard.press('Escape');
    await cell(page, dayAfter(5)).locator('[data-key]:focus').waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('asks for a row on a clicked day, and keeps nothing of it on Escape', async () => {
    const { page } = ada;
    await open(page, few);
    await entry(page, 'Picnic').waitFor();
    const at = await center(cell(page, dayAfter(9)));
    await page.mouse.click(at.x, at.y);
    const panel = page.getByRole('dialog', { name: 'New row' });
    await panel.waitFor();
    expect(await panel.getByRole('textbox', { name: 'Name' }).evaluate((of) => of.matches(':focus'))).toBe(
      true,
    );
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await cell(page, dayAfter(9)).locator('[data-key]').count()).toBe(0);
    await page.mouse.click(at.x, at.y);
    await panel.waitFor();
    await page.keyboard.type('Concert');
    await panel.getByLabel('Kind').fill('few');
    await panel.getByRole('button', { name: 'Add the row' }).click();
    await cell(page, dayAfter(9)).getByText('Concert').waitFor();
    expect((await daysOf('Concert'))[0]).toBe(dayAfter(9));
    expect(ada.complaints).toEqual([]);
  });

  test('stretches an entry by mouse, opens it, and shows those that are looked for', async () => {
    const { page } = ada;
    await open(page, few);
    const party = entry(page, 'Party');
    await party.waitFor();
    const [from] = await daysOf('Party');
    await call('POST', `/api/v1/db/data/noco/${projectId}/${table.id}`, {
      Name: 'Stretch',
      From: dayAfter(-7),
      To: dayAfter(-7),
      Kind: 'few',
    });
    const stretch = entry(page, 'Stretch');
    await stretch.waitFor();
    await stretch.hover();
    const box = await stretch.boundingBox();
    const to = await center(cell(page, dayAfter(-6)));
    if (box === null) throw new Error('The entry is not drawn.');
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 20, box.y + box.height / 2, { steps: 4 });
    await page.mouse.move(to.x, box.y + box.height / 2, { steps: 8 });
    await page.mouse.up();
    await until('Stretch', dayAfter(-7), dayAfter(-6));
    await page.keyboard.press('Control+z');
    await until('Stretch', dayAfter(-7), dayAfter(-7));

    await entry(page, 'Party').click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox', { name: 'Search rows' }).fill('part');
    await entry(page, 'Picnic').waitFor({ state: 'detached' });
    await entry(page, 'Party').waitFor();
    expect((await daysOf('Party'))[0]).toBe(from);
    await page.getByRole('searchbox', { name: 'Search rows' }).fill('');
    expect(ada.complaints).toEqual([]);
  });

  test('two entries at one hour stand beside each other', async () => {
    const talks = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Talks',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'At', uidt: 'DateTime' },
      ],
    });
    for (const Name of ['Opening', 'Workshop'])
      await call('POST', `/api/v1/db/data/noco/${projectId}/${talks.id}`, {
        Name,
        At: `${first} 10:00:00+00:00`,
      });
    const { id } = await call<Table>('POST', `${meta}/tables/${talks.id}/calendars`, { title: 'Hours' });
    const { page } = ada;
    await page.goto(`${product.url}/#/nc/${projectId}?name=Talks&dbalias=${talks.id}&type=table&view=${id}`);
    await page.getByLabel('Days in sight').selectOption({ label: 'Day' });
    const boxOf = async (name: string) => {
      const box = await entry(page, name).boundingBox();
      if (box === null) throw new Error(`${name} is not drawn.`);
      return box;
    };
    await page.getByRole('heading', { name: /June 10, 2026/ }).waitFor();
    await entry(page, 'Workshop').waitFor();
    const [one, two] = [await boxOf('Opening'), await boxOf('Workshop')].toSorted((a, b) => a.x - b.x);
    expect((one?.x ?? 0) + (one?.width ?? 0)).toBeLessThanOrEqual((two?.x ?? 0) + 1);
    expect(one?.y).toBe(two?.y);
    await page.reload();
    await page
      .getByLabel('Days in sight')
      .locator('option:checked', { hasText: 'Day' })
      .waitFor({ state: 'attached' });
    expect(ada.complaints).toEqual([]);
  });

  test('lists rows without a date, which get theirs by dragging and by a button', async () => {
    const { page } = ada;
    for (const Name of ['Someday', 'Sometime'])
      await call('POST', `/api/v1/db/data/noco/${projectId}/${table.id}`, { Name, Kind: 'few' });
    await open(page, few);
    await page.getByRole('button', { name: 'Without a date 2' }).click();
    const list = page.getByRole('region', { name: 'Without a date' });
    const someday = list.getByRole('button', { name: 'Someday', exact: true });
    const [from, to] = [await center(someday), await center(cell(page, dayAfter(10)))];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 8 });
    await page.mouse.up();
    await cell(page, dayAfter(10)).getByText('Someday').waitFor();
    await list.getByRole('button', { name: /^Put Sometime on Jun 10, 2026$/ }).click();
    await cell(page, dayAfter(0)).getByText('Sometime').waitFor();
    expect((await daysOf('Someday'))[0]).toBe(dayAfter(10));
    expect((await daysOf('Sometime'))[0]).toBe(dayAfter(0));
    await list.getByText('Every row has its day.').waitFor();
    expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] });
    expect(ada.complaints).toEqual([]);
  });

  test('marks today, and an agenda on a phone begins there, with what is past above it', async () => {
    await call(
      'POST',
      `/api/v1/db/data/bulk/noco/${projectId}/${table.id}`,
      Array.from({ length: 40 }, (_, at) => ({
        Name: at === 20 ? 'Lunch' : `Meeting ${at}`,
        From: dayAfter(Math.ceil((at - 20) / 4)),
        Kind: 'agenda',
      })),
    );
    const agenda = await call<Table>('POST', `${meta}/tables/${table.id}/calendars`, {
      title: 'Agenda',
      copy_from_id: few,
    });
    const [filter] = await call<readonly { readonly id: string }[]>(
      'GET',
      `${meta}/views/${agenda.id}/filters`,
    );
    await call('PATCH', `${meta}/filters/${filter?.id}`, { value: 'agenda' });
    await open(ada.page, agenda.id);
    const today = ada.page.locator('.calendar-days .calendar-today');
    expect(await today.textContent()).toBe(String(Number(first.slice(-2))));

    const phone = await newPersonWithPhone(browser, product.url);
    await phone.page.clock.setFixedTime(new Date(`${first}T09:00:00Z`));
    await signIn(phone, product.url, email);
    await open(phone.page, agenda.id);
    await phone.page.waitForFunction(() => {
      const top = document.querySelector('.calendar-days')?.getBoundingClientRect().top ?? 0;
      const head = document.querySelector('.calendar-list-today')?.getBoundingClientRect().top ?? 0;
      return head > 0 && Math.abs(head - top) < 4;
    });
    const heads = phone.page.locator('.calendar-list-today');
    expect(await heads.count()).toBe(1);
    expect((await phone.page.getByText('Meeting 0', { exact: true }).boundingBox())?.y).toBeLessThan(0);
    expect([...ada.complaints, ...phone.complaints]).toEqual([]);
    await phone.context.close();
  });

  test('is moved by a finger on a phone', async () => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    try {
      const page = await context.newPage();
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
