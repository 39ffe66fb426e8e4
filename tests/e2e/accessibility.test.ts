import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeArchive } from '@trellis/sdk/build/archive/write-archive';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser, Locator } from 'playwright-core';
import { backupsOf } from '../../plugins/schedules/testing/backups.ts';
import { findingsInBothThemes, type Finding } from './axe.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { createMusicStore } from './music-store.ts';
import {
  addColumn,
  createProject,
  createTable,
  newPerson,
  openTable,
  signedInClient,
  signUp,
  type Person,
} from './person.ts';
import { keepPicture } from './pictures.ts';

/** A plugin that asks for all that a sheet can show. */
const badge = {
  id: 'badge',
  name: 'Badge',
  description: 'Marks.',
  version: '1.0.0',
  category: 'app',
  engines: { trellis: '*' },
  sdk: 1,
  contributes: { commands: [{ id: 'badge.show', label: 'Show' }], routes: ['/api/v1/badges'] },
};

/** A plugin with whose column type people have made columns, and with data of its own. */
const colours = {
  ...badge,
  id: 'colours',
  name: 'Colours',
  contributes: {
    columnTypes: [{ id: 'Colour', label: 'Colour', storage: 'string', fallback: 'SingleLineText' }],
  },
};
const coloursCode = `export default { async setup(ctx) {
  ctx.register('columnTypes', { id: 'Colour', label: 'Colour', icon: 'palette', storage: 'string',
    accepts: ['string', 'text'], fallback: 'SingleLineText', operators: ['eq'],
    parse: (value) => ({ ok: true, value }), format: (value) => value ?? '',
    examples: [{ input: 'red', value: 'red' }], invalid: [] });
  await ctx.kv.set('greeting', 'hello');
} };`;

/** Who keeps a plugin's archive sends it like this. */
async function archiveOf(manifest: { readonly id: string }, files: Readonly<Record<string, string>>) {
  const all = { 'plugin.json': JSON.stringify(manifest), 'dist/package.json': '{"type":"module"}', ...files };
  const buffer = await writeArchive(
    new Map(Object.entries(all).map(([path, text]) => [path, Buffer.from(text)])),
  );
  return { name: `${manifest.id}.tgz`, mimeType: 'application/gzip', buffer };
}

describeInBrowser('axe-core finds nothing serious, light or dark, on', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Person;

  beforeAll(async () => {
    server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
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

  /** The same at both widths, for what was opened at the wide one. */
  async function lookAtBothWidths(screen: string): Promise<void> {
    await look(screen);
    await ada.page.setViewportSize({ width: 390, height: 844 });
    await look(`${screen}, 390`);
    await ada.page.setViewportSize({ width: 1440, height: 900 });
  }

  async function look(screen: string, { page } = ada): Promise<void> {
    const inThemes = await findingsInBothThemes(page, (theme) => keepPicture(page, `${screen} ${theme}`));
    for (const [theme, findings] of Object.entries(inThemes))
      if (findings.length > 0) found[`${screen}, ${theme}`] = findings;
    // Swagger UI draws one of its own.
    const mains = await page.locator('main:not(.swagger-ui *)').count();
    if (mains !== 1)
      found[`${screen}, landmarks`] = [
        { rule: 'one-main', help: 'a page has one main', elements: [String(mains)] },
      ];
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
    const cell = (row: number) =>
      page.locator(`[role=row][aria-rowindex="${row}"]:not([aria-busy]) [role=gridcell]`).nth(1);
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
    // The titles stick within it, so it must be as high as its rows.
    const [high, rows] = await page
      .getByRole('treegrid')
      .evaluate((grid) => [grid.clientHeight, grid.parentElement?.clientHeight]);
    expect(high).toBe(rows);
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

  describe('what people share, link, comment on and administer:', () => {
    const meta = '/api/v1/db/meta/projects';
    let project: string;
    let city: string;

    beforeAll(async () => {
      const call = await signedInClient(server.url, 'ada@example.com');
      ({ id: project } = await call<{ readonly id: string }>('POST', meta, { title: 'Atlas' }));
      const make = async (title: string) => {
        const columns = [
          { title: 'Id', uidt: 'ID' },
          { title: 'Name', uidt: 'SingleLineText' },
        ];
        const path = `${meta}/${project}/tables`;
        const { id } = await call<{ readonly id: string }>('POST', path, { title, columns });
        for (const Name of ['One', 'Two'])
          await call('POST', `/api/v1/db/data/noco/Atlas/${title}`, { Name });
        return id;
      };
      const [country, other] = [await make('Country'), await make('City')];
      city = other;
      await call('POST', `/api/v1/db/meta/tables/${city}/columns`, {
        title: 'Countries',
        uidt: 'LinkToAnotherRecord',
        parentId: city,
        childId: country,
        type: 'mm',
      });
      const bob = await server.signUp('bob@example.com');
      for (const [email, roles] of [
        ['bob@example.com', 'commenter'],
        ['cid@example.com', 'viewer'],
      ])
        await call('POST', `${meta}/${project}/users`, { email, roles });
      const description = 'Hello @ada@example.com';
      await bob.post('/api/v1/db/meta/audits/comments', { fk_model_id: city, row_id: '1', description });
    });

    const open = (query = '') => ada.page.goto(`${server.url}/#/nc/${project}${query}`);
    const openCity = (more = '') => open(`?name=City&dbalias=${city}&type=table${more}`);
    const dialog = () => ada.page.getByRole('dialog');
    const close = async () => {
      await ada.page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'hidden' });
    };

    /** What the buttons of a tab open that make something: a dialog, or a page with a way back. */
    async function lookAtNew(tab: string, panel: Locator): Promise<void> {
      const buttons = panel.getByRole('button', { name: /^(New|Add|Invite|Set up|Install) / });
      for (const name of new Set(await buttons.allTextContents())) {
        await buttons.filter({ hasText: name }).first().click();
        const back = panel.getByRole('button', { name: 'Back', exact: true }).last();
        await dialog().or(back).last().waitFor();
        await lookAtBothWidths(`${tab}, ${name}`);
        if (await back.isVisible()) await back.click();
        else await close();
      }
    }

    test('the dialog of links, a formula with an error, and the palette', async () => {
      const { page } = ada;
      await openCity();
      const header = page.getByRole('columnheader', { name: /^Countries/ });
      const place = await header.getAttribute('aria-colindex');
      await page.locator(`[aria-rowindex="2"]:not([aria-busy]) [aria-colindex="${place}"]`).click();
      await page.keyboard.press('Enter');
      await dialog().getByText('One').first().waitFor();
      await lookAtBothWidths('the dialog of links');
      await close();
      await page
        .getByRole('button', { name: /add (a )?column/i })
        .first()
        .click();
      await dialog()
        .getByRole('button', { name: /^Column type/ })
        .click();
      await dialog().getByPlaceholder('Search types').fill('Formula');
      await dialog()
        .getByRole('option', { name: /^Formula/ })
        .click();
      await dialog().getByLabel('Formula', { exact: true }).fill('{Nothing} + 1');
      await dialog()
        .getByText(/Nothing/)
        .last()
        .waitFor();
      await lookAtBothWidths('a formula with an error');
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'hidden' });
      await page.keyboard.press('Control+k');
      await dialog().getByRole('option').first().waitFor();
      await lookAtBothWidths('the command palette');
      // A table of another project, which opens there.
      await page.keyboard.type('Trac');
      const track = dialog().getByRole('option', { name: /^Track\s*music/ });
      await track.waitFor();
      await lookAtBothWidths('tables of other projects in the palette');
      await track.click();
      await page.getByRole('grid', { name: 'Track, view ' }).waitFor();
      expect(await page.getByRole('banner').getByText('music').count()).toBe(1);
      expectNothingSerious();
    });

    test('comments, the people of a mention, and the bell', async () => {
      const { page } = ada;
      await openCity('&row=1&pane=comments');
      await page.getByText('bob@example.com').first().waitFor();
      await page.getByRole('combobox', { name: 'Write a comment' }).pressSequentially('@bo');
      await page.getByRole('option').first().waitFor();
      await lookAtBothWidths('comments');
      await page.getByRole('combobox', { name: 'Write a comment' }).fill('');
      // Nothing is left to be asked about.
      await page.waitForFunction(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
      await close();
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page.getByText(/mentioned you/).waitFor();
      await lookAtBothWidths('notifications');
      await close();
      expectNothingSerious();
    });

    test('the team, an invitation, the tokens of a project and a preview', async () => {
      const { page } = ada;
      await open();
      await page.getByRole('button', { name: 'Menu of Atlas' }).click();
      await page.getByRole('menuitem', { name: 'Team & Auth' }).click();
      await page.getByRole('list', { name: 'People in this project' }).getByText('bob@example.com').waitFor();
      await lookAtBothWidths('the team');
      await page.getByRole('button', { name: 'Invite people' }).click();
      await dialog().getByLabel('E-mail').fill('nobody');
      await lookAtBothWidths('an invitation');
      await close();
      await page.getByRole('button', { name: 'Preview as' }).click();
      await page.getByRole('menuitem', { name: 'Preview as viewer' }).click();
      await page.getByText('You see this project as viewer.').waitFor();
      await lookAtBothWidths('a preview');
      await page.getByRole('button', { name: 'Exit preview' }).click();
      expectNothingSerious();
    });

    test('the trash, a plugin that asks to be installed, and a database to connect', async () => {
      const { page } = ada;
      const call = await signedInClient(server.url, 'ada@example.com');
      const gone = await call<{ readonly id: string }>('POST', `${meta}/${project}/tables`, {
        title: 'Gone',
        columns: [],
      });
      await call('DELETE', `/api/v1/db/meta/tables/${gone.id}`);
      await open();
      await page.getByRole('button', { name: 'Menu of Atlas' }).click();
      await page.getByRole('menuitem', { name: 'Trash' }).click();
      await dialog().getByText('Gone').waitFor();
      await lookAtBothWidths('a trash that holds something');
      await close();
      await page.goto(`${server.url}/#/projects`);
      await page.getByRole('button', { name: /Connect a database/ }).click();
      await dialog().getByLabel('Host address').waitFor();
      await lookAtBothWidths('a database to connect');
      await close();
      await page.goto(`${server.url}/#/app-store`);
      await page.getByRole('button', { name: 'Install', exact: true }).click();
      await page
        .getByLabel('Archive of a plugin')
        .setInputFiles(await archiveOf(badge, { 'dist/web/index.js': 'export default { setup() {} };' }));
      await page.getByRole('dialog', { name: 'Install Badge 1.0.0?' }).waitFor();
      await lookAtBothWidths('a plugin that asks to be installed');
      await close();
      expectNothingSerious();
    });

    test('the editor of a webhook with conditions, what it refuses, a try of it, and its log', async () => {
      const { page } = ada;
      await openCity();
      await page.getByRole('button', { name: 'Webhooks' }).click();
      await dialog().getByRole('button', { name: 'New webhook' }).click();
      await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Tell the map');
      await dialog().getByRole('combobox', { name: 'When' }).selectOption('A row is changed');
      await dialog().getByRole('switch', { name: 'Only for rows that meet conditions' }).check();
      await dialog().getByRole('button', { name: 'Add filter' }).first().click();
      await dialog().getByRole('textbox', { name: 'Value' }).fill('Oslo');
      await dialog().getByRole('textbox', { name: 'Body' }).fill('{"x":"{{nobody.x}}"}');
      await dialog().getByText('Nothing stands behind {{nobody.x}}').waitFor();
      await dialog().getByRole('button', { name: 'Save', exact: true }).click();
      await dialog().getByText('Please give an address').waitFor();
      await lookAtBothWidths('the editor of a webhook');
      await dialog().getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/map');
      await dialog().getByRole('textbox', { name: 'Body' }).fill('{"city":"{{data.Name}}"}');
      await dialog().getByRole('button', { name: 'Send a test' }).click();
      await dialog()
        .getByRole('textbox', { name: 'What was sent' })
        .or(dialog().getByRole('alert'))
        .first()
        .waitFor();
      await lookAtBothWidths('a webhook that was tried');
      await dialog().getByRole('combobox', { name: 'How' }).selectOption('A mail');
      await lookAtBothWidths('a webhook by mail');
      await dialog().getByRole('combobox', { name: 'How' }).selectOption('A request to an address');
      await dialog().getByRole('button', { name: 'Save', exact: true }).click();
      await dialog().getByRole('button', { name: 'What to do with Tell the map' }).click();
      await lookAtBothWidths('the webhooks and the menu of one');
      await page.getByRole('menuitem', { name: 'Log' }).click();
      await dialog().getByRole('button', { name: 'Back', exact: true }).waitFor();
      await lookAtBothWidths('the log of a webhook');
      await close();
      expectNothingSerious();
    });

    test('the editor of an automation with steps, the values for a cell, a dry run, and the log', async () => {
      const { page } = ada;
      await open();
      await page.getByRole('button', { name: 'Menu of Atlas' }).click();
      await page.getByRole('menuitem', { name: 'Automations' }).click();
      await page.getByRole('button', { name: 'New automation' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Twins');
      const choose = (within: Locator, label: string, option: string) =>
        within.getByRole('combobox', { name: label, exact: true }).selectOption({ label: option });
      await choose(page.getByRole('region', { name: 'When' }), 'Table', 'City');
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByRole('button', { name: 'Add a step' }).click();
      await lookAtBothWidths('the steps to choose from');
      await page.getByRole('menuitem', { name: 'Create a row' }).click();
      const create = page.getByRole('region', { name: '1. Create a row' });
      await choose(create, 'Table', 'Country');
      await choose(create, 'Set a column', 'Name');
      await create.getByRole('textbox', { name: 'Name', exact: true }).fill('{{row.Nome}}');
      await create.getByText('Nothing stands behind {{row.Nome}}').waitFor();
      await page.getByRole('button', { name: 'Add a step' }).click();
      await page.getByRole('menuitem', { name: 'Call a URL' }).click();
      await lookAtBothWidths('the editor of an automation');
      await create.getByRole('textbox', { name: 'Name', exact: true }).fill('');
      await create.getByRole('button', { name: 'Put a value into Name' }).click();
      await page.getByRole('listbox', { name: 'Values' }).getByRole('option').first().waitFor();
      await lookAtBothWidths('the values for a cell');
      await page.getByRole('listbox', { name: 'Values' }).getByRole('option').first().click();
      await page
        .getByRole('region', { name: '2. Call a URL' })
        .getByRole('textbox', { name: 'Address' })
        .fill('http://127.0.0.1:9/');
      await page.getByRole('button', { name: 'Show what it would do' }).click();
      await page.getByRole('region', { name: 'Dry run' }).getByText('127.0.0.1:9').first().waitFor();
      await lookAtBothWidths('a dry run');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'What to do with Twins' }).click();
      await page.getByRole('menuitem', { name: 'Log' }).click();
      await page.getByRole('button', { name: 'Back', exact: true }).waitFor();
      await lookAtBothWidths('the log of an automation');
      expectNothingSerious();
    });

    test('a backup to restore, one that is none and one that was read', async () => {
      const { page } = ada;
      const { body: session } = await server.client.post<{ readonly token: string }>(
        '/api/v1/auth/user/signin',
        { email: 'ada@example.com', password: 'Passw0rd!' },
      );
      const { archive } = await backupsOf(server.client.with(session)).backup(project);
      await page.goto(`${server.url}/#/projects`);
      await page.getByRole('button', { name: /Restore a backup/ }).click();
      const chooser = dialog().getByLabel('Backup of a project');
      const file = (buffer: Buffer) => ({ name: 'atlas.zip', mimeType: 'application/zip', buffer });
      await chooser.setInputFiles(file(Buffer.from('no archive')));
      await dialog().getByText('This file is no backup of a project.').waitFor();
      await lookAtBothWidths('what is no backup');
      await chooser.setInputFiles(file(archive));
      await dialog().getByRole('textbox', { name: 'Name of the new project' }).waitFor();
      await lookAtBothWidths('a backup to restore');
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'hidden' });
      expectNothingSerious();
    });

    test('a plugin to remove whose columns and data are counted, and its data to put back', async () => {
      const { page } = ada;
      await page.goto(`${server.url}/#/app-store`);
      await page.getByRole('button', { name: 'Install', exact: true }).click();
      await page
        .getByLabel('Archive of a plugin')
        .setInputFiles(await archiveOf(colours, { 'dist/server/index.js': coloursCode }));
      await dialog().getByRole('button', { name: 'Install', exact: true }).click();
      await page.getByRole('button', { name: 'Switch on', exact: true }).click();
      await page.getByRole('switch', { name: 'Switch Colours off' }).waitFor();
      const call = await signedInClient(server.url, 'ada@example.com');
      await call('POST', `${meta}/${project}/tables`, {
        title: 'Walls',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Paint', uidt: 'Colour' },
        ],
      });
      await page.getByRole('button', { name: 'Put data back: Colours' }).click();
      await dialog().getByText('What it replaces').waitFor();
      await lookAtBothWidths('data of a plugin to put back');
      await close();
      await page.getByRole('button', { name: 'Remove Colours' }).click();
      await dialog()
        .getByText(/Walls › Paint/)
        .waitFor();
      await lookAtBothWidths('a plugin to remove');
      await close();
      expectNothingSerious();
    });

    test('every page of the account, and the pages of the API', async () => {
      const { page } = ada;
      await page.goto(`${server.url}/#/user/settings`);
      const tabs = page.getByRole('main').getByRole('tab');
      await tabs.first().waitFor();
      const names = await tabs.allTextContents();
      for (const name of names) {
        await tabs.filter({ hasText: name }).first().click();
        await page.getByRole('tabpanel').locator('li, button').first().waitFor();
        await lookAtBothWidths(name);
        await lookAtNew(name, page.getByRole('tabpanel'));
      }
      expect(names).toEqual(expect.arrayContaining(['Sessions', 'API tokens', 'Users']));
      for (const path of ['swagger', 'redoc']) {
        await page.goto(`${server.url}/#/nc/${project}/${path}`);
        await page.locator('.api-docs').getByRole('heading', { name: 'City' }).first().waitFor();
        await lookAtBothWidths(path);
      }
      expectNothingSerious();
      // The pages of the API ask nobody else for fonts, scripts or validators.
      expect(ada.complaints).toEqual([]);
    });

    test('every tab that the menu of a project opens, with the tabs in it', async () => {
      const { page } = ada;
      /** What opens no tab: a switch, a page and dialogs, which other tests look at. */
      const others = [/^Keep names simple/, /^API$/, /^Trash$/, /^Rename$/, /^Delete$/];
      const items = page.getByRole('menu').getByRole('menuitem');
      const openMenu = async () => {
        await open();
        await page.getByRole('button', { name: 'Menu of Atlas' }).click();
        await items.first().waitFor();
      };
      await openMenu();
      const names = (await items.allTextContents()).filter((name) => !others.some((of) => of.test(name)));
      for (const name of names) {
        await openMenu();
        await items.filter({ hasText: name }).first().click();
        await page.locator('[role=tab][aria-selected=true]', { hasText: name }).first().waitFor();
        await page.getByRole('progressbar').first().waitFor({ state: 'detached' });
        await lookAtBothWidths(name);
        await lookAtNew(name, page.locator('main [role=tabpanel]').first());
        const inner = page.locator('main [role=tabpanel] [role=tab]');
        for (const title of await inner.allTextContents()) {
          await inner.filter({ hasText: title }).first().click();
          await lookAtBothWidths(`${name}, ${title}`);
          await lookAtNew(`${name}, ${title}`, page.locator('main [role=tabpanel]').last());
        }
      }
      expect(names).toEqual(expect.arrayContaining(['Team & Auth', 'Databases', 'Row rules', 'Audit']));
      expectNothingSerious();
    });
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

  test('the bar of a phone, which has room for the project and for what is needed all the time', async () => {
    const { page } = ada;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}/#/projects`);
    await page.getByText('music').first().click();
    await page.getByRole('grid').waitFor();
    const bar = page.getByRole('banner');
    await bar.getByText('music').waitFor();
    const account = await bar.getByRole('button', { name: /^Account of/ }).boundingBox();
    expect((account?.x ?? 0) + (account?.width ?? 0)).toBeLessThan(390);
    expect(await bar.getByRole('button', { name: 'Shared base' }).isVisible()).toBe(false);

    await bar.getByRole('button', { name: 'More', exact: true }).click();
    await bar.getByRole('button', { name: 'Shared base' }).waitFor();
    await look('the menu of the bar');
    expectNothingSerious();
    await bar.getByRole('button', { name: 'Shared base' }).click();
    await page.getByRole('dialog', { name: 'Shared base' }).getByText('Disabled').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Shared base' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: 'Shared base' }).waitFor({ state: 'hidden' });
  });
});
