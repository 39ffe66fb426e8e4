import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { createMusicStore } from './music-store.ts';
import {
  addColumn,
  createProject,
  createTable,
  newPerson,
  openTable,
  signUp,
  type Person,
} from './person.ts';

/** A serious problem of one element, in few words. */
interface Finding {
  readonly rule: string;
  readonly help: string;
  readonly elements: readonly string[];
}

/** What axe-core finds on the page as it is now, without what it calls moderate or minor. */
async function findingsOn(page: Page): Promise<readonly Finding[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    // A transition shows colours that are nobody's choice.
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => ({
        rule: id,
        help,
        elements: nodes
          .slice(0, 5)
          .map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
      }));
  });
}

/** The theme is kept for both widths and all screens; the shortcut changes it where a page is open. */
async function eachTheme(page: Page, check: (theme: string) => Promise<void>): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    await check(await page.evaluate(() => document.documentElement.dataset.theme ?? 'none'));
    const before = await page.evaluate(() => document.documentElement.dataset.theme);
    await page.keyboard.press('Alt+Shift+D');
    await page.waitForFunction((theme) => document.documentElement.dataset.theme !== theme, before);
  }
}

describeInBrowser('axe-core finds nothing serious, light or dark, on', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Person;

  beforeAll(async () => {
    server = await createTestServer();
    const folder = join(server.dataDir, 'sqlite');
    await mkdir(folder, { recursive: true });
    createMusicStore(join(folder, 'music.sqlite'));
    browser = await launchBrowser();
    ada = await newPerson(browser, server.url);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  /** What was found since the last test, by screen and theme. */
  let found: Record<string, readonly Finding[]> = {};

  async function look(screen: string, { page } = ada): Promise<void> {
    await eachTheme(page, async (theme) => {
      const findings = await findingsOn(page);
      if (findings.length > 0) found[`${screen}, ${theme}`] = findings;
    });
  }

  function expectNothingSerious(): void {
    const all = found;
    found = {};
    expect(all).toEqual({});
  }

  test('the form to sign up', async () => {
    const { page } = ada;
    await page.goto(`${server.url}/#/user/authentication/signup`);
    await page.getByLabel('Password', { exact: true }).fill('Passw0rd');
    await look('sign-up');
    expectNothingSerious();
  });

  test('the projects, without any and with one', async () => {
    const { page } = ada;
    await signUp(ada, server.url, 'ada@example.com');
    await page.getByText('Get started by creating a new project').waitFor();
    await look('no projects');
    await page.getByRole('button', { name: /Open a SQLite file/ }).click();
    await page.getByText('music.sqlite').click();
    await look('files to open');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('navigation', { name: 'Tables' }).waitFor();
    await look('an opened database');
    await page.goto(`${server.url}/#/projects`);
    await page.getByRole('heading', { name: 'My Projects' }).waitFor();
    await look('projects');
    expectNothingSerious();
  });

  test('the form to sign in', async () => {
    const guest = await newPerson(browser, `${server.url}/#/user/authentication/signin`);
    await guest.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await look('sign-in', guest);
    await guest.context.close();
    expectNothingSerious();
  });

  test('a table, and the panels for filters, sorts and fields', async () => {
    const { page } = ada;
    await page.getByText('music').first().click();
    await openTable(ada, 'Track');
    await page.getByRole('grid').getByText('Track 1', { exact: true }).waitFor();
    await look('a table');
    for (const [panel, add] of [
      ['Filter', 'Add filter'],
      ['Sort', 'Add sort'],
      ['Fields', undefined],
    ] as const) {
      await page.getByRole('button', { name: panel }).first().click();
      if (add !== undefined) await page.getByRole('button', { name: add }).click();
      await look(panel);
      await page.keyboard.press('Escape');
    }
    expectNothingSerious();
  });

  test('the row panel, and the menus of a row, a column and a table', async () => {
    const { page } = ada;
    const cell = (row: number) => page.locator(`[role=row][aria-rowindex="${row}"] [role=gridcell]`).nth(1);
    await cell(2).click();
    await page.keyboard.press('Space');
    await page.getByRole('dialog').waitFor();
    await look('the row panel');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await cell(3).click({ button: 'right' });
    await page.getByRole('menu').waitFor();
    await look("a row's menu");
    await page.keyboard.press('Escape');
    expectNothingSerious();
  });

  test('a table of one’s own with a column of each type, and the panel that adds one', async () => {
    const { page } = ada;
    await page.goto(`${server.url}/#/projects`);
    await createProject(ada, 'Club');
    await look('a project without tables');
    await createTable(ada, 'Members');
    for (const [title, type] of [
      ['Points', 'Number'],
      ['Active', 'Checkbox'],
      ['Born', 'Date'],
      ['Stars', 'Rating'],
    ] as const) {
      await addColumn(ada, title, type);
    }
    await page.getByRole('button', { name: 'Add a row' }).first().click();
    await look('a table of all types');
    await page
      .getByRole('button', { name: /add (a )?column/i })
      .first()
      .click();
    await page.getByRole('dialog', { name: 'Add column' }).waitFor();
    await look('the panel for a new column');
    await page.keyboard.press('Escape');
    expectNothingSerious();
  });

  test('the panels of a formula and a link, grouped rows, the views in the side bar and the trash', async () => {
    const { page } = ada;
    await openTable(ada, 'Members');
    const newColumn = async (type: string) => {
      await page
        .getByRole('button', { name: /add (a )?column/i })
        .first()
        .click();
      const panel = page.getByRole('dialog', { name: 'Add column' });
      await panel.getByRole('button', { name: /^Column type/ }).click();
      await panel.getByPlaceholder('Search types').fill(type);
      await panel
        .getByRole('option', { name: new RegExp(`^${type}`) })
        .first()
        .click();
      await look(`the options of a ${type}`);
      await panel.getByRole('button', { name: 'Cancel' }).click();
      await panel.waitFor({ state: 'hidden' });
    };
    await newColumn('Formula');
    await newColumn('Link');
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    await page.getByRole('button', { name: 'Add grouping' }).click();
    await look('the panel for groups');
    await page.keyboard.press('Escape');
    await page.getByRole('treegrid').waitFor();
    await look('grouped rows');
    await page.getByRole('button', { name: 'Contents of Members' }).click();
    await page.getByRole('list', { name: 'Views of Members' }).waitFor();
    await look('the views of a table');
    await page.getByRole('button', { name: 'Menu of Club' }).click();
    await page.getByRole('menuitem', { name: 'Trash' }).click();
    await page.getByRole('dialog').waitFor();
    await look('the trash');
    await page.keyboard.press('Escape');
    expectNothingSerious();
  });

  test('the comparison with the database', async () => {
    const { page } = ada;
    await page.goto(`${server.url}/#/projects`);
    await page.getByText('music').first().click();
    await page.getByRole('button', { name: 'Menu of music' }).click();
    await page.getByRole('menuitem', { name: 'Compare with the database' }).click();
    await page.getByRole('dialog').waitFor();
    await look('the comparison with the database');
    await page.keyboard.press('Escape');
    expectNothingSerious();
  });

  test('the app store, the settings, the account and a page that does not exist', async () => {
    const { page } = ada;
    for (const path of ['app-store', 'user/settings', 'user/settings/password', 'no/such/page']) {
      await page.goto(`${server.url}/#/${path}`);
      await page.getByRole('heading').first().waitFor();
      await look(path);
    }
    expectNothingSerious();
  });

  test('a phone', async () => {
    const { page } = ada;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}/#/projects`);
    await page.getByText('music').first().click();
    await page.getByRole('button', { name: 'Side bar' }).click();
    await look('the drawer');
    expectNothingSerious();
  });
});
