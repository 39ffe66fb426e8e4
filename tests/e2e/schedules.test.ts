import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { newPerson, signedInClient, signUp } from './person.ts';

describeInBrowser('schedules in the page', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = await createTestServer();
    browser = await launchBrowser();
    const ann = await newPerson(browser, server.url);
    page = ann.page;
    await signUp(ann, server.url, 'ann@example.com');
    const call = await signedInClient(server.url, 'ann@example.com');
    const meta = '/api/v1/db/meta/projects';
    const { id } = await call<{ readonly id: string }>('POST', meta, { title: 'Atlas' });
    await call('POST', `${meta}/${id}/tables`, {
      title: 'City',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    await call('POST', '/api/v1/db/data/noco/Atlas/City', { Name: 'Oslo' });
    await page.goto(`${server.url}/#/nc/${id}`);
    await page.getByRole('button', { name: 'Crons' }).click();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  test('one is made in words, runs by hand, and its log offers the file', async () => {
    await page.getByText('Nothing runs by the clock yet').waitFor();
    await page.getByRole('button', { name: 'New schedule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Cities each morning');
    await dialog.getByRole('combobox', { name: 'Table' }).selectOption('City');
    await dialog.getByRole('combobox', { name: 'How often' }).selectOption('monthly');
    await dialog.getByLabel('At', { exact: true }).fill('07:30');
    await dialog.getByText('On day 1 of each month at 07:30').waitFor();
    const cron = dialog.getByRole('textbox', { name: 'Cron notation' });
    expect(await cron.inputValue()).toBe('30 7 1 * *');
    await cron.fill('30 7 31 2 *');
    await dialog.getByText('No day is like that').waitFor();
    await cron.fill('30 7 * * 1-5');
    const next = dialog.getByRole('list', { name: 'Next runs' }).getByRole('listitem');
    expect(await next.count()).toBe(5);
    await dialog.getByRole('button', { name: 'Save' }).click();

    await page.getByText('Every weekday at 07:30').waitFor();
    await page.getByRole('button', { name: /^Cities each morning/ }).click();
    await page.getByText('It has not run yet').waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    // Told by the live channel: nothing is read again by hand.
    await page.getByText('The file is kept with the run.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^City .*\.csv$/);
  });

  test('one is switched off and deleted', async () => {
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('switch', { name: 'Cities each morning runs by the clock' }).uncheck();
    await page.getByText('Switched off').waitFor();
    await page.getByRole('button', { name: 'What to do with Cities each morning' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing runs by the clock yet').waitFor();
    expect(await page.getByRole('list', { name: 'Schedules' }).getByRole('listitem').count()).toBe(0);
  });
});
