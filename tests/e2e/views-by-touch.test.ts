import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { newPerson, newPersonWithPhone, signedInClient, signIn, signUp, type Person } from './person.ts';
import { expectUntil } from './expect-until.ts';
import { keepPicture } from './pictures.ts';

const email = 'finger@example.com';
const meta = '/api/v1/db/meta';
/** What the phone takes for today. */
const today = '2026-06-10';
const rows = 100_000;
const perCall = 10_000;
const stages = ['Open', 'Doing', 'Done'] as const;

interface Table {
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
}

const dayFromToday = (days: number): string =>
  new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
/** Rows begin on the five days that a phone shows of a timeline, and last two. */
const beginOf = (n: number): string => dayFromToday((n % 5) - 1);

describeInBrowser('100,000 rows under a finger, and on a board under a mouse', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let phone: Person;
  let finger: CDPSession;
  let call: Awaited<ReturnType<typeof signedInClient>>;
  let projectId = '';
  let table: Table;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    const owner = await newPerson(browser, product.url);
    await signUp(owner, product.url, email);
    await owner.context.close();
    call = await signedInClient(product.url, email);
    projectId = (await call<{ id: string }>('POST', `${meta}/projects`, { title: 'Works' })).id;
    table = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Task',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'From', uidt: 'Date' },
        { title: 'To', uidt: 'Date' },
        {
          title: 'Stage',
          uidt: 'SingleSelect',
          meta: { options: stages.map((title) => ({ id: `sl_${title}`, title, color: '#cfdffe' })) },
        },
      ],
    });
    for (let start = 0; start < rows; start += perCall)
      await call(
        'POST',
        `/api/v1/db/data/bulk/noco/${projectId}/${table.id}`,
        Array.from({ length: perCall }, (_, at) => {
          const n = start + at + 1;
          const Stage = stages[n % stages.length];
          return { Name: `Task ${n}`, From: beginOf(n), To: dayFromToday(n % 5), Stage };
        }),
      );
    phone = await newPersonWithPhone(browser, product.url);
    await signIn(phone, product.url, email);
    await phone.page.clock.setFixedTime(new Date(`${today}T09:00:00Z`));
    finger = await phone.context.newCDPSession(phone.page);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const column = (title: string) => table.columns.find((of) => of.title === title)?.id ?? '';
  /** Makes a view and opens it on the phone. */
  async function open(plural: string, body: object = {}): Promise<Page> {
    const { id } = await call<Table>('POST', `${meta}/tables/${table.id}/${plural}`, {
      title: plural,
      ...body,
    });
    await phone.page.goto(
      `${product.url}/#/nc/${projectId}?name=Task&dbalias=${table.id}&type=table&view=${id}`,
    );
    return phone.page;
  }
  async function keepPictures(name: string): Promise<void> {
    const { page } = phone;
    const before = await page.evaluate(() => document.documentElement.dataset.theme);
    for (const theme of ['light', 'dark']) {
      await page.evaluate((value) => (document.documentElement.dataset.theme = value), theme);
      await keepPicture(page, `touch ${name} ${theme}`);
    }
    await page.evaluate((value) => (document.documentElement.dataset.theme = value), before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }

  interface Place {
    readonly x: number;
    readonly y: number;
  }
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Place) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] });
  const untilDrawn = () => phone.page.evaluate(() => new Promise(requestAnimationFrame));
  /** Scrolls by swipes in the middle of the screen. */
  async function swipeUp(): Promise<void> {
    for (let turn = 0; turn < 6; turn += 1) {
      // At once, so that the finger rests nowhere long enough for taking hold of what is there, however busy the machine.
      await Promise.all([touch('touchStart', { x: 190, y: 700 }), touch('touchMove', { x: 190, y: 650 })]);
      for (const y of [600, 500, 380, 280]) {
        await untilDrawn();
        await touch('touchMove', { x: 190, y });
      }
      await touch('touchEnd');
    }
    await untilStill();
  }
  /** A tap on what still scrolls would only stop it. */
  const untilStill = () =>
    phone.page.evaluate(async () => {
      const places = () =>
        [...document.querySelectorAll('.tr-card-tiles, .timeline-lines, .kanban-box')]
          .map(({ scrollTop }) => scrollTop)
          .join();
      for (let [before, frames] = [places(), 0]; frames < 10; frames += 1) {
        await new Promise(requestAnimationFrame);
        if (places() !== before) [before, frames] = [places(), 0];
      }
    });
  /** The row that a name is of, in the middle of the screen. */
  async function numberInSight(selector: string): Promise<number> {
    const found = await phone.page.waitForFunction((of) => {
      const names = [...document.querySelectorAll(of)].filter((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top > 250 && bottom < 780;
      });
      const text = names[0]?.getAttribute('aria-label') ?? names[0]?.textContent ?? '';
      return Number(/^Task (\d+)/.exec(text)?.[1] ?? 0) || false;
    }, selector);
    return Number(await found.jsonValue());
  }
  /** A tap opens the row in its panel, which is closed again. The browser takes one soon after a swipe for the end of its scrolling. */
  async function tapOpens(of: Locator, n: number, picture?: string): Promise<void> {
    const panel = phone.page.getByRole('dialog', { name: `Task ${n}` });
    await of.tap();
    const isOpen = () =>
      panel.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    for (let taps = 1; taps < 3 && !(await isOpen()); taps += 1) await of.tap();
    await panel.getByRole('textbox', { name: 'Name' }).waitFor();
    if (picture !== undefined) await keepPictures(picture);
    await panel.getByRole('button', { name: 'Close' }).tap();
    await panel.waitFor({ state: 'detached' });
  }
  const toTheEnd = (selector: string) =>
    phone.page.locator(selector).evaluate((box) => box.scrollTo(0, box.scrollHeight));

  test('a gallery scrolls, and a tap opens a card, at its beginning and at its end', async () => {
    const page = await open('galleries');
    const card = (n: number) => page.getByRole('article', { name: `Task ${n}`, exact: true });
    await card(1).waitFor();
    await keepPictures('gallery');
    await swipeUp();
    const n = await numberInSight('.tr-card');
    expect(n).toBeGreaterThan(10);
    await tapOpens(card(n), n, 'gallery row');
    // The card from which the panel was opened may take the focus, and its place in sight, a moment after the panel is gone.
    await expectUntil(async () => {
      await toTheEnd('.tr-card-tiles');
      return card(rows).isVisible();
    });
    await tapOpens(card(rows), rows);
    expect(phone.complaints).toEqual([]);
  });

  test('a calendar opens with its agenda, and its month says how many entries each day has', async () => {
    const page = await open('calendars', {
      meta: { ranges: [{ fromId: column('From'), toId: column('To') }] },
    });
    const entry = page.locator('.calendar-days').getByText('Task 10', { exact: true }).last();
    await entry.waitFor();
    await keepPictures('calendar agenda');
    await tapOpens(entry, 10);
    // What is not read says how much of it there is, and comes by a tap.
    const notice = page.locator('.tr-more-rows');
    await notice.getByText('The first 1,000 of 100,000 entries', { exact: false }).waitFor();
    await notice.getByRole('button', { name: 'Show 1,000 more' }).tap();
    await notice.getByText('The first 2,000 of 100,000 entries', { exact: false }).waitFor();
    await page.locator('.calendar-days').getByText('Task 1500', { exact: true }).last().waitFor();
    await page.getByLabel('Days in sight').selectOption({ label: 'Month' });
    const count = page.locator(`.calendar-days [data-date="${today}"] .calendar-count`);
    await count.waitFor();
    // The number of those that are not shown would be one of those that are read alone.
    await page.locator('.calendar-days').getByText('More', { exact: true }).first().waitFor();
    expect(await page.locator('.calendar-days').getByText(/^\+\d/).count()).toBe(0);
    await keepPictures('calendar month');
    expect(phone.complaints).toEqual([]);
  });

  const center = async (of: Locator): Promise<Place> => {
    const box = await of.boundingBox();
    if (box === null) throw new Error('Nothing is drawn there.');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  /** Goes on with the finger, in steps as a finger makes them. */
  async function moveTo(from: Place, to: Place): Promise<void> {
    for (const part of [0.2, 0.4, 0.6, 0.8, 1])
      await touch('touchMove', { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
  }
  /** What the server keeps of a row. */
  const kept = (n: number) =>
    call<{ readonly From: string; readonly To: string; readonly Stage: string }>(
      'GET',
      `/api/v1/db/data/noco/${projectId}/${table.id}/${n}`,
    );
  /** A change that the page sends, as the server has taken it. */
  const saved = () =>
    phone.page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.url().includes('/data/'),
    );

  test('a timeline scrolls, a tap opens a bar, and one that a finger rests on goes to other days', async () => {
    const page = await open('timelines', {
      meta: { fromId: column('From'), toId: column('To'), zoom: 'day' },
    });
    const bar = (n: number) => page.getByRole('button', { name: new RegExp(`^Task ${n}, `) });
    await bar(5).waitFor();
    await keepPictures('timeline');
    await swipeUp();
    // One that ends before the last day in sight, so that it can go a day on.
    const seen = await numberInSight('.timeline-bar-body');
    expect(seen).toBeGreaterThan(10);
    const n = seen + ((6 - (seen % 5)) % 5);
    await tapOpens(bar(n), n, 'timeline row');
    const before = { From: beginOf(n), To: dayFromToday(n % 5) };
    expect(await kept(n)).toMatchObject(before);

    const scale = await page.locator('.timeline-scale .timeline-track').boundingBox();
    const day = (scale?.width ?? 0) / (await page.locator('.timeline-tick').count());
    const from = await center(bar(n));
    await touch('touchStart', from);
    await page.locator('.timeline-bar[data-moved=true]').waitFor();
    await moveTo(from, { x: from.x + day, y: from.y });
    const answer = saved();
    await touch('touchEnd');
    expect((await answer).ok()).toBe(true);
    expect(await kept(n)).toMatchObject({ From: dayFromToday(1), To: dayFromToday(2) });
    expect(phone.complaints).toEqual([]);
  });

  test('a board opens with the first cards of each stack, scrolls to the last, and moves one that lies deep into another stack', async () => {
    const { id } = await call<Table>('POST', `${meta}/tables/${table.id}/kanbans`, {
      title: 'Board',
      meta: { stackedBy: column('Stage') },
    });
    const clerk = await newPerson(browser, product.url);
    await signIn(clerk, product.url, email);
    const { page } = clerk;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith(id)) asked.push(request.url());
    });
    await page.goto(`${product.url}/#/nc/${projectId}?name=Task&dbalias=${table.id}&type=table&view=${id}`);
    const stack = (title: string) => page.getByRole('region', { name: title, exact: true });
    const at = (title: string, place: number) =>
      stack(title).locator(`[aria-posinset="${place}"][aria-setsize="${sizes[title] ?? 0}"]`);
    const card = (n: number) => page.getByRole('article', { name: `Task ${n}`, exact: true });
    // Rows are in the stages in turns, of which the second one is the first.
    const sizes: Record<string, number> = { Open: 33_333, Doing: 33_334, Done: 33_333 };
    for (const [place, title] of (['Doing', 'Done', 'Open'] as const).entries())
      await at(title, 1)
        .getByRole('article', { name: `Task ${place + 1}`, exact: true })
        .waitFor();
    expect(await page.getByRole('article').count()).toBeLessThan(100);
    // One page of each, that of rows without a stage among them. What the page hears late of the view that was just made may have it read them again.
    expect(new Set(asked).size).toBe(stages.length + 1);
    const toPart = (title: string, part: number) =>
      stack(title)
        .locator('.kanban-box')
        .evaluate((box, of) => box.scrollTo(0, box.scrollHeight * of), part);
    await toPart('Doing', 1);
    await at('Doing', 33_334)
      .getByRole('article', { name: `Task ${rows}`, exact: true })
      .waitFor();
    await toPart('Doing', 0.5);
    // Those of the end stay until the ones of the middle are drawn.
    const deep = await page.waitForFunction((all) => {
      const box = document.querySelector('.kanban-stack[aria-label=Doing] .kanban-box');
      const middle = (box?.getBoundingClientRect().top ?? 0) + (box?.clientHeight ?? 0) / 2;
      const found = [...(box?.querySelectorAll('.tr-card[aria-label]') ?? [])].find(
        (element) => element.getBoundingClientRect().top > middle,
      );
      const of = Number(/^Task (\d+)$/.exec(found?.getAttribute('aria-label') ?? '')?.[1] ?? 0);
      return of > all / 4 && of < all * 0.75 && of;
    }, rows);
    const n = Number(await deep.jsonValue());
    const [from, to] = [await center(card(n)), await center(card(2))];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y - 20, { steps: 10 });
    await page.locator('.kanban-stack[data-over=true][aria-label=Done]').waitFor();
    const answer = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().includes('/move'),
    );
    await page.mouse.up();
    await stack('Done')
      .getByRole('article', { name: `Task ${n}`, exact: true })
      .waitFor();
    expect((await answer).ok()).toBe(true);
    expect(await kept(n)).toMatchObject({ Stage: 'Done' });
    sizes['Done'] = 33_334;
    await at('Done', 3).waitFor();
    await clerk.context.close();
    expect(clerk.complaints).toEqual([]);
  });

  test('a bar too short for its ends has them at the edge of the days in sight as well', async () => {
    // Four months are in sight from the one before today's.
    const [first, last] = ['2026-05-01', '2026-08-31'];
    const { id, columns } = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Edge',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'From', uidt: 'Date' },
        { title: 'To', uidt: 'Date' },
      ],
    });
    const dates = columns.filter(({ title }) => title === 'From' || title === 'To').map((of) => of.id);
    const data = `/api/v1/db/data/noco/${projectId}/${id}`;
    for (const day of [last, first]) await call('POST', data, { Name: `On ${day}`, From: day, To: day });
    const view = await call<Table>('POST', `${meta}/tables/${id}/timelines`, {
      title: 'Edge',
      meta: { fromId: dates[0], toId: dates[1], zoom: 'month' },
    });
    const { page } = phone;
    await page.goto(`${product.url}/#/nc/${projectId}?name=Edge&dbalias=${id}&type=table&view=${view.id}`);
    const bar = (day: string) => page.getByRole('button', { name: new RegExp(`^On ${day}, `) });
    await bar(last).waitFor();
    await keepPictures('timeline edges');
    const width = (await page.locator('.timeline-scale .timeline-track').boundingBox())?.width ?? 0;
    const day = width / 123;
    /** Goes on at once for some days, by which the row is saved. */
    async function pull(of: Locator, days: number): Promise<void> {
      const from = await center(of);
      const answer = saved();
      await Promise.all([
        touch('touchStart', from),
        touch('touchMove', { x: from.x + Math.sign(days) * 9, y: from.y }),
      ]);
      await moveTo(from, { x: from.x + days * day, y: from.y });
      await touch('touchEnd');
      expect((await answer).ok()).toBe(true);
    }
    const row = (n: number) => call<{ readonly From: string; readonly To: string }>('GET', `${data}/${n}`);
    await pull(bar(last), 10);
    expect(await row(1)).toMatchObject({ From: last, To: dayFromToday(92) });
    await pull(bar(first), -10);
    const pulled = await row(2);
    expect(pulled).toMatchObject({ From: '2026-04-21', To: first });
    // One that goes down the page scrolls it, however far it slips sideways meanwhile.
    const written: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') written.push(request.url());
    });
    const from = await center(bar(first));
    await Promise.all([touch('touchStart', from), touch('touchMove', { x: from.x + day, y: from.y + 9 })]);
    await moveTo(from, { x: from.x + 5 * day, y: from.y + 120 });
    await touch('touchEnd');
    // A tap opens it all the same.
    await bar(last).tap();
    await page.getByRole('dialog', { name: `On ${last}` }).waitFor();
    expect(written).toEqual([]);
    expect(await row(2)).toEqual(pulled);
    expect(phone.complaints).toEqual([]);
  });
});
