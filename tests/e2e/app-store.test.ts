import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeArchive } from '@trellis/sdk/build/archive/write-archive';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { newPerson, signUp, type Person } from './person.ts';

/** A plugin that shows its version in everybody's page, and serves an address of the product. */
function badge(version: string): ReadonlyMap<string, Buffer> {
  const manifest = {
    id: 'acme-badge',
    name: 'Badge',
    version,
    category: 'app',
    engines: { trellis: '*' },
    sdk: 1,
    settings: {
      type: 'object',
      required: ['key'],
      properties: { key: { type: 'string', title: 'API key' } },
    },
    contributes: { routes: ['/api/v1/badge'], shellItems: [{ id: 'acme-badge' }] },
  };
  const server = `export default { setup(ctx) { ctx.routes({ method: 'GET', path: '/api/v1/badge',
    permission: 'public', summary: '', handle: async () => ({ version: '${version}' }) }); } };`;
  const web = `import { createElement as h } from 'react';
    export default { setup(ctx) { ctx.register('shellItems', { id: 'acme-badge', slot: 'top-bar-end',
      Component: () => h('output', { 'aria-label': 'Badge' }, 'Badge ${version}') }); } };`;
  const broken = "export default { setup() { throw new Error('The flux capacitor is missing.'); } };";
  return new Map([
    ['plugin.json', Buffer.from(JSON.stringify(manifest))],
    ['dist/package.json', Buffer.from('{"type":"module"}')],
    ['dist/server/index.js', Buffer.from(version === '2.0.0' ? broken : server)],
    ['dist/web/index.js', Buffer.from(web)],
  ]);
}

describeInBrowser('a plugin from its archive to its removal, with two people in the product', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let bob: Person;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, 'ada@example.com');
    bob = await newPerson(browser, product.url);
    await signUp(bob, product.url, 'bob@example.com');
    await bob.page.evaluate(() => Object.assign(globalThis, { isTheSamePage: true }));
    await ada.page.goto(`${product.url}/#/app-store`);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const shown = ({ page }: Person, version: string) =>
    page.getByText(`Badge ${version}`, { exact: true }).waitFor();

  async function bring(version: string): Promise<void> {
    const { page } = ada;
    // The one before closes once its own answer is there, which may be after everybody sees the new version.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button(page, 'Install').click();
    await page.getByLabel('Archive of a plugin').setInputFiles({
      name: `acme-badge-${version}.tgz`,
      mimeType: 'application/gzip',
      buffer: await writeArchive(badge(version)),
    });
  }

  /** The same as a folder, with the sources that its author has beside what is built. */
  async function bringFolder(version: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-badge-'));
    try {
      const sources = [['src/index.ts', Buffer.from('nobody reads it')]] as const;
      for (const [path, bytes] of [...badge(version), ...sources]) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), bytes);
      }
      await button(ada.page, 'Install').click();
      await ada.page.getByLabel('Folder of a plugin').setInputFiles(folder);
      await button(ada.page, 'Update').waitFor();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  test('is installed with consent, set up, and then there for everybody', async () => {
    const { page } = ada;
    await bring('1.0.0');
    const sheet = page.getByRole('dialog', { name: 'Install Badge 1.0.0?' });
    await sheet.getByRole('checkbox', { name: /api\/v1\/badge/ }).check();
    await sheet.getByRole('button', { name: 'Install' }).click();
    await page.getByText('Badge is installed').waitFor();
    await button(page, 'Switch on').click();
    await page.getByLabel('API key').fill('abc');
    await button(page, 'Save and switch on').click();
    await Promise.all([shown(ada, '1.0.0'), shown(bob, '1.0.0')]);
    expect(await (await fetch(`${product.url}/api/v1/badge`)).json()).toEqual({ version: '1.0.0' });
  });

  test('is updated while people work; a version that fails is told of, and the one before goes on', async () => {
    const { page } = ada;
    await bringFolder('1.1.0');
    await button(page, 'Update').click();
    await Promise.all([shown(ada, '1.1.0'), shown(bob, '1.1.0')]);
    await bring('2.0.0');
    await button(page, 'Update').click();
    const problem = await page.getByRole('dialog').getByRole('alert').textContent();
    expect(problem).toMatch(/flux capacitor.*Version 1\.1\.0 stays in use/);
    await page.keyboard.press('Escape');
    await button(page, 'Put Badge back to 1.0.0').click();
    await Promise.all([shown(ada, '1.0.0'), shown(bob, '1.0.0')]);
  });

  test('is removed, and then nothing of it is left in anybody’s page', async () => {
    const { page } = ada;
    await button(page, 'Remove Badge').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Badge is removed').waitFor();
    await bob.page.getByText('Badge 1.0.0', { exact: true }).waitFor({ state: 'detached' });
    expect((await fetch(`${product.url}/api/v1/badge`)).status).toBe(404);
    expect(await bob.page.evaluate(() => 'isTheSamePage' in globalThis)).toBe(true);
    expect([...ada.complaints, ...bob.complaints]).toEqual([]);
  });
});
