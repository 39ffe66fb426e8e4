import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { newPerson, signedInClient, signUp, type Person } from './person.ts';

// Two people who talk about a row, each in a browser of their own, on one server.
describeInBrowser('comments between two people', () => {
  let server: TestServer;
  let browser: Browser;
  let ann: Person;
  let bob: Person;

  beforeAll(async () => {
    server = await createTestServer();
    browser = await launchBrowser();
    [ann, bob] = await Promise.all([newPerson(browser, server.url), newPerson(browser, server.url)]);
    await signUp(ann, server.url, 'ann@example.com');
    await signUp(bob, server.url, 'bob@example.com');
    const call = await signedInClient(server.url, 'ann@example.com');
    const meta = '/api/v1/db/meta/projects';
    const { id } = await call<{ readonly id: string }>('POST', meta, { title: 'Atlas' });
    const table = await call<{ readonly id: string }>('POST', `${meta}/${id}/tables`, {
      title: 'City',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    await call('POST', '/api/v1/db/data/noco/Atlas/City', { Name: 'Oslo' });
    await call('POST', `${meta}/${id}/users`, { email: 'bob@example.com', roles: 'commenter' });
    const bobs = await signedInClient(server.url, 'bob@example.com');
    await bobs('POST', '/api/v1/plugins/notification-center/notices/read', {});
    await ann.page.goto(
      `${server.url}/#/nc/${id}?name=City&dbalias=${table.id}&type=table&row=1&pane=comments`,
    );
    await field(ann.page).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  const field = (page: Page) => page.getByRole('combobox', { name: 'Write a comment' });
  const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
  const comment = (page: Page, text: string) =>
    page.locator('.comments-list').getByRole('listitem').filter({ hasText: text });

  test('a mention is picked by keys, rings the other one’s bell at once, and leads to the row', async () => {
    await field(ann.page).fill('Have a look, ');
    await field(ann.page).pressSequentially('@bob');
    await ann.page.getByRole('option', { name: /bob@example\.com/ }).waitFor();
    await ann.page.keyboard.press('Enter');
    await ann.page.keyboard.press('Control+Enter');
    await comment(ann.page, 'Have a look, @bob@example.com').waitFor();

    await bob.page.getByRole('button', { name: 'Notifications: 1 unread' }).click();
    const notice = bob.page.getByRole('button', {
      name: /ann@example\.com mentioned you in a comment.*Oslo.*Have a look/s,
    });
    await notice.waitFor();
    // The notices come when the panel is there already, which grows with them and stays inside the window.
    const panel = await bob.page.getByRole('dialog', { name: 'Notifications' }).elementHandle();
    await bob.page.waitForFunction(
      (element) => element !== null && element.getBoundingClientRect().right <= window.innerWidth,
      panel,
    );
    await notice.click();
    await comment(bob.page, 'Have a look').locator('mark', { hasText: '@bob@example.com' }).waitFor();
    await bob.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    expect(await bob.page.getByRole('dialog').getByText('Oslo').count()).toBeGreaterThan(0);
  });

  test('a reply is on the screen of the other one, who goes on writing', async () => {
    await field(ann.page).fill('And another thing');
    await field(bob.page).fill('Seen it');
    await bob.page.getByRole('button', { name: 'Comment', exact: true }).click();
    await comment(ann.page, 'Seen it').waitFor();
    expect(await field(ann.page).inputValue()).toBe('And another thing');
    await field(ann.page).fill('');
    expect(await comment(ann.page, 'Seen it').getByRole('button', { name: 'Edit comment' }).count()).toBe(0);
  });

  test('an edit and a deletion are on the screen of the other one', async () => {
    await comment(bob.page, 'Seen it').getByRole('button', { name: 'Edit comment' }).click();
    const edit = bob.page.getByRole('combobox', { name: 'Edit comment' });
    await edit.fill('Seen and done, @ann@example.com');
    await bob.page.getByText('Activity', { exact: true }).click();
    await bob.page.getByText('added the row').waitFor();
    expect(await edit.inputValue()).toBe('Seen and done, @ann@example.com');
    await bob.page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await comment(ann.page, 'Seen and done').getByText('edited').waitFor();
    await ann.page.getByRole('button', { name: 'Notifications: 1 unread' }).waitFor();

    // Whoever moderates deletes what others wrote.
    await comment(ann.page, 'Seen and done').getByRole('button', { name: 'Delete comment' }).click();
    await ann.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await comment(bob.page, 'Seen and done').waitFor({ state: 'detached' });
    await comment(bob.page, 'Have a look').waitFor();
    expect(await bell(bob.page).getAttribute('aria-label')).not.toMatch(/unread/);
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('who loses the network reads what was said meanwhile once it is back', async () => {
    await bob.context.setOffline(true);
    await field(ann.page).fill('Are you there?');
    await ann.page.keyboard.press('Control+Enter');
    await comment(ann.page, 'Are you there?').waitFor();
    expect(await comment(bob.page, 'Are you there?').count()).toBe(0);
    await bob.context.setOffline(false);
    await comment(bob.page, 'Are you there?').waitFor();
  });
});
