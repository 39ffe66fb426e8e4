import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { cellAt, waitForCell } from './cells.ts';
import {
  addColumn,
  createProject,
  createTable,
  newPerson,
  newPersonWithPhone,
  openTable,
  signIn,
  signUp,
  type Person,
} from './person.ts';
import { keepPicture } from './pictures.ts';

/** Makes options one after the other, as people type them, and gives the last one a colour of its own. */
function options(...titles: readonly string[]) {
  return async (panel: Locator) => {
    await panel.getByRole('button', { name: 'Add an option' }).click();
    for (const [index, title] of titles.entries()) {
      await panel.page().keyboard.type(title);
      if (index < titles.length - 1) await panel.page().keyboard.press('Enter');
    }
    const last = titles.at(-1) ?? '';
    await panel.getByRole('button', { name: `Colour of ${last}` }).click();
    await panel
      .getByRole('group', { name: `Colour of ${last}` })
      .getByRole('button')
      .nth(4)
      .click();
  };
}

/** Links each row to one row of another table. */
function linkToOne(table: string) {
  return async (panel: Locator) => {
    await panel.getByRole('combobox', { name: 'Table to link to' }).selectOption({ label: table });
    await panel
      .getByRole('radio', { name: new RegExp(`links to one row of ${table}, and each of those to several`) })
      .check();
    await panel.getByLabel('Name on the other side').fill('');
  };
}

// A small business from nothing: by mouse and keyboard alone, as somebody does it on the first day.
describeInBrowser('companies, people, deals and tasks', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Person;
  let page: Page;

  beforeAll(async () => {
    server = await createTestServer();
    browser = await launchBrowser();
    ada = await newPerson(browser, server.url);
    ({ page } = ada);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  const shows = (row: number, title: string, text: string) => waitForCell(page, row, title, text);

  /** Types rows as into a spreadsheet: Tab to the next cell, Enter to the line below, which becomes a row when something is typed. */
  async function typeRows(rows: readonly (readonly string[])[]): Promise<void> {
    await page
      .getByRole('button', { name: /add a row/i })
      .first()
      .click();
    await page.locator('[aria-rowindex="2"] [role=gridcell][aria-selected=true]').first().waitFor();
    for (const cells of rows) {
      for (const [at, text] of cells.entries()) {
        if (at > 0) await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
    }
    await page.getByText(`${rows.length} rows`, { exact: true }).waitFor();
  }

  /** Chooses the row that a cell links to, by the name that is typed. */
  async function link(row: number, title: string, name: string): Promise<void> {
    await (await cellAt(page, row, title)).click();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: new RegExp(`^${title}`) });
    await dialog.getByRole('button', { name: `Link ${name}`, exact: true }).waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await shows(row, title, name);
  }

  test('companies: with an industry of three colours, typed row by row', async () => {
    await signUp(ada, server.url, 'ada@example.com');
    await createProject(ada, 'CRM');
    await createTable(ada, 'Companies');
    await addColumn(ada, 'Industry', 'Single select', options('Software', 'Retail', 'Energy'));
    await addColumn(ada, 'Website', 'URL');
    await typeRows([
      ['Acme', 'Software', 'https://acme.example.com'],
      ['Bolt', 'Retail'],
      ['Coil', 'Energy', 'https://coil.example.com'],
    ]);
    await shows(0, 'Industry', 'Software');
    await shows(2, 'Website', 'https://coil.example.com');
    // What hangs below the line, as the p does, is not cut off in the tab.
    const name = page.getByRole('tab', { name: 'Companies' }).getByText('Companies');
    expect(await name.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
    await keepPicture(page, 'crm companies');
    expect(ada.complaints).toEqual([]);
  });

  test('options that nobody made before: what is typed after them stands where it belongs', async () => {
    await createTable(ada, 'Leads');
    await addColumn(ada, 'Industry', 'Single select');
    await addColumn(ada, 'Tags', 'Multiple select');
    await addColumn(ada, 'Website', 'URL');
    await typeRows([
      ['Dent', 'Software', 'new', 'https://dent.example.com'],
      ['Echo', 'Retail', 'new', 'https://echo.example.com'],
    ]);
    await shows(0, 'Title', 'Dent');
    await shows(0, 'Industry', 'Software');
    await shows(0, 'Tags', 'new');
    await shows(0, 'Website', 'https://dent.example.com');
    await shows(1, 'Title', 'Echo');
    await shows(1, 'Industry', 'Retail');
    await shows(1, 'Tags', 'new');
    await shows(1, 'Website', 'https://echo.example.com');
    // Each stood there as a text that is no option yet, until it was made.
    await page.locator('[aria-invalid=true]').first().waitFor({ state: 'detached' });
    expect(ada.complaints).toEqual([]);
  });

  test('people: each in a company that is chosen by its name', async () => {
    await createTable(ada, 'People');
    await addColumn(ada, 'Email', 'E-mail');
    await addColumn(ada, 'Company', 'Link to another table', linkToOne('Companies'));
    await typeRows([
      ['Ann Lee', 'ann@acme.example.com'],
      ['Ben Ode', 'ben@coil.example.com'],
    ]);
    await link(0, 'Company', 'Acme');
    await link(1, 'Company', 'Coil');
    await keepPicture(page, 'crm people');
    expect(ada.complaints).toEqual([]);
  });

  test('deals: with an amount, a stage, a company and an offer that is attached', async () => {
    await createTable(ada, 'Deals');
    await addColumn(ada, 'Amount', 'Currency');
    await addColumn(ada, 'Stage', 'Single select', options('New', 'Offered', 'Won'));
    await addColumn(ada, 'Company', 'Link to another table', linkToOne('Companies'));
    await addColumn(ada, 'Offer', 'Attachment');
    await typeRows([
      ['Robots', '1200.50', 'New'],
      ['Lamps', '300', 'Won'],
      ['Panels', '9800', 'Offered'],
    ]);
    await link(0, 'Company', 'Acme');
    await link(1, 'Company', 'Acme');
    await link(2, 'Company', 'Coil');
    await (await cellAt(page, 0, 'Offer')).click();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Offer' });
    await panel
      .locator('input[type=file]')
      .setInputFiles([{ name: 'offer.txt', mimeType: 'text/plain', buffer: Buffer.from('1200.50') }]);
    await panel.getByRole('button', { name: 'Remove “offer.txt”' }).waitFor();
    await page.keyboard.press('Escape');
    await (await cellAt(page, 0, 'Offer')).getByRole('button', { name: 'Show “offer.txt”' }).waitFor();
    await keepPicture(page, 'crm deals');
    expect(ada.complaints).toEqual([]);
  });

  test('tasks: of deals, with a day and a box to tick', async () => {
    await createTable(ada, 'Tasks');
    await addColumn(ada, 'Due', 'Date');
    await addColumn(ada, 'Done', 'Checkbox');
    await addColumn(ada, 'Deal', 'Link to another table', linkToOne('Deals'));
    await typeRows([
      ['Call Ann', '2026-12-01'],
      ['Send the offer', '2026-12-03'],
    ]);
    await link(0, 'Deal', 'Robots');
    await link(1, 'Deal', 'Panels');
    const done = (await cellAt(page, 0, 'Done')).getByRole('checkbox');
    await done.click();
    await done.and(page.locator('[aria-checked="true"]')).waitFor();
    await keepPicture(page, 'crm tasks');
    expect(ada.complaints).toEqual([]);
  });

  test('what companies are worth: a sum over deals and a share of it, and what deals take over from them', async () => {
    await openTable(ada, 'Companies');
    await addColumn(ada, 'Pipeline', 'Rollup', async (panel) => {
      await panel.getByRole('combobox', { name: 'Link', exact: true }).selectOption({ label: 'Deals List' });
      await panel.getByRole('combobox', { name: 'Summary' }).selectOption({ label: 'Sum' });
      await panel
        .getByRole('combobox', { name: 'Column of the linked rows' })
        .selectOption({ label: 'Amount' });
    });
    await addColumn(ada, 'Share', 'Formula', async (panel) => {
      await panel.getByLabel('Formula', { exact: true }).fill('ROUND({Pipeline} * 0.1, 2)');
    });
    await shows(0, 'Pipeline', '$1,500.50');
    await shows(2, 'Pipeline', '$9,800.00');
    await shows(0, 'Share', '$150.05');
    await openTable(ada, 'Deals');
    await addColumn(ada, 'Sector', 'Lookup', async (panel) => {
      await panel.getByRole('combobox', { name: 'Link', exact: true }).selectOption({ label: 'Company' });
      await panel
        .getByRole('combobox', { name: 'Column of the linked rows' })
        .selectOption({ label: 'Industry' });
    });
    await shows(0, 'Sector', 'Software');
    await shows(2, 'Sector', 'Energy');
    const amount = await cellAt(page, 1, 'Amount');
    await amount.click();
    await page.keyboard.type('400');
    await page.keyboard.press('Enter');
    await openTable(ada, 'Companies');
    await shows(0, 'Pipeline', '$1,600.50');
    await keepPicture(page, 'crm worth');
    expect(ada.complaints).toEqual([]);
  });

  test('on a phone: a row is opened by a finger, its stage and its links are chosen, and a photo is added', async () => {
    const phone = await newPersonWithPhone(browser, server.url);
    const hand = phone.page;
    await signIn(phone, server.url, 'ada@example.com');
    await hand.getByText('CRM', { exact: true }).first().tap();
    await hand.getByRole('button', { name: 'Side bar' }).tap();
    await hand.getByRole('navigation', { name: 'Tables' }).getByText('Deals', { exact: true }).tap();
    await hand.getByRole('columnheader', { name: /^Amount/ }).waitFor();
    await hand.locator('[aria-rowindex="3"]').getByRole('button', { name: /^Open/ }).tap();
    const row = hand.getByRole('dialog', { name: /Lamps/ });
    await row.getByRole('button', { name: /^Stage/ }).tap();
    await hand.getByRole('option', { name: 'Offered' }).tap();
    await row
      .locator('input[type=file]')
      .setInputFiles([{ name: 'photo.txt', mimeType: 'text/plain', buffer: Buffer.from('lamp') }]);
    await row.getByRole('button', { name: 'Remove “photo.txt”' }).waitFor();
    await keepPicture(hand, 'crm phone-row');
    await row.getByRole('button', { name: 'Save' }).tap();
    await row.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Link rows' }).first().tap();
    const links = hand.getByRole('dialog', { name: /^Company/ });
    await links.getByPlaceholder('Search Companies').fill('Bol');
    await keepPicture(hand, 'crm phone-links');
    await links.getByRole('button', { name: 'Link Bolt', exact: true }).tap();
    await row.getByRole('button', { name: 'Bolt', exact: true }).waitFor();
    // What is linked opens above the row, and leads back to it.
    await row.getByRole('button', { name: 'Bolt', exact: true }).tap();
    await hand.getByRole('dialog', { name: /Bolt/ }).getByRole('button', { name: /Back/ }).tap();
    await row.getByRole('button', { name: 'Close' }).tap();
    // A cell that is selected is opened by tapping it once more.
    const stage = await cellAt(hand, 0, 'Stage');
    await stage.scrollIntoViewIfNeeded();
    await stage.tap();
    await stage.and(hand.locator('[aria-selected=true]')).waitFor();
    await stage.tap();
    await hand.getByRole('option', { name: 'Won' }).tap();
    await waitForCell(hand, 0, 'Stage', 'Won');
    await keepPicture(hand, 'crm phone-grid');
    // Who sits at the desk sees all of it.
    await openTable(ada, 'Deals');
    await shows(0, 'Stage', 'Won');
    await shows(1, 'Stage', 'Offered');
    await shows(1, 'Company', 'Bolt');
    expect([phone.complaints, ada.complaints]).toEqual([[], []]);
    await phone.context.close();
  });
});
