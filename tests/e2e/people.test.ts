import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSmtpRecorder, type RecordedMail, type SmtpRecorder } from '@trellis/sdk/testing/server';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, newPerson, signUp, type Person } from './person.ts';

describeInBrowser('people of a project', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let mail: SmtpRecorder;
  let ann: Person;
  let bob: Person;

  beforeAll(async () => {
    [product, browser, mail] = await Promise.all([
      startBuiltProduct([]),
      launchBrowser(),
      startSmtpRecorder(),
    ]);
    ann = await newPerson(browser, product.url);
    bob = await newPerson(browser, product.url, 390);
    await signUp(ann, product.url, 'ann@example.com');
    await createProject(ann, 'Atlas');
  });
  afterAll(async () => {
    await browser?.close();
    await mail?.close();
    await product?.dispose();
  });

  /** The page that a mail leads to, on the server of this test. */
  function linkIn({ content }: RecordedMail): string {
    const unwrapped = content.replace(/=\r\n/g, '');
    return `${product.url}/#${/#(\/user\/[\w/-]+)/.exec(unwrapped)?.[1] ?? ''}`;
  }

  async function invite(email: string): Promise<void> {
    await ann.page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = ann.page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  }

  test('come by a link where no mail goes out, and lose everything at once when they are removed', async () => {
    await invite('bob@example.com');
    const link = await ann.page.getByLabel('Invite link of bob@example.com').inputValue();
    await ann.page.getByRole('button', { name: 'Done' }).click();
    await bob.page.goto(link);
    await bob.page.getByRole('heading', { name: 'Join Atlas' }).waitFor();
    await bob.page.getByLabel('Password', { exact: true }).fill('Passw0rd!');
    await bob.page.getByRole('button', { name: 'Sign up' }).click();
    await bob.page.waitForURL(/#\/nc\/p_/);
    await bob.page.getByRole('button', { name: 'Menu of Atlas' }).waitFor();

    await ann.page.getByRole('button', { name: 'Menu of Atlas' }).click();
    await ann.page.getByRole('menuitem', { name: 'Team & Auth' }).click();
    await ann.page.getByRole('combobox', { name: 'Role of bob@example.com' }).selectOption('viewer');
    await ann.page.getByText('Successfully updated the user details').waitFor();
    await ann.page.getByRole('button', { name: 'What to do with bob@example.com' }).click();
    await ann.page.getByRole('menuitem', { name: 'Remove from the project' }).click();
    await ann.page.getByRole('button', { name: 'Remove', exact: true }).click();
    await bob.page.getByText(/you are not a member of it/).waitFor();
    expect([...ann.complaints, ...bob.complaints]).toEqual([]);
  });

  test('are mailed once a mail server is set up, and set a forgotten password by mail', async () => {
    await setUpMail();
    await ann.page.goto(`${product.url}/#/projects`);
    await ann.page.getByText('Atlas').first().click();
    await invite('cid@example.com');
    const cid = await newPerson(browser, linkIn(await mail.next()));
    await cid.page.getByLabel('Password', { exact: true }).fill('Passw0rd!');
    await cid.page.getByRole('button', { name: 'Sign up' }).click();
    await cid.page.getByRole('button', { name: 'Menu of Atlas' }).waitFor();

    await cid.page.goto(linkIn(await mail.next()));
    await cid.page.getByRole('button', { name: 'Confirm' }).click();
    await cid.page.getByText('Thank you. Your address is confirmed.').waitFor();

    const phone = await newPerson(browser, `${product.url}/#/user/password/forgot`, 390);
    await phone.page.getByLabel('E-mail').fill('cid@example.com');
    await phone.page.getByRole('button', { name: 'Send the link' }).click();
    await phone.page.goto(linkIn(await mail.next()));
    await phone.page.getByLabel('New password', { exact: true }).fill('Better0ne!');
    await phone.page.getByLabel('Repeat the new password').fill('Better0ne!');
    await phone.page.getByRole('button', { name: 'Set the password' }).click();
    await phone.page.getByRole('heading', { name: 'Your new password is set' }).waitFor();
    await phone.page.getByRole('link', { name: 'Sign in' }).click();
    await phone.page.getByLabel('E-mail').fill('cid@example.com');
    await phone.page.getByLabel('Password', { exact: true }).fill('Better0ne!');
    await phone.page.getByRole('button', { name: 'Sign in' }).click();
    await phone.page.getByText('Atlas').first().waitFor();
    expect([...cid.complaints, ...phone.complaints]).toEqual([]);
  });

  /** As the administrator's forms would save it; the forms of settings have their own tests. */
  async function setUpMail(): Promise<void> {
    const sent = await fetch(`${product.url}/api/v1/auth/user/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ann@example.com', password: 'Passw0rd!' }),
    });
    const { token } = (await sent.json()) as { readonly token: string };
    const settings = {
      'app-smtp': { host: '127.0.0.1', port: mail.port, security: 'none', from: 'tables@example.com' },
      'sys-mail': { siteUrl: product.url },
    };
    for (const [id, input] of Object.entries(settings)) {
      const saved = await fetch(`${product.url}/api/v1/app-store/plugins/${id}/settings`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'xc-auth': token },
        body: JSON.stringify({ input }),
      });
      expect(saved.status).toBe(200);
    }
  }
});
