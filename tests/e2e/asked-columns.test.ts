import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import {
  createProject,
  newPerson,
  newPersonWithPhone,
  signedInClient,
  signUp,
  type Person,
} from './person.ts';

const email = 'asked@example.com';
const meta = '/api/v1/db/meta';
interface Table {
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
}

describeInBrowser('a computed column', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let projectId = '';
  let table: Table;
  let grid = '';
  let calendar = '';
  let uuid = '';

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, email);
    await createProject(ada, 'Work');
    projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    const call = await signedInClient(product.url, email);
    const options = ['Happy', 'Tired'].map((title) => ({ id: `sl_${title}`, title, color: '#cfdffe' }));
    const make = (title: string, columns: readonly object[]) =>
      call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
        title,
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Name', uidt: 'SingleLineText', pv: true },
          ...columns,
        ],
      });
    const person = await make('Person', [{ title: 'Mood', uidt: 'SingleSelect', meta: { options } }]);
    table = await make('Task', [
      { title: 'Start', uidt: 'Date' },
      { title: 'Days', uidt: 'Number' },
    ]);
    const add = async (body: object) => {
      table = await call<Table>('POST', `${meta}/tables/${table.id}/columns`, body);
    };
    const id = (title: string) => table.columns.find((column) => column.title === title)?.id ?? '';
    const link = { uidt: 'LinkToAnotherRecord', type: 'bt', parentId: person.id, childId: table.id };
    await add({ ...link, title: 'Who' });
    await add({ title: 'Due', uidt: 'Formula', formula: 'DATEADD({Start}, {Days}, "day")' });
    await add({ title: 'Long', uidt: 'Formula', formula: '{Days} > 3' });
    const mood = person.columns.find(({ title }) => title === 'Mood')?.id;
    await add({ title: 'Mood', uidt: 'Lookup', fk_relation_column_id: id('Who'), fk_lookup_column_id: mood });
    const data = `/api/v1/db/data/noco/${projectId}`;
    for (const [Name, Mood] of [
      ['Ada', 'Happy'],
      ['Bo', 'Tired'],
    ])
      await call('POST', `${data}/${person.id}`, { Name, Mood });
    for (const [Name, Start, Days] of [
      ['Plan', '2026-06-08', 3],
      ['Build', '2026-06-10', 4],
      ['Rest', null, null],
    ])
      await call('POST', `${data}/${table.id}`, { Name, Start, Days });
    await call('POST', `${data}/${table.id}/1/bt/${id('Who')}/1`);
    await call('POST', `${data}/${table.id}/2/bt/${id('Who')}/2`);
    grid = (await call<{ id: string }>('POST', `${meta}/tables/${table.id}/grids`, { title: 'Open' })).id;
    const dates = { title: 'Dues', meta: { ranges: [{ fromId: id('Due') }] } };
    calendar = (await call<{ id: string }>('POST', `${meta}/tables/${table.id}/calendars`, dates)).id;
    ({ uuid } = await call<{ uuid: string }>('POST', `${meta}/views/${grid}/share`, {}));
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const open = (page: Page, view: string) =>
    page.goto(`${product.url}/#/nc/${projectId}?name=Task&dbalias=${table.id}&type=table&view=${view}`);

  /** Begins a filter by a column, in the panel of the toolbar. */
  async function begin(page: Page, title: string): Promise<void> {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('combobox', { name: 'Column to filter by' }).last().selectOption({ label: title });
  }

  test('that gives days is filtered by a day of a calendar, and a yes or no by a choice', async () => {
    const { page } = ada;
    await open(page, grid);
    await page.getByText('Rest', { exact: true }).first().waitFor();
    await begin(page, 'Due');
    await page.getByRole('combobox', { name: 'Comparison' }).selectOption({ label: '≥' });
    await page.locator('.tr-filter-editor input[type=date]').fill('2026-06-12');
    await page.keyboard.press('Enter');
    await page.getByText('Plan', { exact: true }).first().waitFor({ state: 'detached' });
    await page.getByText('Build', { exact: true }).first().waitFor();
    await page.getByRole('combobox', { name: 'Column to filter by' }).selectOption({ label: 'Long' });
    await page.getByRole('combobox', { name: 'Value' }).selectOption({ label: 'not checked' });
    await page.getByText('Build', { exact: true }).first().waitFor({ state: 'detached' });
    await page.getByText('Plan', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Remove this filter' }).click();
    await page.getByText('Build', { exact: true }).first().waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('that looks up a list is filtered by its options, by whoever has the link of a view as well', async () => {
    const phone = await newPersonWithPhone(browser, product.url);
    const { page } = phone;
    await page.goto(`${product.url}/#/nc/view/${uuid}`);
    await page.getByText('Rest', { exact: true }).first().waitFor();
    await begin(page, 'Mood');
    await page.getByRole('combobox', { name: 'Comparison' }).selectOption({ label: 'has any of' });
    await page.getByRole('button', { name: /^Mood/ }).click();
    await page.getByRole('option', { name: 'Tired' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Plan', { exact: true }).first().waitFor({ state: 'detached' });
    await page.getByText('Build', { exact: true }).first().waitFor();
    expect(phone.complaints).toEqual([]);
  });

  test('that gives days says in a calendar when rows are, and nobody moves them there', async () => {
    const { page } = ada;
    await page.clock.setFixedTime(new Date('2026-06-10T09:00:00Z'));
    await open(page, calendar);
    const entry = page.locator('.calendar-days [data-key]', { hasText: 'Build' }).first();
    const boxOf = async (of: Locator) => (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const cell = (day: string) => page.locator(`.calendar-days [role="cell"][data-date="${day}"]`);
    const standsOn = async (day: string) => {
      const [of, there] = [await boxOf(entry), await boxOf(cell(day))];
      return (
        of.x >= there.x && of.x < there.x + there.width && of.y >= there.y && of.y < there.y + there.height
      );
    };
    await entry.waitFor();
    expect(await standsOn('2026-06-14')).toBe(true);
    const [from, to] = [await boxOf(entry), await boxOf(cell('2026-06-17'))];
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 40, { steps: 10 });
    await page.mouse.up();
    expect(await standsOn('2026-06-14')).toBe(true);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const first = page.getByRole('combobox', { name: 'First day' });
    await first.waitFor();
    expect(await first.locator('option').allTextContents()).toEqual(['Start', 'Due']);
    expect(ada.complaints).toEqual([]);
  });
});
