import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signedInClient, signIn, signUp, type Person } from './person.ts';

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

describeInBrowser('what one browser changes', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let other: Person;
  /** Calls the server as a third browser would. */
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
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Stars', uidt: 'Rating' },
      ],
    });
    for (const Name of ['Lamp', 'Chair']) await call('POST', rowsPath(), { Name, Stars: 2 });
    other = await newPerson(browser, product.url);
    await signIn(other, product.url, email);
    const address = `${product.url}/#/nc/${projectId}?name=Orders&dbalias=${table.id}&type=table`;
    for (const { page } of [ada, other]) {
      await page.goto(address);
      await page.getByText('Chair').waitFor();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const rowsPath = () => `/api/v1/db/data/noco/${projectId}/${table.id}`;
  const idOf = (of: readonly Entity[], title: string) =>
    of.find((entity) => entity.title === title)?.id ?? '';
  const tables = (page: Page) => page.getByRole('navigation', { name: 'Tables' });
  const header = (page: Page, title: string) =>
    page.getByRole('columnheader', { name: new RegExp(title) }).first();
  const viewPath = () => `${meta}/views/${table.views[0]?.id}`;

  /** The column of the view that shows a column of the table. */
  async function viewColumn(title: string): Promise<string> {
    const shown = await call<readonly { readonly id: string; readonly fk_column_id: string }[]>(
      'GET',
      `${viewPath()}/columns`,
    );
    return shown.find((of) => of.fk_column_id === idOf(table.columns, title))?.id ?? '';
  }

  /** Each change, and how a page shows that it knows of it. */
  const changes: readonly (readonly [
    what: string,
    change: () => Promise<unknown>,
    shown: (page: Page) => Promise<unknown>,
  ])[] = [
    [
      "a project's name",
      () => call('PATCH', `${meta}/projects/${projectId}`, { title: 'Store' }),
      (page) => page.getByRole('banner').getByText('Store').waitFor(),
    ],
    [
      'a new table',
      () => call('POST', `${meta}/projects/${projectId}/tables`, { title: 'Guests', columns: [] }),
      (page) => tables(page).getByRole('button', { name: 'Guests', exact: true }).waitFor(),
    ],
    [
      "a table's name, in its tab as well",
      () => call('PATCH', `${meta}/tables/${table.id}`, { title: 'Sales' }),
      async (page) => {
        await tables(page).getByRole('button', { name: 'Sales', exact: true }).waitFor();
        await page.getByRole('tab', { name: 'Sales' }).waitFor();
      },
    ],
    [
      'a new column',
      () => call('POST', `${meta}/tables/${table.id}/columns`, { title: 'Price', uidt: 'Number' }),
      (page) => header(page, 'Price').waitFor(),
    ],
    [
      "a column's name",
      () => call('PATCH', `${meta}/columns/${idOf(table.columns, 'Name')}`, { title: 'Thing' }),
      (page) => header(page, 'Thing').waitFor(),
    ],
    [
      "a column's width",
      async () => call('PATCH', `${meta}/grid-columns/${await viewColumn('Name')}`, { width: '333px' }),
      async (page) => {
        await page.waitForFunction(() =>
          [...document.querySelectorAll<HTMLElement>('[role=columnheader]')].some(
            ({ textContent, offsetWidth }) => /Thing/.test(textContent) && Math.abs(offsetWidth - 333) <= 1,
          ),
        );
      },
    ],
    [
      'a hidden column',
      async () => call('PATCH', `${meta}/grid-columns/${await viewColumn('Stars')}`, { show: false }),
      (page) => header(page, 'Stars').waitFor({ state: 'detached' }),
    ],
    [
      'a column shown again',
      async () => call('PATCH', `${meta}/grid-columns/${await viewColumn('Stars')}`, { show: true }),
      (page) => header(page, 'Stars').waitFor(),
    ],
    [
      'a sort',
      () =>
        call('POST', `${viewPath()}/sorts`, {
          fk_column_id: idOf(table.columns, 'Name'),
          direction: 'asc',
        }),
      (page) => firstRow(page, 'Chair'),
    ],
    ['a new row', () => call('POST', rowsPath(), { Thing: 'Alarm' }), (page) => firstRow(page, 'Alarm')],
    [
      'a changed row',
      () => call('PATCH', `${rowsPath()}/1`, { Thing: 'Candle' }),
      (page) => page.getByRole('gridcell', { name: /Candle/ }).waitFor(),
    ],
    [
      'a filter',
      () =>
        call('POST', `${viewPath()}/filters`, {
          fk_column_id: idOf(table.columns, 'Name'),
          comparison_op: 'eq',
          value: 'Chair',
        }),
      (page) => page.getByRole('gridcell', { name: /Alarm/ }).waitFor({ state: 'detached' }),
    ],
    [
      "a view's name",
      () => call('PATCH', viewPath(), { title: 'Only chairs' }),
      (page) => page.getByRole('button', { name: /Only chairs/ }).waitFor(),
    ],
    [
      'a plugin that is switched off',
      () => call('POST', '/api/v1/app-store/plugins/column-rating/disable', { cascade: [] }),
      (page) => page.locator('.rating').first().waitFor({ state: 'detached' }),
    ],
    [
      'a plugin that is switched on',
      () => call('POST', '/api/v1/app-store/plugins/column-rating/enable'),
      (page) => page.locator('.rating').first().waitFor(),
    ],
  ];

  async function firstRow(page: Page, text: string): Promise<void> {
    await page.locator('[role=row][aria-rowindex="2"]', { hasText: text }).waitFor();
  }

  describe('is on the screen of the others', () => {
    test.each(changes)('%s', async (_what, change, shown) => {
      await change();
      // Resolves when the page shows it, and fails when it never does.
      await expect(Promise.all([ada, other].map(({ page }) => shown(page)))).resolves.toBeDefined();
    });
  });

  test('as a new view stands in the list of views of the others', async () => {
    const pages = [ada.page, other.page];
    const view = (page: Page, title: string) =>
      page.getByRole('list', { name: 'Views of Sales' }).getByRole('button', { name: title, exact: true });
    const fold = (page: Page) => tables(page).getByRole('button', { name: 'Contents of Sales' }).click();
    for (const page of pages) {
      await fold(page);
      await view(page, 'Only chairs').waitFor();
    }
    await call('POST', `${meta}/tables/${table.id}/grids`, { title: 'Second look' });
    await expect(
      Promise.all(pages.map((page) => view(page, 'Second look').waitFor())),
    ).resolves.toBeDefined();
    for (const page of pages) await fold(page);
  });

  test('while another one has no network is on its screen when the network is back', async () => {
    await other.context.setOffline(true);
    await call('PATCH', `${meta}/projects/${projectId}`, { title: 'Bazaar' });
    await call('PATCH', `${meta}/tables/${table.id}`, { title: 'Deals' });
    await call('POST', `${meta}/tables/${table.id}/columns`, { title: 'Colour', uidt: 'SingleLineText' });
    await call('PATCH', viewPath(), { title: 'All chairs' });
    await call('POST', rowsPath(), { Thing: 'Chair', Colour: 'vermilion' });
    await call('POST', '/api/v1/app-store/plugins/column-rating/disable', { cascade: [] });
    await ada.page.getByText('vermilion').waitFor();
    // Long enough for a connection to be given up, and for its own tries to come back to grow rare.
    await new Promise((resolve) => setTimeout(resolve, 30_000));
    expect(await other.page.getByText('vermilion').count()).toBe(0);

    await other.context.setOffline(false);
    await other.page.getByText('vermilion').waitFor();
    await other.page.getByRole('banner').getByText('Bazaar').waitFor();
    await tables(other.page).getByRole('button', { name: 'Deals', exact: true }).waitFor();
    await header(other.page, 'Colour').waitFor();
    await other.page.getByRole('button', { name: /All chairs/ }).waitFor();
    await other.page.locator('.rating').first().waitFor({ state: 'detached' });
  });

  test('of the tokens of a project is in the list of its other owners', async () => {
    const { page } = other;
    await page.goto(`${product.url}/#/nc/${projectId}`);
    await page
      .getByRole('button', { name: /^Menu of / })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'API tokens' }).click();
    await page.getByText('There is no token yet').waitFor();
    const path = `${meta}/projects/${projectId}/api-tokens`;
    const { id } = await call<Entity>('POST', path, { description: 'Import of prices' });
    await page.getByText('Import of prices').waitFor();
    await call('DELETE', `${path}/${id}`);
    await page.getByText('There is no token yet').waitFor();
    expect([ada.complaints, other.complaints]).toEqual([[], []]);
  });

  test('as a whole project is in the list of the others, and gone from it', async () => {
    await other.page.goto(`${product.url}/#/projects`);
    const card = other.page.locator('.projects-card', { hasText: 'Warehouse' });
    const project = await call<Entity>('POST', `${meta}/projects`, { title: 'Warehouse' });
    await card.waitFor();
    await call('DELETE', `${meta}/projects/${project.id}`);
    await card.waitFor({ state: 'detached' });
    // Where it can be brought back from.
    const deleted = other.page.locator('.projects-deleted', { hasText: 'Warehouse' });
    await deleted.waitFor();
    await call('DELETE', `${meta}/deleted-projects/${project.id}`);
    await deleted.waitFor({ state: 'detached' });
    expect([ada.complaints, other.complaints]).toEqual([[], []]);
  });

  test('of the people of the server is on the screen of who administers them', async () => {
    await other.page.goto(`${product.url}/#/user/settings/users`);
    await other.page.getByRole('list', { name: 'People with an account' }).waitFor();
    await call('POST', '/api/v1/user-invitations', { email: 'cy@example.com' });
    await other.page.getByText('cy@example.com').waitFor();
    const guest = await newPerson(browser, product.url);
    await signUp(guest, product.url, 'dee@example.com');
    await other.page
      .getByRole('list', { name: 'People with an account' })
      .getByText('dee@example.com')
      .waitFor();
    expect([ada.complaints, other.complaints]).toEqual([[], []]);
  });
});
