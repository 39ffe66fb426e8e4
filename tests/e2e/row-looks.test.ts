import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { darkSwatches } from '@trellis/sdk/shared';
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
  readonly views: readonly Entity[];
}

const email = 'ada@example.com';
const meta = '/api/v1/db/meta';
const day = (at: number) => new Date(Date.now() + at * 86_400_000).toISOString().slice(0, 10);

describeInBrowser('how rows look', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  let address: (viewId: string) => string;
  let table: Table;
  let grid = '';
  const others = new Map<string, string>();

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, email);
    call = await signedInClient(product.url, email);
    await createProject(ada, 'Work');
    const projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    table = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Tasks',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'Notes', uidt: 'LongText' },
        {
          title: 'State',
          uidt: 'SingleSelect',
          colOptions: { options: [{ title: 'Open' }, { title: 'Done' }] },
        },
        { title: 'Pay', uidt: 'Number' },
        { title: 'From', uidt: 'Date' },
        { title: 'To', uidt: 'Date' },
      ],
    });
    grid = table.views[0]?.id ?? '';
    await call(
      'POST',
      `/api/v1/db/data/bulk/noco/${projectId}/${table.id}`,
      Array.from({ length: 60 }, (_, at) => ({
        Name: `Task ${at + 1}`,
        Notes: 'What is to be done, said at such a length that it takes several lines. '.repeat(3),
        State: at % 2 === 0 ? 'Open' : 'Done',
        Pay: at,
        ...(at < 3 && { From: day(0), To: day(1) }),
      })),
    );
    const views = `${meta}/tables/${table.id}`;
    const range = { fromId: column('From'), toId: column('To') };
    for (const [plural, more] of [
      ['galleries', {}],
      ['kanbans', {}],
      ['calendars', { meta: { ranges: [range] } }],
      ['timelines', { meta: range }],
    ] as const)
      others.set(plural, (await call<Entity>('POST', `${views}/${plural}`, { title: plural, ...more })).id);
    address = (id) => `${product.url}/#/nc/${projectId}?name=Tasks&dbalias=${table.id}&type=table&view=${id}`;
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const column = (title: string) => table.columns.find((of) => of.title === title)?.id ?? '';
  const rule = (id: string, color: string, title: string, operator: string, value: string) => ({
    id,
    color,
    filters: [{ kind: 'condition', id, logicalOp: 'and', columnId: column(title), operator, value }],
  });
  /** Keeps options with a view beside those that it has. */
  async function keep(viewId: string, options: object): Promise<void> {
    const { list } = await call<{ readonly list: readonly (Entity & { readonly meta: object | null })[] }>(
      'GET',
      `${meta}/tables/${table.id}/views`,
    );
    const kept = list.find(({ id }) => id === viewId)?.meta;
    await call('PATCH', `${meta}/views/${viewId}`, { meta: { ...kept, ...options } });
  }
  const colour = (viewId: string, colored: object) => keep(viewId, { additions: { 'row-colors': colored } });
  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('gridcell', { name, exact: true }) });
  const colorOf = (of: Locator) =>
    of.evaluate((element: HTMLElement) => [
      element.dataset.rowColor,
      element.style.getPropertyValue('--tr-row-color'),
    ]);
  /** Waits until options with these words are kept with the grid. */
  async function untilSaved(page: Page, words: string): Promise<void> {
    const answer = await page.waitForResponse((response) => {
      const request = response.request();
      const isOfGrid = request.method() === 'PATCH' && request.url().endsWith(`/views/${grid}`);
      return isOfGrid && request.postData()?.includes(words) === true;
    });
    expect(answer.status()).toBe(200);
  }
  /** Waits until something has a colour. */
  async function isColored(of: Locator, place: 'row' | 'stripe', color: string): Promise<void> {
    const element = await of.first().elementHandle();
    await of
      .page()
      .waitForFunction(
        ([one, wanted, where]) =>
          one instanceof HTMLElement &&
          one.dataset.rowColor === where &&
          one.style.getPropertyValue('--tr-row-color') === wanted,
        [element, color, place] as const,
      );
  }

  test('rules colour the rows of a grid as they are made, the first one before the others, and stay with the view', async () => {
    const { page } = ada;
    await page.goto(address(grid));
    await page.getByRole('gridcell', { name: 'Task 1', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Colour/ }).click();
    const panel = page.getByRole('dialog', { name: 'Colour' });
    const condition = async (at: number, title: string, comparison: string, value: string) => {
      const one = panel.getByRole('list', { name: 'Rules' }).locator('> li').nth(at);
      await one.getByLabel('Column to filter by').selectOption({ label: title });
      await one.getByLabel('Comparison').selectOption({ label: comparison });
      await one.getByRole('textbox').first().fill(value);
    };
    await panel.getByRole('button', { name: 'Add rule' }).click();
    await condition(0, 'Pay', '>', '3');
    await isColored(row(page, 'Task 5'), 'row', '#2d6fdb');
    await panel.getByRole('button', { name: 'Add rule' }).click();
    await condition(1, 'Name', 'is equal', 'Task 6');
    expect(await colorOf(row(page, 'Task 6'))).toEqual(['row', '#2d6fdb']);
    // Before the other it is asked first.
    await panel.getByRole('button', { name: 'Move rule 2: arrow up or down' }).focus();
    await page.keyboard.press('ArrowUp');
    await isColored(row(page, 'Task 6'), 'row', '#0a86c2');
    const saved = untilSaved(page, '"stripe"');
    await panel.getByRole('radio', { name: 'Stripe at the edge' }).check({ force: true });
    await isColored(row(page, 'Task 6'), 'stripe', '#0a86c2');
    await saved;
    await page.reload();
    await isColored(row(page, 'Task 6'), 'stripe', '#0a86c2');
    expect(await colorOf(row(page, 'Task 1'))).toEqual([undefined, '']);
    expect(ada.complaints).toEqual([]);
  });

  test('a change of a row changes its colour, also where the column of the rule is hidden', async () => {
    const { page } = ada;
    const places = await call<readonly (Entity & { readonly fk_column_id: string })[]>(
      'GET',
      `${meta}/views/${grid}/columns`,
    );
    const place = places.find((of) => of.fk_column_id === column('Pay'));
    await call('PATCH', `${meta}/views/${grid}/columns/${place?.id}`, { show: false });
    await page.getByRole('columnheader', { name: /Pay/ }).waitFor({ state: 'detached' });
    await isColored(row(page, 'Task 5'), 'stripe', '#2d6fdb');
    const cell = page.getByRole('gridcell', { name: 'Task 1', exact: true });
    await cell.click();
    await page.keyboard.type('Task 6');
    await page.keyboard.press('Enter');
    await isColored(row(page, 'Task 6').first(), 'stripe', '#0a86c2');
    await page.keyboard.press('Control+z');
    await page.getByRole('gridcell', { name: 'Task 1', exact: true }).waitFor();
    expect(await colorOf(row(page, 'Task 1'))).toEqual([undefined, '']);
  });

  test('cards, boards, days and bars have the colours of their rows', async () => {
    const { page } = ada;
    const rules = [rule('r1', '#cf2750', 'Pay', 'gt', '0')];
    for (const place of ['row', 'stripe'] as const) {
      for (const id of others.values()) await colour(id, { place, rules });
      await page.goto(address(others.get('galleries') ?? ''));
      await isColored(page.getByRole('article', { name: 'Task 2', exact: true }), place, '#cf2750');
      await page.goto(address(others.get('kanbans') ?? ''));
      await isColored(page.getByRole('article', { name: 'Task 2', exact: true }), place, '#cf2750');
      await page.goto(address(others.get('calendars') ?? ''));
      const entry = page.locator('.calendar-days [data-entry]').filter({ hasText: 'Task 2' }).first();
      await entry.waitFor();
      if (place === 'stripe') await isColored(entry, place, '#cf2750');
      await page.goto(address(others.get('timelines') ?? ''));
      const bar = page.getByRole('button', { name: /^Task 2, / });
      await bar.waitFor();
      if (place === 'stripe') await isColored(bar, place, '#cf2750');
      else
        expect(
          await bar
            .locator('..')
            .evaluate((element: HTMLElement) => element.style.getPropertyValue('--timeline-bar')),
        ).toBe('#cf2750');
    }
    expect(ada.complaints).toEqual([]);
  });

  test('a rule by picked rows colours the rows that are linked to them, also where the view hides the links', async () => {
    const path = '/api/v1/db/data/noco/Work/Tasks';
    const made = await call<Table>('POST', `${meta}/tables/${table.id}/columns`, {
      title: 'Parts',
      uidt: 'LinkToAnotherRecord',
      parentId: table.id,
      childId: table.id,
      type: 'mm',
    });
    await call('POST', `${path}/4/mm/Parts/9`, {});
    await call('POST', `${path}/5/mm/Parts/8`, {});
    await colour(grid, { place: 'row', rules: [] });
    const { page } = ada;
    await page.goto(address(grid));
    await page.getByRole('gridcell', { name: 'Task 4', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Colour/ }).click();
    const panel = page.getByRole('dialog', { name: 'Colour' });
    await panel.getByRole('button', { name: 'Add rule' }).click();
    await panel.getByLabel('Column to filter by').selectOption({ label: 'Parts' });
    await panel.getByLabel('Comparison').selectOption({ label: 'has any of' });
    await panel.getByRole('button', { name: 'Parts', exact: true }).click();
    const list = page.getByRole('dialog', { name: 'Parts', exact: true });
    const saved = untilSaved(page, '"value":"9"');
    await list.getByRole('searchbox').fill('Task 9');
    await list.getByRole('button', { name: 'Task 9', exact: true }).click();
    await list.getByRole('button', { name: 'Done' }).click();
    await isColored(row(page, 'Task 4'), 'row', '#2d6fdb');
    expect(await colorOf(row(page, 'Task 5'))).toEqual([undefined, '']);
    await saved;
    const places = await call<readonly (Entity & { readonly fk_column_id: string })[]>(
      'GET',
      `${meta}/views/${grid}/columns`,
    );
    const parts = made.columns.find(({ title }) => title === 'Parts');
    const place = places.find((of) => of.fk_column_id === parts?.id);
    await call('PATCH', `${meta}/views/${grid}/columns/${place?.id}`, { show: false });
    await page.reload();
    await isColored(row(page, 'Task 4'), 'row', '#2d6fdb');
    // Somebody else links another row.
    await call('POST', `${path}/5/mm/Parts/9`, {});
    await isColored(row(page, 'Task 5'), 'row', '#2d6fdb');
    expect(ada.complaints).toEqual([]);
  });

  test('whoever has the link sees the colours by what the view shows, and is told of no other rule', async () => {
    await colour(grid, {
      place: 'row',
      rules: [rule('r1', '#cf2750', 'Pay', 'gt', '3'), rule('r2', '#1c8a2c', 'State', 'eq', 'Done')],
    });
    await keep(grid, { rowHeight: 'tall' });
    const { uuid } = await call<{ readonly uuid: string }>('POST', `${meta}/views/${grid}/share`, {});
    const stranger = await newPerson(browser, product.url);
    const { page } = stranger;
    await page.goto(`${product.url}/#/nc/view/${uuid}`);
    await isColored(row(page, 'Task 2'), 'row', '#1c8a2c');
    expect(await colorOf(row(page, 'Task 5'))).toEqual([undefined, '']);
    expect((await row(page, 'Task 2').boundingBox())?.height).toBe(94);
    expect(stranger.complaints).toEqual([]);
    await stranger.context.close();
  });

  test('rows in every colour can be read in both themes, and long texts take the lines that fit', async () => {
    const { page } = ada;
    await colour(grid, {
      place: 'row',
      rules: darkSwatches.map((color, at) => rule(`r${at}`, color, 'Name', 'eq', `Task ${at + 1}`)),
    });
    await page.goto(address(grid));
    await isColored(row(page, 'Task 4'), 'row', darkSwatches[3]);
    const note = row(page, 'Task 4').getByText(/^What is to be done/);
    expect((await note.boundingBox())?.height).toBe(72);
    expect(await findingsInBothThemes(page)).toEqual({ light: [], dark: [] });
  });

  test('in a locked view a person chooses how high rows are for themselves alone, and heads of groups stay low', async () => {
    await colour(grid, { place: 'row', rules: [] });
    await keep(grid, { rowHeight: 'short', groups: [{ columnId: column('State'), direction: 'asc' }] });
    await call('PATCH', `${meta}/views/${grid}`, { lock_type: 'locked' });
    const { page } = ada;
    await page.goto(address(grid));
    const heightOf = async (of: Locator) => (await of.boundingBox())?.height;
    const isHigh = (height: number) =>
      page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll('[role="row"]')].some(
            (of) =>
              of.textContent?.includes('Task 1') === true && of.getBoundingClientRect().height === wanted,
          ),
        height,
      );
    const setting = async () => {
      await page
        .getByRole('button', { name: /^Settings/ })
        .first()
        .click();
      return page.getByRole('region', { name: 'For you alone' });
    };
    await isHigh(34);
    await (await setting()).getByRole('radio', { name: 'Extra tall' }).check({ force: true });
    await page.keyboard.press('Escape');
    await isHigh(130);
    const head = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
    expect(await heightOf(head.first())).toBe(34);
    // It is there again, and the view keeps what it had.
    await page.reload();
    await isHigh(130);
    const { list } = await call<{ readonly list: readonly (Entity & { readonly meta: object })[] }>(
      'GET',
      `${meta}/tables/${table.id}/views`,
    );
    expect(list.find(({ id }) => id === grid)?.meta).toMatchObject({ rowHeight: 'short' });
    await (await setting()).getByRole('button', { name: 'Show it as the view has it' }).click();
    await isHigh(34);
    await page.keyboard.press('Escape');
    await call('PATCH', `${meta}/views/${grid}`, { lock_type: 'collaborative' });
    await keep(grid, { groups: [] });
    expect(ada.complaints).toEqual([]);
  });

  test('fields of the system are offered by a view that was told so, also once the page is loaded again', async () => {
    const { page } = ada;
    await page.goto(address(grid));
    const fields = page.getByRole('dialog', { name: 'Fields' });
    const offered = fields.getByRole('switch', { name: 'Id', exact: true });
    const open = () =>
      page
        .getByRole('button', { name: /^Fields/ })
        .first()
        .click();
    const ask = fields.getByRole('switch', { name: 'System fields' });
    await open();
    await fields.getByRole('switch', { name: 'Notes' }).waitFor();
    expect(await offered.count()).toBe(0);
    const kept = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await fields.getByText('System fields').click();
    await offered.waitFor();
    expect((await kept).ok()).toBe(true);
    await page.reload();
    await open();
    await offered.waitFor();
    expect(await ask.isChecked()).toBe(true);
    await fields.getByText('System fields').click();
    await offered.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    expect(ada.complaints).toEqual([]);
  });

  test('rows are shown in pages, by keys and on a phone, and a new row leads to its page', async () => {
    const { page } = ada;
    await page
      .getByRole('button', { name: /^Settings/ })
      .first()
      .click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('radio', { name: 'Short' }).check({ force: true });
    await settings.getByLabel('Rows per page').selectOption({ label: '25' });
    await page.keyboard.press('Escape');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByText('1–25 of 60').waitFor();
    await pages.getByRole('button', { name: 'Next page' }).focus();
    await page.keyboard.press('Enter');
    await pages.getByText('26–50 of 60').waitFor();
    await page.getByRole('gridcell', { name: 'Task 26', exact: true }).waitFor();
    await page.getByRole('button', { name: 'New row' }).first().click();
    await pages.getByText('51–61 of 61').waitFor();
    await page.keyboard.type('Last of all');
    await page.keyboard.press('Enter');
    await page.getByRole('gridcell', { name: 'Last of all' }).waitFor();

    const phone = await newPersonWithPhone(browser, product.url);
    await signIn(phone, product.url, email);
    await phone.page.goto(address(grid));
    const there = phone.page.getByRole('navigation', { name: 'Pages' });
    await there.getByText('1–25 of 61').waitFor();
    await there.getByRole('button', { name: 'Last page' }).tap();
    await phone.page.getByRole('gridcell', { name: 'Last of all' }).waitFor();
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect([...ada.complaints, ...phone.complaints]).toEqual([]);
  });
});
