import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { swatches } from '@trellis/sdk/shared';
import type { Browser, Locator, Page } from 'playwright-core';
import { findingsInBothThemes } from './axe.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
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

interface Entity {
  readonly id: string;
}

interface Table extends Entity {
  readonly columns: readonly (Entity & { readonly title: string })[];
}

const email = 'ada@example.com';
const meta = '/api/v1/db/meta';

describeInBrowser('rows as cards', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let other: Person;
  let call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  let address: (viewId: string) => string;
  let kanban: string;
  let gallery: string;
  let projectId: string;
  let tableId: string;
  let columnOf: (title: string) => string;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, email);
    call = await signedInClient(product.url, email);
    await createProject(ada, 'Work');
    projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    const table = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Tasks',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Note', uidt: 'SingleLineText' },
        { title: 'Points', uidt: 'Number' },
        {
          title: 'State',
          uidt: 'SingleSelect',
          colOptions: { options: [{ title: 'Open' }, { title: 'Doing' }, { title: 'Done' }] },
        },
      ],
    });
    const rows = Array.from({ length: 300 }, (_, at) => ({
      Name: `Task ${at + 1}`,
      State: at < 3 ? ['Open', 'Open', 'Doing'][at] : 'Done',
      ...(at < 3 && { Points: at + 1 }),
      ...(at >= 10 && at % 3 === 0 && { Note: 'To be seen on the card' }),
    }));
    await call('POST', `/api/v1/db/data/bulk/noco/${projectId}/${table.id}`, rows);
    const views = await Promise.all([
      call<Entity>('POST', `${meta}/tables/${table.id}/kanbans`, { title: 'Board' }),
      call<Entity>('POST', `${meta}/tables/${table.id}/galleries`, { title: 'Cards' }),
    ]);
    tableId = table.id;
    columnOf = (title) => table.columns.find((column) => column.title === title)?.id ?? '';
    [kanban, gallery] = views.map(({ id }) => id) as [string, string];
    address = (id) => `${product.url}/#/nc/${projectId}?name=Tasks&dbalias=${table.id}&type=table&view=${id}`;
    other = await newPerson(browser, product.url);
    await signIn(other, product.url, email);
    // A wait for what never comes ends while the test can say so.
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const stack = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
  const card = (within: Page | Locator, name: string) => within.getByRole('article', { name, exact: true });
  /** Waits until the cards of a stack begin with these. */
  async function begins(page: Page, title: string, names: readonly string[]): Promise<void> {
    for (const [at, name] of names.entries())
      await stack(page, title)
        .locator(`[aria-posinset="${at + 1}"]`)
        .getByRole('article', { name, exact: true })
        .waitFor();
  }
  const center = async (of: Locator) => {
    const box = await of.boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };

  test('a kanban moves cards by mouse, between stacks and within one, on the screen of everybody, and takes moves back', async () => {
    for (const { page } of [ada, other]) {
      await page.goto(address(kanban));
      await begins(page, 'Open', ['Task 1', 'Task 2']);
    }
    const { page } = ada;
    await stack(page, 'Done').getByText('297', { exact: true }).waitFor();
    const from = await center(card(page, 'Task 1'));
    const to = await center(card(page, 'Task 3'));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 20, from.y, { steps: 3 });
    await page.mouse.move(to.x, to.y - 30, { steps: 8 });
    await page.mouse.up();
    for (const person of [ada, other]) {
      await begins(person.page, 'Doing', ['Task 1', 'Task 3']);
      await begins(person.page, 'Open', ['Task 2']);
    }
    const below = await center(card(page, 'Task 3'));
    const above = await center(card(page, 'Task 1'));
    await page.mouse.move(below.x, below.y);
    await page.mouse.down();
    await page.mouse.move(below.x, below.y - 20, { steps: 3 });
    await page.mouse.move(above.x, above.y - 30, { steps: 8 });
    await page.mouse.up();
    for (const person of [ada, other]) await begins(person.page, 'Doing', ['Task 3', 'Task 1']);
    await page.getByRole('button', { name: /^Undo/ }).click();
    await begins(page, 'Doing', ['Task 1', 'Task 3']);
    await page.getByRole('button', { name: /^Undo/ }).click();
    for (const person of [ada, other]) await begins(person.page, 'Open', ['Task 1', 'Task 2']);
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('a kanban is worked by keys, which a screen reader hears', async () => {
    const { page } = ada;
    await card(page, 'Task 1').focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Task 2');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('status').getByText('Place 2 in Doing.').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await begins(page, 'Doing', ['Task 2', 'Task 3']);
    await begins(other.page, 'Doing', ['Task 2', 'Task 3']);
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('a stack is renamed and recoloured in its menu, with a sum over its cards at its head, for everybody', async () => {
    const { page } = ada;
    await call('PATCH', `${meta}/views/${kanban}`, {
      meta: { stackedBy: columnOf('State'), figureColumnId: columnOf('Points'), figure: 'sum' },
    });
    for (const person of [ada, other]) {
      await stack(person.page, 'Open').getByText('Sum 1', { exact: true }).waitFor();
      await stack(person.page, 'Doing').getByText('Sum 5', { exact: true }).waitFor();
    }
    const edit = async (title: string) => {
      await page.getByRole('button', { name: `Menu of the stack ${title}` }).click();
      await page.getByRole('menuitem', { name: 'Name and colour' }).click();
      return page.getByRole('dialog', { name: 'Name and colour' });
    };
    for (const [from, to] of [
      ['Open', 'Ready'],
      ['Ready', 'Open'],
    ] as const) {
      const editor = await edit(from);
      await editor.getByLabel('Name of the stack').fill(to);
      await editor.getByRole('button', { name: 'Save' }).click();
      await begins(other.page, to, ['Task 1']);
      await editor.waitFor({ state: 'detached' });
      for (const person of [ada, other]) await stack(person.page, from).waitFor({ state: 'detached' });
    }
    const editor = await edit('Open');
    const colour = editor.getByRole('button', { name: 'Light amber' });
    await colour.click();
    await colour.and(page.locator('[aria-pressed=true]')).waitFor();
    await page.keyboard.press('Escape');
    const { columns } = await call<{ columns: readonly { title: string; meta: unknown }[] }>(
      'GET',
      `${meta}/tables/${tableId}`,
    );
    const state = columns.find(({ title }) => title === 'State');
    expect(state?.meta).toMatchObject({ options: [{ title: 'Open', color: swatches[6] }, {}, {}] });
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('a new card has the value of its stack, and stacks are added, hidden and collapsed for everybody', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'New row in Doing' }).click();
    await page.getByLabel('New row in Doing').fill('Fresh');
    await page.keyboard.press('Enter');
    await begins(page, 'Doing', ['Fresh', 'Task 2']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add a stack' }).click();
    await page.getByLabel('Name of the stack').fill('Later');
    await page.keyboard.press('Enter');
    await stack(other.page, 'Later').waitFor();
    // By its head to the place of another one.
    const [head, place] = [
      await center(stack(page, 'Later').locator('.kanban-head')),
      await center(stack(page, 'Doing')),
    ];
    await page.mouse.move(head.x, head.y);
    await page.mouse.down();
    await page.mouse.move(place.x, head.y, { steps: 8 });
    await page.locator('.kanban-dragged', { hasText: 'Later' }).waitFor();
    await page.mouse.up();
    for (const person of [ada, other])
      await person.page
        .locator('.kanban-stack[aria-label=Open] + [aria-label=Later] + [aria-label=Doing]')
        .waitFor();
    await page.getByRole('button', { name: 'Menu of the stack Open' }).click();
    await page.getByRole('menuitem', { name: 'Collapse' }).click();
    await stack(other.page, 'Open')
      .getByText('Open', { exact: true })
      .and(other.page.locator('.kanban-upright'))
      .waitFor();
    await page.getByRole('button', { name: 'Menu of the stack Later' }).click();
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await other.page.getByRole('button', { name: 'Show Later' }).waitFor();
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('cards that are selected go to another stack together, by dragging, by keys and by the menu, and come back in one step', async () => {
    const { page } = ada;
    const undo = page.getByRole('button', { name: /^Undo/ });
    const drag = async (name: string, to: Locator) => {
      const [from, over] = [await center(card(page, name)), await center(to)];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + 20, from.y, { steps: 3 });
      await page.mouse.move(over.x, over.y, { steps: 8 });
      await page.mouse.up();
    };
    await begins(page, 'Done', ['Task 4', 'Task 5', 'Task 6', 'Task 7']);
    await card(page, 'Task 4').click({ modifiers: ['Control'] });
    await card(page, 'Task 6').click({ modifiers: ['Shift'] });
    await page.getByRole('status').getByText('3 rows selected').waitFor();
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') writes.push(new URL(request.url()).pathname);
    });
    await drag('Task 5', stack(page, 'Uncategorised'));
    for (const person of [ada, other])
      await begins(person.page, 'Uncategorised', ['Task 4', 'Task 5', 'Task 6']);
    await page.getByText('rows selected').waitFor({ state: 'detached' });
    expect(writes).toEqual([expect.stringContaining('/bulk/')]);
    await undo.click();
    for (const person of [ada, other]) await begins(person.page, 'Done', ['Task 4', 'Task 5', 'Task 6']);
    await stack(page, 'Uncategorised').getByText('0', { exact: true }).waitFor();

    await card(page, 'Task 4').focus();
    await page.keyboard.press('Control+Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Space');
    await page.getByRole('status').getByText('2 rows selected').waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowLeft');
    await page
      .getByRole('status')
      .getByText(/in Doing/)
      .waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    for (const person of [ada, other]) await begins(person.page, 'Doing', ['Task 4', 'Task 5', 'Fresh']);
    await undo.click();
    for (const person of [ada, other]) await begins(person.page, 'Doing', ['Fresh', 'Task 2']);

    await card(page, 'Task 5').click({ modifiers: ['Control'] });
    await card(page, 'Task 7').click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: 'Move to …' }).click();
    await page.getByRole('menuitem', { name: 'Move to Doing' }).click();
    for (const person of [ada, other]) await begins(person.page, 'Doing', ['Task 5', 'Task 7', 'Fresh']);
    await undo.click();
    for (const person of [ada, other]) await begins(person.page, 'Doing', ['Fresh', 'Task 2']);
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('a card is as high as what it holds, and stays where it is seen while those above it are read', async () => {
    const { page } = ada;
    const done = stack(page, 'Done');
    const box = done.locator('.kanban-box');
    const places = () =>
      done.locator('.kanban-place').evaluateAll((all) =>
        all
          .map((of) => ({ of: of.getBoundingClientRect(), inner: of.querySelector('.tr-card-body') }))
          .map(({ of, inner }) => ({
            top: of.top,
            height: of.height,
            holds: (inner?.scrollHeight ?? 0) + 2,
          }))
          .sort((one, other) => one.top - other.top),
      );
    const fit = async () => {
      const all = await places();
      expect(new Set(all.map(({ height }) => height)).size).toBe(2);
      for (const [at, { top, height, holds }] of all.entries()) {
        expect(Math.abs(height - holds)).toBeLessThanOrEqual(2);
        const above = all[at - 1];
        if (above !== undefined) expect(Math.round(top - above.top - above.height)).toBe(8);
      }
    };
    await card(done, 'Task 13').waitFor();
    await fit();
    // To the end at once, and up again through what was never seen.
    await box.evaluate((of) => of.scrollTo(0, of.scrollHeight));
    await card(done, 'Task 300').waitFor();
    await card(done, 'Task 299').waitFor();
    const last = await card(done, 'Task 300').boundingBox();
    const bottom = await box.evaluate((of) => of.getBoundingClientRect().bottom);
    expect(bottom - (last?.y ?? 0) - (last?.height ?? 0)).toBeLessThan(30);
    await fit();
    const held = card(done, 'Task 296');
    const before = (await held.boundingBox())?.y ?? 0;
    await box.evaluate((of) => of.scrollBy(0, -100));
    await page.waitForFunction(([of, y]) => of !== null && Math.abs(of.getBoundingClientRect().top - y) < 3, [
      await held.elementHandle(),
      before + 100,
    ] as const);
    await fit();
    await box.evaluate((of) => of.scrollTo(0, 0));
    await card(done, 'Task 4').waitFor();
    await fit();
  });

  test('a finger that rests on a card moves it', async () => {
    // As wide as all stacks: a board that scrolls would take the stack away from under the finger.
    const tablet = await browser.newContext({ viewport: { width: 1600, height: 900 }, hasTouch: true });
    const page = await tablet.newPage();
    await signIn({ ...ada, page, context: tablet }, product.url, email);
    await page.goto(address(kanban));
    await begins(page, 'Doing', ['Fresh', 'Task 2']);
    const touch = await tablet.newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] });
    const from = await center(card(page, 'Fresh'));
    await send('touchStart', from);
    await page.locator('.tr-card.is-moving').waitFor();
    const to = await center(stack(page, 'Uncategorised'));
    for (const part of [0.3, 0.6, 1])
      await send('touchMove', { x: from.x + (to.x - from.x) * part, y: from.y });
    await page.locator('.kanban-stack[data-over=true][aria-label=Uncategorised]').waitFor();
    await send('touchEnd');
    await begins(page, 'Uncategorised', ['Fresh']);
    await begins(page, 'Doing', ['Task 2']);
    // Ticks are shown where nothing can hover.
    const room = await card(page, 'Task 2').evaluate((of) => {
      const name = of.querySelector<HTMLElement>('.tr-card-name');
      const tick = of.querySelector('.tr-card-tick input')?.getBoundingClientRect();
      const end =
        (name?.getBoundingClientRect().right ?? 0) -
        parseFloat(getComputedStyle(name as Element).paddingRight);
      return (tick?.left ?? 0) - end;
    });
    // A name that is too long ends before it.
    expect(room).toBeGreaterThanOrEqual(0);
    await card(page, 'Task 2').getByRole('checkbox').tap();
    await card(page, 'Task 3').getByRole('checkbox').tap();
    await page.getByRole('button', { name: 'Move to …' }).tap();
    await page.getByRole('menuitem', { name: 'Move to Uncategorised' }).tap();
    await begins(page, 'Uncategorised', ['Task 2', 'Task 3', 'Fresh']);
    await tablet.close();
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });

  test('a gallery draws what is in sight, is worked by keys, and adds and deletes rows', async () => {
    const { page } = ada;
    await page.goto(address(gallery));
    // The kanban that was open until now has cards of the same names.
    const cards = page.getByRole('region', { name: 'Tasks, view Cards' });
    await card(cards, 'Task 2').waitFor();
    expect(await cards.getByRole('article').count()).toBeLessThan(100);
    await cards.getByRole('article').first().focus();
    await page.keyboard.press('End');
    await card(cards, 'Task 300').waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('n');
    await page.getByLabel('New row').fill('Newest');
    await page.keyboard.press('Enter');
    await card(cards, 'Newest').waitFor();
    await page.keyboard.press('Escape');
    await card(cards, 'Newest').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete row' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await card(cards, 'Newest').waitFor({ state: 'detached' });
    // Where it stood may be far from the first cards.
    await cards.getByRole('article').first().focus();
    await page.keyboard.press('Home');
    await card(cards, 'Task 2').click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('a gallery shows what others add, has cards of the size that is chosen, and says where it is empty', async () => {
    const [own, cards] = [ada, other].map(({ page }) =>
      page.getByRole('region', { name: 'Tasks, view Cards' }),
    ) as [Locator, Locator];
    await other.page.goto(address(gallery));
    await card(cards, 'Task 2').waitFor();
    await call('POST', `/api/v1/db/data/noco/${projectId}/${tableId}`, { Name: 'From afar', State: 'Done' });
    await cards.getByText('302 rows').waitFor();
    await card(cards, 'Task 3').click();
    await other.page.getByRole('textbox', { name: 'Name' }).fill('Task 3 b');
    await other.page.getByRole('button', { name: 'Save', exact: true }).click();
    await card(cards, 'Task 3 b').waitFor();
    await other.page.keyboard.press('Escape');
    await card(own, 'Task 3 b').waitFor();
    const widthOf = async () => (await card(cards, 'Task 3 b').boundingBox())?.width ?? 0;
    const small = await widthOf();
    await call('PATCH', `${meta}/views/${gallery}`, { meta: { cardSize: 'large' } });
    await other.page.waitForFunction(
      (before) => (document.querySelector('.gallery .tr-card')?.getBoundingClientRect().width ?? 0) > before,
      small + 50,
    );
    await call('PATCH', `${meta}/views/${gallery}`, { meta: { cardSize: 'medium' } });
    const filter = await call<Entity>('POST', `${meta}/views/${gallery}/filters`, {
      fk_column_id: columnOf('Name'),
      comparison_op: 'eq',
      value: 'nobody',
    });
    await cards.getByText('No rows match the filters').waitFor();
    await call('DELETE', `${meta}/filters/${filter.id}`);
    await card(cards, 'Task 3 b').waitFor();
    expect([ada.complaints, other.complaints]).toEqual([[], []]);
  });

  test('a board by people moves cards to them, and opens them, also on a phone', async () => {
    const table = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Chores',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'Who', uidt: 'Collaborator' },
      ],
    });
    const data = `/api/v1/db/data/noco/${projectId}/${table.id}`;
    await call('POST', data, { Name: 'Cook', Who: email });
    await call('POST', data, { Name: 'Wash' });
    const who = table.columns.find(({ title }) => title === 'Who')?.id;
    const board = await call<Entity>('POST', `${meta}/tables/${table.id}/kanbans`, {
      title: 'By people',
      fk_grp_col_id: who,
    });
    const path = `/#/nc/${projectId}?name=Chores&dbalias=${table.id}&type=table&view=${board.id}`;
    const { page } = ada;
    await page.goto(product.url + path);
    const mine = page.getByRole('region', { name: /^ada/i });
    await card(mine, 'Cook').waitFor();
    const [from, to] = [await center(card(page, 'Wash')), await center(card(mine, 'Cook'))];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 20, from.y, { steps: 3 });
    await page.mouse.move(to.x, to.y - 10, { steps: 8 });
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.mouse.up();
    await card(mine, 'Wash').waitFor();
    expect((await saved).ok()).toBe(true);
    const whoOf = async (name: string) => {
      const { list } = await call<{ list: readonly { readonly Name: string; readonly Who: unknown }[] }>(
        'GET',
        data,
      );
      return list.find(({ Name }) => Name === name)?.Who;
    };
    expect(await whoOf('Wash')).toEqual(await whoOf('Cook'));
    await card(mine, 'Wash').click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.press('Escape');
    expect(ada.complaints).toEqual([]);

    const phone = await newPersonWithPhone(browser, product.url);
    await signIn(phone, product.url, email);
    await phone.page.goto(product.url + path);
    await phone.page.getByRole('article', { name: 'Wash', exact: true }).waitFor();
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await phone.page.getByRole('article', { name: 'Wash', exact: true }).tap();
    await phone.page.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(phone.complaints).toEqual([]);
    await phone.context.close();
  });

  test('a table without choices gets them with its first kanban, and a gallery has covers where one is chosen', async () => {
    const { page } = ada;
    const table = await call<Entity & { columns: readonly (Entity & { title: string })[] }>(
      'POST',
      `${meta}/projects/${projectId}/tables`,
      {
        title: 'Places',
        columns: [
          { title: 'Id', uidt: 'ID', pk: true, ai: true },
          { title: 'Name', uidt: 'SingleLineText' },
          { title: 'Photo', uidt: 'Attachment' },
        ],
      },
    );
    const views = `${meta}/tables/${table.id}`;
    const cards = await call<Entity>('POST', `${views}/galleries`, { title: 'Pictures' });
    await page.goto(
      `${product.url}/#/nc/${projectId}?name=Places&dbalias=${table.id}&type=table&view=${cards.id}`,
    );
    const pictures = page.getByRole('region', { name: 'Places, view Pictures' });
    await pictures.getByText('There are no rows yet.').waitFor();
    await call('POST', `/api/v1/db/data/noco/${projectId}/${table.id}`, { Name: 'Harbour' });
    const harbour = card(pictures, 'Harbour');
    await harbour.waitFor();
    const cover = harbour.locator('.tr-card-cover');
    await cover.waitFor({ state: 'detached' });
    const photo = table.columns.find(({ title }) => title === 'Photo');
    await call('PATCH', `${meta}/galleries/${cards.id}`, { fk_cover_image_col_id: photo?.id });
    await cover.locator('.tr-card-cover-none').waitFor();

    await page.getByRole('button', { name: 'Pictures' }).click();
    await page.getByRole('button', { name: 'New view: Kanban' }).click();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Make what the view needs?' });
    await question.getByText(/“Status” with To do, Doing, Done/).waitFor();
    await question.getByRole('button', { name: 'Create view' }).click();
    for (const title of ['Uncategorised', 'To do', 'Doing', 'Done']) await stack(page, title).waitFor();
    await card(stack(page, 'Uncategorised'), 'Harbour').waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('rows are looked for by their texts, on either', async () => {
    const { page } = other;
    for (const view of [kanban, gallery]) {
      await page.goto(address(view));
      const title = view === gallery ? 'Tasks, view Cards' : 'Tasks, view Board';
      const cards = page.getByRole('region', { name: title });
      await card(cards, 'Task 2').waitFor();
      await page.keyboard.press('Control+f');
      await page.getByRole('searchbox', { name: 'Search rows' }).fill('task 29');
      await card(cards, 'Task 299').waitFor();
      await card(cards, 'Task 2').waitFor({ state: 'detached' });
      expect(await cards.getByRole('article').count()).toBe(11);
    }
  });

  test('axe-core finds nothing serious on either, light or dark', async () => {
    const { page } = other;
    for (const view of [kanban, gallery]) {
      await page.goto(address(view));
      const title = view === gallery ? 'Tasks, view Cards' : 'Tasks, view Board';
      await page
        .getByRole('region', { name: title })
        .getByRole('article', { name: /^Task/ })
        .first()
        .waitFor();
      expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] });
    }
  });
});
