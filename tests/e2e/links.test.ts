import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { cellAt, waitForCell } from './cells.ts';
import {
  addColumn,
  createProject,
  newPerson,
  openTable,
  signedInClient,
  signUp,
  type Person,
} from './person.ts';

type Client = Awaited<ReturnType<typeof signedInClient>>;

// Columns over other tables as people make and use them: by mouse and keyboard, in a browser.
describeInBrowser('links in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Person;
  let client: Client;

  beforeAll(async () => {
    server = await createTestServer();
    browser = await launchBrowser();
    ada = await newPerson(browser, server.url);
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signUp(ada, server.url, 'ada@example.com');
    await createProject(ada, 'Atlas');
    client = await signedInClient(server.url, 'ada@example.com');
    const projects = await client<{ list: readonly { id: string }[] }>('GET', '/api/v1/db/meta/projects');
    const project = projects.list[0]?.id ?? '';
    for (const [table, columns, rows] of [
      ['Country', [], ['France', 'Peru', 'Chad', 'Italy']],
      ['City', [{ title: 'People', uidt: 'Number' }], ['Paris', 'Lyon', 'Lima', 'Rome', 'Twin', 'Twin']],
    ] as const) {
      await client('POST', `/api/v1/db/meta/projects/${project}/tables`, {
        title: table,
        table_name: table.toLowerCase(),
        columns: [{ title: 'Id', uidt: 'ID' }, { title: 'Title', uidt: 'SingleLineText' }, ...columns],
      });
      const people = (index: number) => (columns.length > 0 ? { People: (index + 1) * 100 } : {});
      const body = rows.map((Title, index) => ({ Title, ...people(index) }));
      await client('POST', `/api/v1/db/data/bulk/noco/Atlas/${table}`, body);
    }
    await ada.page.reload();
    await openTable(ada, 'Country');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  const cell = (row: number, title: string) => cellAt(ada.page, row, title);
  const waitFor = (row: number, title: string, text: string) => waitForCell(ada.page, row, title, text);

  /** Puts a text on the clipboard and presses the keys that paste it. */
  async function paste(text: string): Promise<void> {
    await ada.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await ada.page.keyboard.press('Control+v');
  }

  test('a link, a lookup, a rollup and a formula are made in the column panel', async () => {
    await addColumn(ada, 'Cities', 'Link to another table', async (panel) => {
      await panel.getByRole('combobox', { name: 'Table to link to' }).selectOption({ label: 'City' });
      await panel
        .getByRole('radio', { name: /to several rows of City, and each of those to one row/ })
        .check();
    });
    await addColumn(ada, 'Names', 'Lookup', async (panel) => {
      await panel.getByRole('combobox', { name: 'Link', exact: true }).selectOption({ label: 'Cities' });
      await panel
        .getByRole('combobox', { name: 'Column of the linked rows' })
        .selectOption({ label: 'Title' });
    });
    await addColumn(ada, 'Sum', 'Rollup', async (panel) => {
      await panel.getByRole('combobox', { name: 'Link', exact: true }).selectOption({ label: 'Cities' });
      await panel.getByRole('combobox', { name: 'Summary' }).selectOption({ label: 'Sum' });
      await panel
        .getByRole('combobox', { name: 'Column of the linked rows' })
        .selectOption({ label: 'People' });
    });
    await addColumn(ada, 'Twice', 'Formula', async (panel) => {
      await panel.getByLabel('Formula', { exact: true }).fill('{Sum} * 2');
    });
    expect(await ada.page.getByRole('columnheader').allTextContents()).toEqual(
      expect.arrayContaining(
        ['Cities', 'Names', 'Sum', 'Twice'].map((title) => expect.stringContaining(title)),
      ),
    );
  });

  test('rows are linked with the keyboard, and the focus stays where the next one is linked', async () => {
    const { page } = ada;
    await (await cell(0, 'Cities')).click();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /Cities of France/ });
    await dialog.getByRole('button', { name: 'Link Paris' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Take the link to Paris away' }).waitFor();
    await dialog.locator('[aria-label="Link Paris"]').waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await focused()).toBe('Link Lyon');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Take the link to Lyon away' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitFor(0, 'Cities', 'ParisLyon');
    await waitFor(0, 'Names', 'ParisLyon');
    await waitFor(0, 'Sum', '300');
    await waitFor(0, 'Twice', '600');
  });

  test('a filter picks linked rows by their titles, and names them in its field', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('combobox', { name: 'Column to filter by' }).selectOption({ label: 'Cities' });
    await page.getByRole('combobox', { name: 'Comparison' }).selectOption({ label: 'has any of' });
    await page.getByRole('button', { name: 'Cities', exact: true }).click();
    const list = page.getByRole('dialog', { name: 'Cities', exact: true });
    await list.getByRole('searchbox', { name: 'Search City' }).fill('pa');
    await list.getByRole('button', { name: 'Paris', exact: true }).click();
    await list.getByRole('button', { name: 'Take Paris away' }).waitFor();
    await list.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Peru', { exact: true }).first().waitFor({ state: 'detached' });
    // What names the row may be read anew.
    await page.getByRole('button', { name: 'Cities, Paris' }).waitFor();
    expect(await page.getByRole('button', { name: /^Cities, / }).textContent()).toBe('Paris');
    await waitFor(0, 'Title', 'France');
    await page.getByRole('button', { name: 'Remove this filter' }).click();
    await page.keyboard.press('Escape');
    await waitFor(1, 'Title', 'Peru');
  });

  test('titles are pasted, taken back as one step, and those that fail are marked and told', async () => {
    const { page } = ada;
    await (await cell(1, 'Cities')).click();
    await paste('Lima\nNobody\n"Rome"');
    await waitFor(1, 'Cities', 'Lima');
    await waitFor(3, 'Cities', 'Rome');
    const marked = await cell(2, 'Cities');
    await page.locator('[aria-rowindex="4"]:not([aria-busy]) [aria-invalid="true"]').waitFor();
    expect(await marked.getAttribute('title')).toBe("No row of 'City' is named “Nobody”.");
    await page.getByText(/1 cell was not taken/).waitFor();
    await waitFor(3, 'Sum', '400');
    await (await cell(1, 'Cities')).click();
    await page.keyboard.press('Control+z');
    await waitFor(1, 'Cities', '');
    await waitFor(3, 'Cities', '');
    await page.locator('[aria-invalid="true"]').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+y');
    await waitFor(3, 'Cities', 'Rome');
  });

  test('titles that several rows have are refused, and copied cells keep their rows all the same', async () => {
    const { page } = ada;
    await client('PUT', '/api/v1/db/data/bulk/noco/Atlas/Country/links/Cities', [{ row: '3', rows: ['6'] }]);
    await waitFor(2, 'Cities', 'Twin');
    await (await cell(1, 'Cities')).click();
    await paste('Twin');
    await page
      .getByText(/Several rows of 'City' are named “Twin”/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+z');
    await (await cell(2, 'Cities')).click();
    await page.keyboard.press('Control+c');
    await (await cell(1, 'Cities')).click();
    await page.keyboard.press('Control+v');
    await waitFor(1, 'Cities', 'Twin');
    await waitFor(2, 'Cities', '');
    await page.keyboard.press('Delete');
    await waitFor(1, 'Cities', '');
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(0);
  });

  test('the other side takes them by fill, and an open row shows what is taken back', async () => {
    const { page } = ada;
    await openTable(ada, 'City');
    await waitFor(0, 'Country', 'France');
    await (await cell(0, 'Country')).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+d');
    await waitFor(2, 'Country', 'France');
    await (await cell(2, 'Country')).click();
    await page.keyboard.press(' ');
    const panel = page.getByRole('dialog', { name: /Lima/ });
    const country = panel.locator('.cr-field');
    await country.getByText('France').waitFor();
    // The panel stands beside the grid.
    await (await cell(0, 'Title')).click();
    await page.keyboard.press('Control+z');
    await country.getByText('Nothing is linked yet.').waitFor();
    await page.keyboard.press('Escape');
    await waitFor(2, 'Country', '');
    await waitFor(1, 'Country', 'France');
    expect(ada.complaints).toEqual([]);
  });
});
