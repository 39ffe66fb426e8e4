import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import {
  addColumn,
  createProject,
  createTable,
  newPerson,
  newPersonWithPhone,
  openTable,
  signedInClient,
  signIn,
  signUp,
  type Person,
} from './person.ts';
import { keepPicture } from './pictures.ts';

interface Entity {
  readonly id: string;
  readonly title: string;
}

// One column of each family of types, made in the panel: the others of a family share its part of the panel.
describeInBrowser('the column panel', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Person;

  beforeAll(async () => {
    server = await createTestServer();
    browser = await launchBrowser();
    ada = await newPerson(browser, server.url);
    await signUp(ada, server.url, 'ada@example.com');
    await createProject(ada, 'Panels');
    await createTable(ada, 'Teams');
    await createTable(ada, 'Sheet');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  /** The types of the columns that people made in a table, by their titles. */
  async function typesOf(title: string): Promise<Readonly<Record<string, string>>> {
    const client = await signedInClient(server.url, 'ada@example.com');
    const [project] = (await client<{ list: readonly Entity[] }>('GET', '/api/v1/db/meta/projects')).list;
    const tables = await client<{ list: readonly Entity[] }>(
      'GET',
      `/api/v1/db/meta/projects/${project?.id}/tables`,
    );
    const id = tables.list.find((table) => table.title === title)?.id;
    const table = await client<TableEntity>('GET', `/api/v1/db/meta/tables/${id}`);
    const own = table.columns?.filter(({ system, pk, pv }) => !system && !pk && !pv) ?? [];
    return Object.fromEntries(own.map((column) => [column.title, column.uidt]));
  }

  /** What has the focus, as it is called. */
  const focused = () =>
    ada.page.evaluate(() => {
      const at = document.activeElement;
      return at?.getAttribute('aria-label') ?? at?.closest('label')?.textContent ?? at?.textContent ?? '';
    });

  /** Goes on by Tab until something has the focus. */
  async function tabTo(name: RegExp): Promise<void> {
    for (let steps = 0; steps < 30; steps += 1) {
      if (name.test(await focused())) return;
      await ada.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${String(name)}; it stands at '${await focused()}'.`);
  }

  /** Adds a column without the mouse: name, Tab, type, its options, and Enter in the name once more. */
  async function addByKeys(title: string, type: string, more: () => Promise<void> = async () => {}) {
    const { page } = ada;
    await page
      .getByRole('button', { name: /add (a )?column/i })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Add column' });
    await panel.waitFor();
    await page.keyboard.type(title);
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^Column type/);
    await page.keyboard.press('Enter');
    await page.keyboard.type(type);
    await page.keyboard.press('Enter');
    expect(await focused()).toBe(`Column type: ${type}`);
    await more();
    await tabTo(/^Add column$/);
    await page.keyboard.press('Enter');
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('columnheader', { name: new RegExp(`^${title}`) }).waitFor();
  }

  test('makes a column of each family by keys alone, with what each is asked for', async () => {
    const { page } = ada;
    await openTable(ada, 'Sheet');
    await addByKeys('Notes', 'Long text');
    await addByKeys('Price', 'Currency');
    await addByKeys('When', 'Date and time');
    await addByKeys('Stage', 'Single select', async () => {
      await tabTo(/^Add an option$/);
      await page.keyboard.press('Enter');
      await page.keyboard.type('New');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Won');
    });
    await addByKeys('Stars', 'Rating');
    await addByKeys('Who', 'Collaborator');
    await addByKeys('Files', 'Attachment');
    await addByKeys('Where', 'Geometry');
    await addByKeys('Number', 'Auto number');
    await addByKeys('Team', 'Link to another table', async () => {
      await tabTo(/^Table to link to$/);
      await page.keyboard.type('Teams');
    });
    await addByKeys('Team name', 'Lookup', async () => {
      await tabTo(/^Link$/);
      await page.keyboard.type('Team');
      await tabTo(/^Column of the linked rows$/);
      await page.keyboard.type('Title');
    });
    await addByKeys('Twice', 'Formula', async () => {
      // The parts of the panel that few people need are fetched when they are.
      await page.getByRole('dialog').getByLabel('Formula', { exact: true }).waitFor();
      await tabTo(/^Formula$/);
      await page.keyboard.type('{Price} * 2');
    });
    await keepPicture(page, 'column panel by keys');
    expect(await typesOf('Sheet')).toEqual({
      Notes: 'LongText',
      Price: 'Currency',
      When: 'DateTime',
      Stage: 'SingleSelect',
      Stars: 'Rating',
      Who: 'Collaborator',
      Files: 'Attachment',
      Where: 'Geometry',
      Number: 'AutoNumber',
      Team: 'LinkToAnotherRecord',
      'Team name': 'Lookup',
      Twice: 'Formula',
    });
    expect(ada.complaints).toEqual([]);
  });

  test('makes them by the mouse and by a finger, with the options that people look for first', async () => {
    await createTable(ada, 'Board');
    await addColumn(ada, 'Link', 'URL');
    await addColumn(ada, 'Share', 'Percent');
    await addColumn(ada, 'Tags', 'Multiple select', async (panel) => {
      await panel.getByRole('button', { name: 'Add an option' }).click();
      await ada.page.keyboard.type('Red');
    });
    await addColumn(ada, 'Teams', 'Link to another table', async (panel) => {
      await panel.getByRole('combobox', { name: 'Table to link to' }).selectOption({ label: 'Teams' });
      await panel
        .getByRole('radio', { name: /to several rows of Teams, and each of those to several/ })
        .check();
    });
    await addColumn(ada, 'How many', 'Count');
    const phone = await newPersonWithPhone(browser, server.url);
    await signIn(phone, server.url, 'ada@example.com');
    await phone.page.goto(ada.page.url());
    await phone.page.getByRole('grid', { name: 'Board, view ' }).waitFor();
    await addColumn(phone, 'Started', 'Date', async () => keepPicture(phone.page, 'column panel on a phone'));
    expect(await typesOf('Board')).toEqual({
      Link: 'URL',
      Share: 'Percent',
      Tags: 'MultiSelect',
      Teams: 'LinkToAnotherRecord',
      'How many': 'Count',
      Started: 'Date',
    });
    expect([...ada.complaints, ...phone.complaints]).toEqual([]);
  });
});
