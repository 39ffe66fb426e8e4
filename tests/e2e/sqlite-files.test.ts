import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser } from 'playwright-core';
import { sqliteFile } from '../../plugins/sys-projects/testing/sqlite-file.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { newPerson, signUp, type Person } from './person.ts';

describeInBrowser('a SQLite file of the computer', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Person;

  beforeAll(async () => {
    server = await createTestServer({ env: { TRELLIS_SQLITE_UPLOAD_MB: '2' } });
    browser = await launchBrowser();
    ada = await newPerson(browser, server.url);
    await signUp(ada, server.url, 'ada@example.com');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

  test('is sent, checked and opened as a project', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: /Open a SQLite file/ }).click();
    const dialog = page.getByRole('dialog');
    const chooser = dialog.getByLabel('SQLite file of this computer');
    await chooser.setInputFiles(
      file('notes.txt', Buffer.from('nothing but some text, longer than it has to be')),
    );
    await dialog.getByText('This is no SQLite database, or one that is encrypted.').waitFor();
    await chooser.setInputFiles(file('huge.db', Buffer.alloc(3 * 1024 * 1024)));
    await dialog.getByText('The file is larger than 2 MB.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Open', exact: true }).isDisabled()).toBe(true);

    // Held at the server's door, so that there is time to see it and to turn back.
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/sqlite-files?**', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await chooser.setInputFiles(file('pet_shop.db', sqliteFile()));
    await dialog.getByText(/^pet_shop.db is being/).waitFor();
    await dialog.getByRole('button', { name: 'Do not send it' }).click();
    await dialog.getByRole('button', { name: 'Choose a file' }).waitFor();
    letGo();
    await page.unroute('**/sqlite-files?**');

    await chooser.setInputFiles(file('pet_shop.db', sqliteFile()));
    await dialog.getByRole('radio', { name: /pet_shop.db/ }).waitFor();
    expect(await dialog.getByLabel('Project name').inputValue()).toBe('pet shop');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('navigation', { name: 'Tables' }).getByText('Pet').click();
    await page.getByRole('grid').getByText('Cat', { exact: true }).waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('is added to a project, and goes when it is taken out of it', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Menu of pet shop' }).click();
    await page.getByRole('menuitem', { name: 'Databases' }).click();
    await page.getByRole('button', { name: 'Add a database' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('SQLite', { exact: true }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Branch');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Choose a file first.').waitFor();
    await dialog.getByLabel('SQLite file of this computer').setInputFiles(file('branch.db', sqliteFile()));
    await dialog.getByRole('radio', { name: /branch.db/ }).waitFor();
    expect(await dialog.getByText('Choose a file first.').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('navigation', { name: 'Tables' }).getByRole('heading', { name: 'Branch' }).waitFor();
    await page.getByRole('button', { name: 'Take Branch out' }).click();
    await page.getByText(/The file was sent to this server and is deleted with them/).waitFor();
    expect(ada.complaints).toEqual([]);
  });
});
