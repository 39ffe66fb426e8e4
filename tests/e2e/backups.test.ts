import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { newPerson, signedInClient, signUp, type Person } from './person.ts';

describeInBrowser('backups in the page', () => {
  let server: TestServer;
  let browser: Browser;
  let ann: Person;
  let archive: Buffer;

  beforeAll(async () => {
    server = await createTestServer();
    browser = await launchBrowser();
    ann = await newPerson(browser, server.url);
    const { page } = ann;
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

  test('one that a schedule has written becomes a project by a button in its log', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'New schedule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Each night');
    await dialog.getByRole('combobox', { name: 'What is done' }).selectOption('Back up the project');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /^Each night/ }).click();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('The file is kept with the run.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download/ }).click(),
    ]);
    const parts: Buffer[] = [];
    for await (const part of await download.createReadStream()) parts.push(part as Buffer);
    archive = Buffer.concat(parts);

    await page.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByText('one table · one row · 0 files').waitFor();
    const name = dialog.getByRole('textbox', { name: 'Name of the new project' });
    expect(await name.inputValue()).toBe('Atlas (restored)');
    await name.fill('Atlas');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByRole('alert').waitFor();
    await name.fill('Atlas of March');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('navigation', { name: 'Tables' }).getByText('City').click();
    await page.getByRole('grid').getByText('Oslo', { exact: true }).waitFor();
    expect(ann.complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
  });

  test('one of this computer is sent among the ways to begin a project; what is none is refused in words', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/#/projects`);
    await page.getByRole('button', { name: /Restore a backup/ }).click();
    const dialog = page.getByRole('dialog');
    const chooser = dialog.getByLabel('Backup of a project');
    const file = (buffer: Buffer) => ({ name: 'atlas.zip', mimeType: 'application/zip', buffer });
    await chooser.setInputFiles(file(Buffer.from('no archive')));
    await dialog.getByText('This file is no backup of a project.').waitFor();
    await chooser.setInputFiles(file(archive));
    await dialog.getByRole('textbox', { name: 'Name of the new project' }).fill('Atlas elsewhere');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('navigation', { name: 'Tables' }).getByText('City').click();
    await page.getByRole('grid').getByText('Oslo', { exact: true }).waitFor();
    expect(await page.getByText('Atlas elsewhere').count()).toBeGreaterThan(0);
  });
});
