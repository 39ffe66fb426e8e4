import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSmtpRecorder, type SmtpRecorder } from '@trellis/sdk/testing/server';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';
import { buildAndInstall, deals, post, stages } from './outside-plugins.ts';
import {
  createProject,
  createTable,
  newPerson,
  signedInClient,
  signIn,
  signUp,
  type Person,
} from './person.ts';

const email = 'ada@example.com';

/** What a third party can add to the page, used in a browser by three plugins that were built outside of the repository. */
describeInBrowser('plugins from outside', () => {
  let dataDir: string;
  let server: BuiltServer;
  let url: string;
  let browser: Browser;
  let ada: Person;
  let page: Page;
  let mails: SmtpRecorder;

  beforeAll(async () => {
    dataDir = await shipToNewFolder([]);
    buildAndInstall('acme-deals', deals, dataDir);
    buildAndInstall('acme-stages', stages, dataDir);
    buildAndInstall('acme-post', post, dataDir);
    mails = await startSmtpRecorder();
    server = startBuiltServer(dataDir);
    [url, browser] = await Promise.all([server.listening(), launchBrowser()]);
    ada = await newPerson(browser, url);
    page = ada.page;
    await signUp(ada, url, email);
    await createProject(ada, 'Zoo');
    await createTable(ada, 'Animals');
    const call = await signedInClient(url, email);
    const place = new URL(page.url().replace('#/', ''));
    const rows = `/api/v1/db/data/noco/${place.pathname.split('/').pop()}/${place.searchParams.get('dbalias')}`;
    for (const Title of ['Lion', 'Ape']) await call('POST', rows, { Title });
    await page.getByRole('gridcell', { name: 'Ape' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end('SIGTERM');
    await mails?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function expectText(text: string) {
    await page.getByText(text).first().waitFor();
  }

  test('an item stands in the toolbar, and an action in the menu of a row', async () => {
    await page.getByRole('button', { name: 'Acme looks at Animals' }).waitFor();
    await page.getByRole('gridcell', { name: 'Lion' }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Greet' }).click();
    await expectText('Hello Lion');
  });

  test('a command runs by its keys and is found in the palette, where tables are found as well', async () => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search everything' });
    await palette.getByRole('option', { name: /Animals/ }).waitFor();
    await page.keyboard.type('say hel');
    await page.keyboard.press('Enter');
    await expectText('Acme greets Zoo');
    expect(await palette.count()).toBe(0);
  });

  test('a tab opens from the menu of the project and lists what the second plugin registered', async () => {
    await page.getByRole('button', { name: 'Menu of Zoo' }).click();
    await page.getByRole('menuitem', { name: 'Deals' }).click();
    await expectText('Stage Won');
    await page.getByRole('button', { name: 'Count', exact: true }).click();
    await page.locator('body[data-acme="1"]').waitFor();
    await page.getByRole('tab', { name: 'Animals' }).click();
  });

  test('an entry stands in the menu of a table, and one in the menus of the views that it is meant for', async () => {
    const tables = page.getByRole('navigation', { name: 'Tables' });
    const open = async (title: string) => {
      await tables.getByRole('button', { name: title, exact: true }).hover();
      await tables.getByRole('button', { name: `Actions for ${title}`, exact: true }).click();
    };
    await open('Animals');
    await page.getByRole('menuitem', { name: 'Count on it' }).click();
    await expectText('Animals of Zoo counts');
    await tables.getByRole('button', { name: 'Contents of Animals' }).click();
    const call = await signedInClient(url, email);
    const id = new URL(page.url().replace('#/', '')).searchParams.get('dbalias');
    for (const title of ['Near', 'Far']) await call('POST', `/api/v1/db/meta/tables/${id}/grids`, { title });
    await open('Near');
    await page.getByRole('menuitem', { name: 'Look closely' }).click();
    await expectText('A near look at Animals');
    await open('Far');
    await page.getByRole('menu').getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem', { name: 'Look closely' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await tables.getByRole('button', { name: 'Contents of Animals' }).click();
  });

  test('objects of a kind of its own stand in the side bar, are opened, found and renamed there', async () => {
    const boards = page.getByRole('navigation', { name: 'Boards' });
    await boards.getByRole('button', { name: 'Create board' }).click();
    await boards.getByRole('button', { name: 'Sales', exact: true }).click();
    await page.getByRole('heading', { name: 'The board Sales' }).waitFor();
    await boards.getByRole('button', { name: 'Actions for Sales' }).click();
    await page.getByRole('menuitem', { name: 'Call it profit' }).click();
    await boards.getByRole('button', { name: 'Profit', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Profit' }).waitFor();
    await page.getByRole('tab', { name: 'Animals' }).click();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('profit');
    await page.getByRole('option', { name: /Profit/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The board Profit' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Sales' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Animals' }).click();
  });

  test('a mail goes out by the adapter of a third plugin, and who sends it is told while there is none', async () => {
    const call = await signedInClient(url, email);
    const tell = page.getByRole('button', { name: 'Tell the winner' });
    const said = page.getByLabel('Mail', { exact: true });
    const unset =
      'MAIL_NOT_CONFIGURED: This server cannot send mail yet: no mail plugin is switched on and set up.';
    await page.getByRole('tab', { name: 'Deals' }).click();
    await tell.click();
    await said.getByText(unset).waitFor();
    await call('PUT', '/api/v1/app-store/plugins/acme-post/settings', {
      input: { host: '127.0.0.1', port: mails.port },
    });
    await tell.click();
    await said.getByText('Mail is on its way').waitFor();
    expect(await mails.next()).toEqual({
      from: 'deals@acme.example',
      to: ['winner@example.com'],
      content: 'To: winner@example.com\r\nSubject: Won\r\n\r\nA deal is won.',
    });
    await call('POST', '/api/v1/app-store/plugins/acme-post/disable', {});
    await tell.click();
    await said.getByText(unset).waitFor();
    await page.getByRole('tab', { name: 'Animals' }).click();
  });

  test('a comparison with an input of its own filters', async () => {
    await page.getByRole('button', { name: /^Filter/ }).click();
    const panel = page.getByRole('dialog', { name: /^Filter/ });
    await panel.getByRole('button', { name: 'Add filter' }).click();
    await panel.getByLabel('Comparison').selectOption({ label: 'begins with the letter' });
    await panel.getByRole('button', { name: 'A', exact: true }).click();
    await page.getByRole('gridcell', { name: 'Lion' }).waitFor({ state: 'detached' });
    await page.getByRole('gridcell', { name: 'Ape' }).waitFor();
    expect(await page.getByRole('gridcell', { name: 'Lion' }).count()).toBe(0);
    await panel.getByRole('button', { name: 'Remove this filter' }).click();
    await page.getByRole('gridcell', { name: 'Lion' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('a page is reached by the menu of the top bar, and a panel of the settings is shown', async () => {
    await page.getByRole('button', { name: 'More pages' }).click();
    await page.getByRole('menuitem', { name: 'Page of Acme' }).click();
    await page.getByRole('heading', { name: 'The page of Acme' }).waitFor();
    await page.keyboard.press('Control+,');
    await page.getByRole('tab', { name: 'Acme' }).click();
    await expectText('Acme has nothing to choose.');
    await page.keyboard.press('Escape');
    await page.goBack();
    await page.getByRole('grid').waitFor();
  });

  test('switched off by one person they leave the page of another, and come back with everything', async () => {
    const other = await newPerson(browser, url);
    await signIn(other, url, email);
    await other.page.goto(`${url}/#/app-store`);
    const tool = page.getByRole('button', { name: 'Acme looks at Animals' });
    await tool.waitFor();
    await other.page.getByRole('switch', { name: 'Switch Acme deals off' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: /off/i }).click();
    await tool.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Menu of Zoo' }).click();
    await page.getByRole('menuitem', { name: 'Trash' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Deals' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await other.page.getByRole('switch', { name: 'Switch Acme deals on' }).click();
    await tool.waitFor();
    await other.page.getByRole('switch', { name: 'Switch Acme stages on' }).click();
    await page.getByRole('button', { name: 'Menu of Zoo' }).click();
    await page.getByRole('menuitem', { name: 'Deals' }).click();
    await expectText('Stage Won');
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });
});
