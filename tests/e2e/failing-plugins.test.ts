import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestClient, type TestAnswer } from '@trellis/sdk/testing/server';
import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct, type ShippedPlugin } from './built-product.ts';
import { addColumn, createProject, createTable, newPerson, signUp, type Person } from './person.ts';

/** Both halves of a column type whose cells cannot be drawn. */
const grumpyType = `{
  id: 'Grumpy', label: 'Grumpy', icon: 'bolt', storage: 'text', accepts: ['text', 'string'],
  fallback: 'LongText', operators: ['eq'], examples: [],
  parse: (input) => ({ ok: true, value: input === null || input === '' ? null : String(input) }),
  format: (value) => value ?? '',
  Editor: 'text',
  Cell() { throw new Error('the cell is in a bad mood'); },
}`;

const plugins: readonly ShippedPlugin[] = [
  {
    id: 'throws-in-setup',
    name: 'Setup thrower',
    server: `import { defineServerPlugin } from '@trellis/sdk/server';
      export default defineServerPlugin({ setup() { throw new Error('out of paper'); } });`,
  },
  {
    id: 'hangs-in-setup',
    name: 'Setup hanger',
    server: 'export default { setup: () => new Promise(() => undefined) };',
  },
  {
    id: 'throws-in-route',
    name: 'Route thrower',
    server: `export default { setup(ctx) {
      ctx.routes(
        { method: 'GET', path: 'boom', permission: 'public', summary: 'Throws',
          handle: async () => { throw new Error('the secret is a tulip'); } },
        { method: 'GET', path: 'fine', permission: 'public', summary: 'Answers', handle: async () => ({ ok: 1 }) },
      );
    } };`,
  },
  {
    id: 'throws-in-cell',
    name: 'Cell thrower',
    manifest: {
      category: 'column',
      contributes: {
        columnTypes: [{ id: 'Grumpy', label: 'Grumpy', storage: 'text', fallback: 'LongText' }],
      },
    },
    server: `export default { setup(ctx) { ctx.register('columnTypes', ${grumpyType}); } };`,
    web: `export default { setup(ctx) { ctx.register('columnTypes', ${grumpyType}); } };`,
  },
  {
    id: 'throws-in-page',
    name: 'Page thrower',
    web: `export default { setup() { throw new Error('no room on the page'); } };`,
  },
];

describeInBrowser('plugins that go wrong in a browser', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  /** What a path of the hanging plugin answers when the server has just begun to listen. */
  let early: TestAnswer;

  beforeAll(async () => {
    product = await startBuiltProduct(plugins);
    early = await new TestClient(product.url).get('/api/v1/plugins/hangs-in-setup/anything');
    browser = await launchBrowser();
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, 'ada@example.com');
  });

  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  /** The plugin's card on the app store page, read anew. */
  async function card(name: string): Promise<Locator> {
    const { page } = ada;
    await page.goto(`${product.url}/#/app-store`);
    await page.reload();
    const found = page.getByRole('article', { name, exact: true });
    await found.waitFor();
    return found;
  }

  test('one that hangs in setup keeps nobody from the product, and fails after ten seconds', async () => {
    const shown = await card('Setup hanger');
    expect(early).toMatchObject({ status: 503, body: { code: 'PLUGIN_STARTING' } });
    // Without a reload: the page hears of it.
    await shown.getByText('Failed.').waitFor();
    expect(await shown.innerText()).toMatch(/10 ?(s|000 ms)/);
  });

  test('one that throws in setup is failed, and the app store page says why', async () => {
    const shown = await card('Setup thrower');
    await shown.getByText('Failed.').waitFor();
    expect(await shown.innerText()).toContain('out of paper');
  });

  test('others work on while somebody switches the hanging one on again', async () => {
    const { page } = ada;
    const toggle = (await card('Setup hanger')).getByRole('switch');
    await toggle.click();
    await page.getByRole('switch', { name: 'Switch Setup hanger on', disabled: true }).waitFor();
    const answer = await new TestClient(product.url).get('/api/v1/plugins/throws-in-route/fine');
    expect(answer).toMatchObject({ status: 200, body: { ok: 1 } });
    expect(await toggle.isDisabled()).toBe(true);
    await page.getByText('Setup hanger could not be switched').waitFor();
    expect(await toggle.getAttribute('aria-checked')).toBe('false');
  });

  test('an error of a route is an answer without its secrets; the app store page has the whole of it', async () => {
    const client = new TestClient(product.url);
    const refused = await client.get('/api/v1/plugins/throws-in-route/boom');
    expect(refused.status).toBe(500);
    expect(JSON.stringify(refused.body)).not.toContain('tulip');
    expect((await client.get('/api/v1/plugins/throws-in-route/fine')).status).toBe(200);
    const shown = await card('Route thrower');
    await shown.getByText('1 error since the start').click();
    await shown.getByText('the secret is a tulip').waitFor();
    expect(await shown.getByRole('switch').getAttribute('aria-checked')).toBe('true');
  });

  test('a cell that cannot be drawn costs that cell alone, and its value can still be written', async () => {
    const { page } = ada;
    await page.goto(`${product.url}/#/projects`);
    await createProject(ada, 'Moods');
    await createTable(ada, 'People');
    await addColumn(ada, 'Mood', 'Grumpy');
    await page.getByRole('button', { name: 'Add a row' }).first().click();
    const row = page.locator('[role=row][aria-rowindex="2"]:not([aria-busy])');
    await row.waitFor();
    await page.keyboard.type('Grace');
    await page.keyboard.press('Tab');
    await row.getByText('Grace', { exact: true }).waitFor();
    await row.getByRole('img', { name: /This cell cannot be shown: the cell is in a bad mood/ }).waitFor();
    await page.keyboard.type('sunny');
    const answer = page.waitForResponse(
      (response) => response.request().postData()?.includes('sunny') ?? false,
    );
    await page.keyboard.press('Enter');
    const written = await answer;
    expect(written.status()).toBe(200);
    expect(await written.json()).toMatchObject({ Title: 'Grace', Mood: 'sunny' });
    expect(await row.getByText('Grace', { exact: true }).isVisible()).toBe(true);

    const shown = await card('Cell thrower');
    await shown.locator('summary').click();
    await shown.getByText('the cell is in a bad mood').first().waitFor();
    expect(await shown.innerText()).toContain('browser');
  });

  test('a page half that throws leaves the page whole, and the app store page says so', async () => {
    const shown = await card('Page thrower');
    await shown.locator('summary').click();
    await shown.getByText('no room on the page').first().waitFor();
    expect(await ada.page.getByRole('heading', { name: 'App store', level: 1 }).isVisible()).toBe(true);
  });

  test('none of it ended the server or broke the content-security policy', () => {
    expect(product.isRunning()).toBe(true);
    expect(ada.complaints).toEqual([]);
  });
});
