import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestClient } from '@trellis/sdk/testing/server';
import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct, type ShippedPlugin } from './built-product.ts';
import { newPerson, signUp, type Person } from './person.ts';

const settings = {
  type: 'object',
  additionalProperties: false,
  required: ['host'],
  properties: {
    host: { type: 'string', title: 'Server', minLength: 1, pattern: '^[a-z.]*$', 'x-ui': { order: 1 } },
    port: { type: 'integer', title: 'Port', minimum: 1, maximum: 65_535, default: 587, 'x-ui': { order: 2 } },
    secure: { type: 'boolean', title: 'Use TLS', default: true },
    auth: {
      type: 'string',
      title: 'Sign in',
      enum: ['none', 'password'],
      default: 'none',
      'x-ui': { labels: ['Without', 'With a password'] },
    },
    password: {
      type: 'string',
      format: 'secret',
      title: 'Password',
      'x-ui': { when: { property: 'auth', oneOf: ['password'] } },
    },
    banner: { type: 'string', title: 'Banner', maxLength: 40, 'x-page': true },
    // More than a window is high.
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `extra${at}`,
        { type: 'string', title: `Extra ${at}`, 'x-ui': { order: 10 + at } },
      ]),
    ),
  },
};

const plugins: readonly ShippedPlugin[] = [
  {
    id: 'mailer',
    name: 'Mailer',
    manifest: { settings },
    server: `export default {
      setup(ctx) {
        ctx.routes({ method: 'GET', path: 'seen', permission: 'public', summary: 'What it sees',
          handle: async () => ctx.settings.current });
      },
      test: async (ctx, { host }) =>
        host === 'down' ? { ok: false, message: 'down does not answer' } : { ok: true, message: host + ' answers' },
    };`,
    web: `import { createElement as h } from 'react';
      import { usePluginSettings } from '@trellis/sdk/web';
      export default { setup(ctx) {
        function Banner() {
          const settings = usePluginSettings(ctx.settings);
          return h('output', { 'aria-label': 'Banner' }, JSON.stringify(settings));
        }
        ctx.settings.onDidChange(({ banner }) => { document.body.dataset.banner = banner; });
        ctx.register('shellItems', { id: 'banner', slot: 'top-bar-end', Component: Banner });
      } };`,
  },
  { id: 'plain', name: 'Plain', server: 'export default { setup() {} };' },
];

describeInBrowser('the settings of a plugin on the app store page', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ada: Person;
  let form: Locator;

  beforeAll(async () => {
    product = await startBuiltProduct(plugins);
    browser = await launchBrowser();
    ada = await newPerson(browser, product.url);
    await signUp(ada, product.url, 'ada@example.com');
    form = ada.page.getByRole('dialog', { name: 'Settings of Mailer' });
  });

  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  async function open(): Promise<void> {
    await ada.page.goto(`${product.url}/#/app-store`);
    await ada.page.getByRole('button', { name: 'Settings of Mailer' }).click();
    await form.getByLabel('Server').waitFor();
  }

  /** What the plugin knows; on a busy machine the server listens before it has started. */
  async function seen(): Promise<unknown> {
    const ask = () => new TestClient(product.url).get('/api/v1/plugins/mailer/seen');
    let answer = await ask();
    while (answer.status === 503) answer = await ask();
    return answer.body;
  }

  test('are offered for plugins that have some', async () => {
    await ada.page.goto(`${product.url}/#/app-store`);
    await ada.page.getByRole('article', { name: 'Plain', exact: true }).waitFor();
    expect(await ada.page.getByRole('button', { name: 'Settings of Mailer' }).count()).toBe(1);
    expect(await ada.page.getByRole('button', { name: 'Settings of Plain' }).count()).toBe(0);
  });

  test('say at the field what is wrong, and save nothing then', async () => {
    await open();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Server is required').waitFor();
    expect(await seen()).toEqual({ port: 587, secure: true, auth: 'none' });
  });

  test('can be tried out, and reach the plugin when they are saved', async () => {
    await form.getByLabel('Server').fill('down');
    await form.getByRole('button', { name: 'Test' }).click();
    const outcome = form.getByRole('alert').getByText('down does not answer');
    await outcome.waitFor();
    // Nobody scrolls to find out what the press did.
    const { y: top, height } = (await outcome.boundingBox()) ?? { y: Infinity, height: 0 };
    expect(top + height).toBeLessThan(900);
    expect(await form.getByLabel('Server').isVisible()).toBe(true);
    await form.getByLabel('Server').fill('mail.example');
    await form.getByRole('button', { name: 'Test' }).click();
    await form.getByRole('status').getByText('mail.example answers').waitFor();
    await form.getByText('Without', { exact: true }).last().click();
    await ada.page.getByRole('option', { name: 'With a password' }).click();
    await form.getByLabel('Password', { exact: true }).fill('hush');
    await form.getByText('Use TLS').click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await seen()).toEqual({
      host: 'mail.example',
      port: 587,
      secure: false,
      auth: 'password',
      password: 'hush',
    });
  });

  test('keep a secret that nobody types anew, and never show it', async () => {
    await open();
    expect(await form.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    await form.getByPlaceholder('Stored; type to replace it').waitFor();
    await form.getByText('Use TLS').click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await seen()).toMatchObject({ secure: true, password: 'hush' });
  });

  test('ask for a stored secret again when it would go to another server', async () => {
    await open();
    await form.getByLabel('Server').fill('other.example');
    await form.getByRole('button', { name: 'Test' }).click();
    await form.getByText("must be entered again, because 'Server' was changed").waitFor();
    await form.getByLabel('Password', { exact: true }).fill('quiet');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await seen()).toMatchObject({ host: 'other.example', password: 'quiet' });
    expect(ada.complaints).toEqual([]);
  });

  test('reach the page where the schema says so, and change on every screen when they are saved', async () => {
    const other = await newPerson(browser, product.url);
    await signUp(other, product.url, 'bob@example.com');
    await other.page.getByLabel('Banner').getByText('{}').waitFor();
    await open();
    await form.getByLabel('Banner').fill('Closed on Monday');
    await form.getByRole('button', { name: 'Save' }).click();
    for (const { page } of [ada, other]) {
      await page.getByLabel('Banner').getByText('{"banner":"Closed on Monday"}').waitFor();
      await page.locator('body[data-banner="Closed on Monday"]').waitFor();
    }
    await other.page.reload();
    await other.page.getByLabel('Banner').getByText('{"banner":"Closed on Monday"}').waitFor();
    expect([...ada.complaints, ...other.complaints]).toEqual([]);
  });
});
