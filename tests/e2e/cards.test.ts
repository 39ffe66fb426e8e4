import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { findingsInBothThemes } from './axe.ts';
import { describeInBrowser, launchBrowser, patience } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signedInClient, signIn, signUp, type Person } from './person.ts';

interface Entity {
  readonly id: string;
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

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, email);
    call = await signedInClient(product.url, email);
    await createProject(ada, 'Work');
    projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    const table = await call<Entity>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Tasks',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
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
    }));
    await call('POST', `/api/v1/db/data/bulk/noco/${projectId}/${table.id}`, rows);
    const views = await Promise.all([
      call<Entity>('POST', `${meta}/tables/${table.id}/kanbans`, { title: 'Board' }),
      call<Entity>('POST', `${meta}/tables/${table.id}/galleries`, { title: 'Cards' }),
    ]);
    [kanban, gallery] = views.map(({ id }) => id) as [string, string];
    address = (id) => `${product.url}/#/nc/${projectId}?name=Tasks&dbalias=${table.id}&type=table&view=${id}`;
    other = await newPerson(browser, product.url);
    await signIn(other, product.url, email);
    // A wait for what never comes ends while the test can say so.
    for (const { page } of [ada, other]) page.setDefaultTimeout(patience);
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

  test('a finger that rests on a card moves it', async () => {
    const phone = await browser.newContext({ viewport: { width: 820, height: 900 }, hasTouch: true });
    const page = await phone.newPage();
    await signIn({ ...ada, page, context: phone }, product.url, email);
    await page.goto(address(kanban));
    await begins(page, 'Doing', ['Fresh', 'Task 2']);
    const touch = await phone.newCDPSession(page);
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
    await card(page, 'Task 2').getByRole('checkbox').tap();
    await card(page, 'Task 3').getByRole('checkbox').tap();
    await page.getByRole('button', { name: 'Move to …' }).tap();
    await page.getByRole('menuitem', { name: 'Move to Uncategorised' }).tap();
    await stack(page, 'Uncategorised').scrollIntoViewIfNeeded();
    await begins(page, 'Uncategorised', ['Task 2', 'Task 3', 'Fresh']);
    await phone.close();
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
    await card(cards, 'Task 2').click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(ada.complaints).toEqual([]);
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
    await call('POST', `/api/v1/db/data/noco/${projectId}/${table.id}`, { Name: 'Harbour' });
    const views = `${meta}/tables/${table.id}`;
    const cards = await call<Entity>('POST', `${views}/galleries`, { title: 'Pictures' });
    await page.goto(
      `${product.url}/#/nc/${projectId}?name=Places&dbalias=${table.id}&type=table&view=${cards.id}`,
    );
    const harbour = card(page.getByRole('region', { name: 'Places, view Pictures' }), 'Harbour');
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
