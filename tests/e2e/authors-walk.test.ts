import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { AuthorFolder } from '../package/outside-folder.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer } from './built-product.ts';
import { addColumn, createProject, createTable, newPerson, signUp, type Person } from './person.ts';

/*
 * What an author makes of a template, with nothing but the two packages of the SDK, in the hands of somebody who runs the product: brought
 * through the page, used, updated, taken back and removed.
 */

interface Walked {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly isJavaScript?: boolean;
  /** Texts of the template and what stands in their place in the next version, by file. */
  readonly changes: Readonly<Record<string, readonly (readonly [string, string])[]>>;
}

const outside = new AuthorFolder();

/** Makes a plugin of a template and packs it. @returns its folder */
function create({ kind, id, name, isJavaScript = false }: Walked): string {
  const language = isJavaScript ? ['--javascript'] : [];
  const made = outside.create(
    id,
    '--template',
    kind,
    '--name',
    name,
    '--sdk',
    `file:${outside.sdk}`,
    ...language,
  );
  expect(made).toMatchObject({ status: 0 });
  const folder = join(outside.path, id);
  outside.install('@trellis/sdk', outside.sdk, folder);
  pack(folder);
  return folder;
}

function pack(folder: string): void {
  expect(outside.trellisPlugin(['pack'], folder)).toMatchObject({ status: 0 });
}

/** Makes the next version of a plugin, and packs it. */
function change(folder: string, { id, changes }: Walked): void {
  const all = {
    ...changes,
    'plugin.json': [...(changes['plugin.json'] ?? []), ['"0.1.0"', '"0.2.0"'] as const],
  };
  for (const [file, replaced] of Object.entries(all)) {
    let text = readFileSync(join(folder, file), 'utf8');
    for (const [before, after] of replaced) {
      expect(text).toContain(before);
      text = text.replace(before, after);
    }
    outside.write({ [`${id}/${file}`]: text });
  }
  pack(folder);
}

describeInBrowser('a plugin that an author made of a template', () => {
  let dataDir: string;
  let server: BuiltServer;
  let url: string;
  let browser: Browser;
  let ada: Person;
  /** Where the page shows the table. */
  let table: string;
  /** Path and authorization of what the mail service was sent. */
  const sent: (readonly [string | undefined, string | undefined])[] = [];
  const post = createServer((request, response) => {
    sent.push([request.url, request.headers.authorization]);
    request.resume().once('end', () => response.end('{}'));
  });

  beforeAll(async () => {
    outside.prepare();
    dataDir = await shipToNewFolder([]);
    // Mail leads back to somewhere.
    server = startBuiltServer(dataDir, { TRELLIS_SITE_URL: 'http://trellis.example' });
    [url, browser] = await Promise.all([server.listening(), launchBrowser()]);
    ada = await newPerson(browser, url);
    await signUp(ada, url, 'ada@example.com');
    await createProject(ada, 'Shop');
    await createTable(ada, 'Things');
    table = ada.page.url();
    post.listen(0, '127.0.0.1');
    await once(post, 'listening');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
    post.close();
    outside.dispose();
  });

  const button = (name: string) => ada.page.getByRole('button', { name, exact: true });
  const store = () => ada.page.goto(`${url}/#/app-store`);

  /** Brings an archive, agrees to what it asks for, and installs it. */
  async function install(folder: string, plugin: Walked, version: string, asked?: RegExp): Promise<void> {
    const { page } = ada;
    const { id, name } = plugin;
    const isNew = version === '0.1.0';
    await store();
    await button('Install').click();
    await page.getByLabel('Archive of a plugin').setInputFiles(join(folder, `${id}-${version}.tgz`));
    const sheet = page.getByRole('dialog', { name: isNew ? `Install ${name} ` : `${name}: ` });
    await sheet.getByText('Checksum').waitFor();
    if (asked !== undefined) await sheet.getByRole('checkbox', { name: asked }).waitFor();
    for (const box of await sheet.getByRole('checkbox').all()) await box.check();
    await sheet.getByRole('button', { name: isNew ? 'Install' : 'Update' }).click();
    await page.getByText(isNew ? `${name} is installed` : `${name} is now ${version}`).waitFor();
  }

  async function remove({ name }: Walked): Promise<void> {
    const { page } = ada;
    await store();
    await button(`Remove ${name}`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText(`${name} is removed`).waitFor();
    await page.getByRole('article', { name, exact: true }).waitFor({ state: 'detached' });
  }

  async function takeBack({ name }: Walked): Promise<void> {
    await store();
    await button(`Put ${name} back to 0.1.0`).click();
    await ada.page.getByText(`${name} is now 0.1.0`).waitFor();
  }

  test('as a column type is there for cells, in its next version as well, and leaves text behind', async () => {
    const { page } = ada;
    const plugin: Walked = {
      kind: 'column-type',
      id: 'acme-colour',
      name: 'Colour',
      changes: {
        'plugin.json': [['"contributes": {', '"contributes": {\n    "hosts": ["colours.example"],']],
        'web/AcmeColourCell.tsx': [['      {value}\n', '      {`${value} of Acme`}\n']],
      },
    };
    const folder = create(plugin);
    await install(folder, plugin, '0.1.0');
    await button('Switch on').click();
    await page.getByText('Colour is on').waitFor();
    await page.goto(table);
    await addColumn(ada, 'Tint', 'Colour');
    await button('Add a row').first().click();
    await page
      .locator('[role=row][aria-rowindex="2"]:not([aria-busy]) [role=gridcell][aria-selected=true]')
      .waitFor();
    for (const text of ['Sky', '#1971C2']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.getByTitle('The colour #1971c2').getByText('#1971c2', { exact: true }).waitFor();

    change(folder, plugin);
    await install(folder, plugin, '0.2.0', /beyond what was agreed.*colours\.example/);
    await page.goto(table);
    await page.getByText('#1971c2 of Acme').waitFor();
    await takeBack(plugin);
    await page.goto(table);
    await page.getByText('#1971c2', { exact: true }).waitFor();
    await remove(plugin);
    await page.goto(table);
    await page.getByRole('gridcell', { name: '#1971c2' }).waitFor();
    expect(await page.getByTitle('The colour #1971c2').count()).toBe(0);
    expect(ada.complaints).toEqual([]);
  });

  test('as a view draws rows, in its next version as well, and leaves a grid behind', async () => {
    const { page } = ada;
    const plugin: Walked = {
      kind: 'view',
      id: 'acme-shelf',
      name: 'Shelf',
      changes: { 'web/AcmeShelfView.tsx': [['aria-label={view.title}', 'aria-label="All on the shelf"']] },
    };
    const folder = create(plugin);
    await install(folder, plugin, '0.1.0');
    await button('Switch on').click();
    await page.getByText('Shelf is on').waitFor();
    await page.goto(table);
    await page.getByRole('toolbar', { name: 'View' }).getByRole('button').first().click();
    await page.getByRole('button', { name: /New view: Shelf/ }).click();
    await page.getByRole('button', { name: 'Create view' }).click();
    await page.getByRole('region', { name: 'Shelf' }).getByText('Sky').waitFor();
    const view = page.url();

    change(folder, plugin);
    await install(folder, plugin, '0.2.0');
    await page.goto(view);
    await page.getByRole('region', { name: 'All on the shelf' }).getByText('Sky').waitFor();
    await takeBack(plugin);
    await page.goto(view);
    await page.getByRole('region', { name: 'Shelf' }).getByText('Sky').waitFor();
    await remove(plugin);
    await page.goto(view);
    await page.getByText(/The plugin that draws views of the type .* is switched off or missing/).waitFor();
    await page.getByRole('gridcell', { name: 'Sky' }).waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('as a provider in JavaScript sends the mail of the product, in its next version as well, and then none', async () => {
    const { page } = ada;
    const plugin: Walked = {
      kind: 'mail',
      id: 'acme-post',
      name: 'Post',
      isJavaScript: true,
      changes: { 'server/index.js': [["post('/send'", "post('/v2/send'"]] },
    };
    const folder = create(plugin);
    // Each may ask for a link once in a while.
    for (const email of ['bob@example.com', 'cid@example.com']) {
      const other = await newPerson(browser, url);
      await signUp(other, url, email);
      await other.context.close();
    }
    await install(folder, plugin, '0.1.0');
    await button('Switch on').click();
    const settings = page.getByRole('dialog', { name: 'Settings of Post' });
    await settings.getByLabel('Address').fill(`http://127.0.0.1:${(post.address() as AddressInfo).port}`);
    await settings.getByLabel('API key').fill('abc');
    await button('Save and switch on').click();
    await page.getByText('Post is on').waitFor();
    await forget('ada@example.com');
    await expectSent(1);
    expect(sent).toEqual([['/send', 'Bearer abc']]);

    change(folder, plugin);
    await install(folder, plugin, '0.2.0');
    await forget('bob@example.com');
    await expectSent(2);
    expect(sent[1]).toEqual(['/v2/send', 'Bearer abc']);
    await takeBack(plugin);
    await forget('cid@example.com');
    await expectSent(3);
    expect(sent[2]).toEqual(['/send', 'Bearer abc']);
    await remove(plugin);
    expect(ada.complaints).toEqual([]);
  });

  /** Asks for a new password as somebody who is not signed in. */
  async function forget(email: string): Promise<void> {
    const stranger = await newPerson(browser, url);
    await stranger.page.goto(`${url}/#/user/password/forgot`);
    await stranger.page.getByLabel('E-mail').fill(email);
    await stranger.page.getByRole('button', { name: 'Send the link' }).click();
    await stranger.page.getByText(/a mail with a link is on its way/).waitFor();
    await stranger.context.close();
  }

  async function expectSent(count: number): Promise<void> {
    while (sent.length < count) await once(post, 'request');
  }
});
