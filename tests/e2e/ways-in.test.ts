import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import type { Browser } from 'playwright-core';
import { startOidcProvider, type LocalOidcProvider } from '../../plugins/auth-oidc/testing/oidc-provider.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltServer, type BuiltServer } from './built-product.ts';
import { freePort } from './free-port.ts';
import { createProject, createTable, newPerson, signedInClient, signUp, type Person } from './person.ts';

describeInBrowser('ways into the product', () => {
  let dataDir: string;
  let url: string;
  let server: BuiltServer;
  let provider: LocalOidcProvider;
  let browser: Browser;
  let ann: Person;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    dataDir = await mkdtemp(join(tmpdir(), 'trellis-ways-in-'));
    [provider, browser] = await Promise.all([
      startOidcProvider(`${url}/api/v1/auth/providers/oidc/callback`),
      launchBrowser(),
    ]);
    server = startBuiltServer(dataDir, { PORT: String(port), TRELLIS_SITE_URL: url });
    await server.listening();
    ann = await newPerson(browser, url);
    await signUp(ann, url, 'ann@example.com');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end('SIGTERM');
    await provider?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function signOut({ page }: Person): Promise<void> {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Trellis' }).waitFor();
  }

  test('lead over the sign-in of a company, there and back', async () => {
    const call = await signedInClient(url, 'ann@example.com');
    const { issuer, clientId, clientSecret } = provider;
    await call('PUT', '/api/v1/app-store/plugins/auth-oidc/settings', {
      input: { issuer, clientId, clientSecret, label: 'Company' },
    });
    const bob = await newPerson(browser, `${url}/#/user/authentication/signin`, 390);
    await bob.page.getByRole('button', { name: 'Continue with Company' }).click();
    await bob.page.waitForURL((to) => to.origin === issuer);
    await bob.page.locator('input[name=login]').fill('bob');
    await bob.page.locator('input[name=password]').fill('any');
    await bob.page.getByRole('button', { name: 'Sign-in' }).click();
    await bob.page.getByRole('button', { name: 'Continue' }).click();
    await bob.page.getByRole('heading', { name: 'My Projects' }).waitFor();
    await bob.page.getByRole('button', { name: /^Account of/ }).click();
    await bob.page.getByRole('menuitem', { name: 'Account', exact: true }).click();
    await bob.page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await bob.page.getByText('bob@example.com').first().waitFor();

    // Somebody who turns back on the pages of the company stands where he began, and is told so.
    const dan = await newPerson(browser, `${url}/#/user/authentication/signin`);
    await dan.page.getByRole('button', { name: 'Continue with Company' }).click();
    await dan.page.waitForURL((to) => to.origin === issuer);
    await dan.page.getByRole('link', { name: '[ Cancel ]' }).click();
    await dan.page.getByRole('alert').waitFor();
    await dan.page.getByRole('link', { name: 'Back to sign-in' }).click();
    await dan.page.getByRole('button', { name: 'Continue with Company' }).waitFor();
    // The pages of the company ask for a font; nothing of the product does.
    const ofProduct = [...bob.complaints, ...dan.complaints].filter(
      (complaint) => !complaint.startsWith('asked https://fonts.googleapis.com/'),
    );
    expect(ofProduct).toEqual([]);
  });

  test('ask for a code of the phone once somebody has set it up', async () => {
    const call = await signedInClient(url, 'ann@example.com');
    await call('POST', '/api/v1/app-store/plugins/two-factor/enable', {});
    const cid = await newPerson(browser, url);
    await signUp(cid, url, 'cid@example.com');
    await cid.page.keyboard.press('Control+k');
    await cid.page.keyboard.type('your password');
    await cid.page.getByRole('option', { name: /Change your password/ }).click();
    await cid.page.getByRole('tab', { name: 'Two-factor' }).click();
    await cid.page.getByRole('button', { name: 'Set up' }).click();
    const secret = await cid.page.getByLabel('Or type this into the app').inputValue();
    await cid.page.getByLabel('Code').fill('000000');
    await cid.page.getByRole('button', { name: 'Switch on' }).click();
    await cid.page.getByRole('alert').waitFor();
    await cid.page.getByLabel('Code').fill(new TOTP({ secret }).generate());
    await cid.page.getByRole('button', { name: 'Switch on' }).click();
    const recovery = (await cid.page.locator('.factor-recovery li').first().textContent()) ?? '';
    await cid.page.getByRole('button', { name: 'I have kept them' }).click();
    await cid.page.getByText('It is switched on. Recovery codes left: 10').waitFor();
    await signOut(cid);

    await cid.page.getByLabel('E-mail').fill('cid@example.com');
    await cid.page.getByLabel('Password', { exact: true }).fill('Passw0rd!');
    await cid.page.getByRole('button', { name: 'Sign in' }).click();
    await cid.page.getByText(/Type the code that the app on your phone shows/).waitFor();
    await cid.page.getByLabel('Code').fill(recovery);
    await cid.page.getByRole('button', { name: 'Continue', exact: true }).click();
    // Where they were when they signed out.
    await cid.page.getByText('It is switched on. Recovery codes left: 9').waitFor();
    expect(cid.complaints).toEqual([]);
  });

  test('are open to programs that have a token, until it is deleted', async () => {
    const { page } = ann;
    await page.goto(`${url}/#/projects`);
    await createProject(ann, 'Atlas');
    await createTable(ann, 'City');
    await page.getByRole('button', { name: 'Menu of Atlas' }).click();
    await page.getByRole('menuitem', { name: 'API tokens' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nightly script');
    await dialog.getByText('viewer', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Make the token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    // Nobody can read it again: neither the way back of the browser nor Escape takes it away unasked.
    await page.goBack();
    const stay = async () => {
      const asked = page.getByRole('dialog', { name: 'Close without copying it?' });
      await asked.getByRole('button', { name: 'Cancel' }).click();
      await asked.waitFor({ state: 'detached' });
    };
    await stay();
    await page.getByLabel('Token', { exact: true }).focus();
    await page.keyboard.press('Escape');
    await stay();
    expect(await page.getByLabel('Token', { exact: true }).inputValue()).toBe(token);
    await page.getByRole('button', { name: 'Done' }).click();
    const ask = (method: string, path: string) =>
      fetch(`${url}/api/v1/db/data/v1/Atlas/City${path}`, {
        method,
        headers: { 'xc-token': token, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      }).then(({ status }) => status);
    expect(await ask('GET', '')).toBe(200);
    expect(await ask('POST', '')).toBe(403);
    await page.getByRole('button', { name: 'Delete the token Nightly script' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There is no token yet').waitFor();
    expect(await ask('GET', '')).toBe(401);
  });

  test('show a project as others see it, and lead back', async () => {
    const { page } = ann;
    const add = page
      .getByRole('navigation', { name: 'Tables' })
      .getByRole('button', { name: 'Create table' });
    await add.first().waitFor();
    await page.getByRole('button', { name: 'Preview as' }).click();
    await page.getByRole('menuitem', { name: 'Preview as Viewer' }).click();
    await page.getByText('You see this project as Viewer.').waitFor();
    await add.first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Exit preview' }).click();
    await add.first().waitFor();
    expect(ann.complaints).toEqual([]);
  });
});
