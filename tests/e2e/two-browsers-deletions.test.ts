import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signedInClient, signUp, type Person } from './person.ts';

interface Entity {
  readonly id: string;
  readonly title: string;
}
interface Table extends Entity {
  readonly columns: readonly Entity[];
  readonly views: readonly Entity[];
}

const email = 'ada@example.com';
const meta = '/api/v1/db/meta';

describeInBrowser('what another browser deletes', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  /** Calls the server as another browser would. */
  let call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  let projectId: string;
  let table: Table;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, email);
    call = await signedInClient(product.url, email);
    await createProject(ada, 'Shop');
    projectId = /#\/nc\/([^?]+)/.exec(ada.page.url())?.[1] ?? '';
    table = await call<Table>('POST', `${meta}/projects/${projectId}/tables`, {
      title: 'Orders',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText', pv: true },
        { title: 'Price', uidt: 'Number' },
        { title: 'Colour', uidt: 'SingleLineText' },
        { title: 'Size', uidt: 'SingleLineText' },
      ],
    });
    for (const Name of ['Lamp', 'Chair', 'Clock', 'Table'])
      await call('POST', rowsPath(), { Name, Colour: 'red' });
    await open();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const page = (): Page => ada.page;
  const rowsPath = () => `/api/v1/db/data/noco/${projectId}/${table.id}`;
  const deleteColumn = (title: string) =>
    call('DELETE', `${meta}/columns/${table.columns.find((of) => of.title === title)?.id}`);
  const cell = (text: string) => page().getByRole('gridcell', { name: text }).first();
  const header = (title: string) =>
    page()
      .getByRole('columnheader', { name: new RegExp(title) })
      .first();

  async function open(view?: string): Promise<void> {
    const chosen = view === undefined ? '' : `&view=${view}`;
    await page().goto(`${product.url}/#/nc/${projectId}?name=Orders&dbalias=${table.id}&type=table${chosen}`);
    await cell('Table').waitFor();
  }

  test('a row: it leaves the grid', async () => {
    await cell('Lamp').click();
    await call('DELETE', `${rowsPath()}/1`);
    await expect(cell('Lamp').waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  test('a row in which somebody types: they are told what they typed', async () => {
    await cell('Chair').click();
    await page().keyboard.type('Armchair');
    await call('DELETE', `${rowsPath()}/2`);
    await page().getByText('This row was deleted while you typed.').waitFor();
    await expect(page().getByText('Armchair').first().waitFor()).resolves.toBeUndefined();
  });

  test('a row that is open beside the grid: its panel says so', async () => {
    await cell('Clock').hover();
    await page()
      .getByRole('button', { name: /^Open row/ })
      .click();
    await page().getByRole('dialog', { name: /Clock/ }).waitFor();
    await call('DELETE', `${rowsPath()}/3`);
    await expect(page().getByText('This row is gone.').waitFor()).resolves.toBeUndefined();
    await page().keyboard.press('Escape');
  });

  test('a column: it leaves the grid', async () => {
    await deleteColumn('Price');
    await expect(header('Price').waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  test('a column in which somebody types: they are told what they typed', async () => {
    await cell('red').click();
    await page().keyboard.type('vermilion');
    await deleteColumn('Colour');
    await page().getByText('The column “Colour” was taken away while you typed.').waitFor();
    await expect(page().getByText('vermilion').first().waitFor()).resolves.toBeUndefined();
  });

  test('a column that somebody edits: its panel closes, and they are told', async () => {
    await page().getByRole('button', { name: 'Menu of column Size' }).click();
    await page().getByRole('menuitem', { name: 'Change type and options' }).click();
    const panel = page().getByRole('dialog', { name: 'Edit column Size' });
    await panel.getByLabel('Name').fill('Length');
    await deleteColumn('Size');
    await page().getByText('The column “Size” is not there any more.').waitFor();
    await page().getByText('What you changed of it was not saved.').waitFor();
    await expect(panel.waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  test('a view that somebody looks at: the default one takes its place', async () => {
    const view = await call<Entity>('POST', `${meta}/tables/${table.id}/grids`, { title: 'Cheap ones' });
    await open(view.id);
    await page()
      .getByRole('button', { name: /Cheap ones/ })
      .first()
      .waitFor();
    await call('DELETE', `${meta}/views/${view.id}`);
    await page().getByText('The view “Cheap ones” is not there any more.').waitFor();
    await page().waitForURL((url) => !url.href.includes(view.id));
    await expect(cell('Table').waitFor()).resolves.toBeUndefined();
  });

  test('a table that somebody looks at: its tab says so, and the list forgets it', async () => {
    await call('DELETE', `${meta}/tables/${table.id}`);
    await page().getByText('“Orders” is not there any more').waitFor();
    const listed = page()
      .getByRole('navigation', { name: 'Tables' })
      .getByRole('button', { name: 'Orders', exact: true });
    await listed.waitFor({ state: 'detached' });
    await page().getByRole('tabpanel').getByRole('button', { name: 'Close' }).click();
    await expect(
      page().getByText('“Orders” is not there any more').waitFor({ state: 'detached' }),
    ).resolves.toBeUndefined();
  });

  test('a project that somebody is in: the page says so', async () => {
    await call('DELETE', `${meta}/projects/${projectId}`);
    await expect(
      page()
        .getByText(/This project was deleted/)
        .waitFor(),
    ).resolves.toBeUndefined();
    expect(ada.complaints).toEqual([]);
  });
});
