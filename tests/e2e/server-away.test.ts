import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';
import { createProject, createTable, newPerson, signUp } from './person.ts';

describeInBrowser('a server that goes away while somebody works', () => {
  let dataDir: string;
  let server: BuiltServer;
  let browser: Browser;

  beforeAll(async () => {
    dataDir = await shipToNewFolder([]);
    server = startBuiltServer(dataDir);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  test('is told of, and a cell that was entered meanwhile is saved when it is back', async () => {
    const url = await server.listening();
    const person = await newPerson(browser, url);
    const { page } = person;
    await signUp(person, url, 'ada@example.com');
    await createProject(person, 'Films');
    await createTable(person, 'Films');
    await page.getByRole('button', { name: 'Add a row' }).first().click();
    const cell = page.getByRole('gridcell').first();
    // Until the row is there, placeholders stand in its place.
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.locator('.tgrid-skeleton').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');

    await server.end('SIGKILL');
    await page.getByText('The server cannot be reached.').waitFor();
    await cell.click();
    await page.keyboard.type('Metropolis');
    await page.keyboard.press('Enter');
    await page.getByRole('gridcell', { name: 'Metropolis' }).waitFor();

    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok());
    server = startBuiltServer(dataDir, { PORT: new URL(url).port });
    await server.listening();
    await page.getByText('The server can be reached again.').waitFor();
    expect(await page.getByText('The server cannot be reached.').count()).toBe(0);

    await saved;
    await page.reload();
    await page.getByRole('gridcell', { name: 'Metropolis' }).waitFor();
    expect(person.complaints).toEqual([]);
  });
});
