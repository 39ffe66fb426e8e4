import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { newPerson, signedInClient, signUp, type Person } from './person.ts';

/** More stops than any page has. */
const mostStops = 80;

// Somebody without a mouse: nothing in this file is clicked, and no focus is set by anything but keys.
describeInBrowser('the page by the keyboard alone', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Person;

  beforeAll(async () => {
    server = await createTestServer();
    browser = await launchBrowser();
    const other = await newPerson(browser, server.url);
    await signUp(other, server.url, 'ada@example.com');
    await other.context.close();
    const call = await signedInClient(server.url, 'ada@example.com');
    const meta = '/api/v1/db/meta/projects';
    const { id } = await call<{ readonly id: string }>('POST', meta, { title: 'Atlas' });
    const tables: string[] = [];
    for (const title of ['City', 'Country']) {
      const columns = [
        { title: 'Id', uidt: 'ID' },
        { title: 'Title', uidt: 'SingleLineText' },
        { title: 'Note', uidt: 'SingleLineText' },
      ];
      const made = await call<{ readonly id: string }>('POST', `${meta}/${id}/tables`, { title, columns });
      tables.push(made.id);
    }
    const [city = '', country = ''] = tables;
    await call('POST', `/api/v1/db/meta/tables/${country}/columns`, {
      title: 'Cities',
      uidt: 'LinkToAnotherRecord',
      parentId: country,
      childId: city,
      type: 'hm',
    });
    const rows = (titles: readonly string[]) => titles.map((Title) => ({ Title }));
    await call('POST', '/api/v1/db/data/bulk/noco/Atlas/City', rows(['Paris', 'Lyon', 'Lima']));
    await call('POST', '/api/v1/db/data/bulk/noco/Atlas/Country', rows(['France', 'Peru', 'Chad']));
    ada = await newPerson(browser, server.url);
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await ada.page.keyboard.press(key);
  };
  const type = (text: string): Promise<void> => ada.page.keyboard.type(text);
  const hasFocus = (of: Locator): Promise<boolean> =>
    of.evaluate((element) => element === document.activeElement || element.contains(document.activeElement));

  /** Presses Tab, or another key, until something has the focus. */
  async function reach(target: Locator, key = 'Tab'): Promise<void> {
    await target.waitFor();
    const passed: (string | null)[] = [];
    for (let stops = 0; stops < mostStops; stops++) {
      if (await hasFocus(target)) return;
      await press(key);
      passed.push(
        await ada.page.evaluate(
          () =>
            document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        ),
      );
    }
    throw new Error(`The key ${key} does not lead there; it led to: ${passed.join(', ')}`);
  }

  async function waitForFocus(target: Locator): Promise<void> {
    await target.waitFor();
    await ada.page.waitForFunction(
      (element) => element === document.activeElement || element?.contains(document.activeElement) === true,
      await target.elementHandle(),
    );
  }

  const button = (name: string | RegExp): Locator => ada.page.getByRole('button', { name });
  const cell = (row: number, column: number): Locator =>
    ada.page.locator(`[aria-rowindex="${row + 2}"]:not([aria-busy]) [aria-colindex="${column + 2}"]`);
  const gridInput = (): Locator => ada.page.locator('.tgrid-input');

  test('signs in, and opens a project and a table', async () => {
    await ada.page.goto(`${server.url}/#/user/authentication/signin`);
    await waitForFocus(ada.page.getByLabel('E-mail'));
    await type('ada@example.com');
    await press('Tab');
    await type('Passw0rd!');
    await press('Enter');
    await ada.page.getByRole('heading', { name: 'My Projects' }).waitFor();
    await reach(button(/Atlas.* changed /));
    await press('Enter');
    await reach(
      ada.page
        .getByRole('navigation', { name: 'Tables' })
        .getByRole('button', { name: 'Country', exact: true }),
    );
    await press('Enter');
    await cell(0, 0).getByText('France').waitFor();
    expect(await cell(2, 0).textContent()).toBe('Chad');
  });

  test('edits, selects, copies, pastes and takes back in the grid', async () => {
    await reach(gridInput());
    await press('Control+Home', 'ArrowRight');
    await type('wine');
    await press('Enter');
    await type('llamas');
    await press('Enter');
    await cell(1, 1).getByText('llamas').waitFor();
    await press('Control+Home', 'ArrowRight', 'Shift+ArrowDown', 'Control+c', 'ArrowDown', 'Control+v');
    await cell(2, 1).getByText('llamas').waitFor();
    await cell(1, 1).getByText('wine').waitFor();
    await press('Control+z');
    await cell(1, 1).getByText('llamas').waitFor();
    await press('Control+y');
    await cell(1, 1).getByText('wine').waitFor();
    expect(await hasFocus(gridInput())).toBe(true);
  });

  test('links rows in the dialog, and comes back to the cell', async () => {
    await press('Control+Home', 'ArrowRight', 'ArrowRight', 'Enter');
    const dialog = ada.page.getByRole('dialog', { name: /Cities of France/ });
    await reach(dialog.getByRole('button', { name: 'Link Lyon' }));
    await press('Enter');
    await dialog.getByRole('button', { name: 'Take the link to Lyon away' }).waitFor();
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await cell(0, 2).getByText('Lyon').waitFor();
    await waitForFocus(gridInput());
    expect(await gridInput().getAttribute('aria-label')).toBe('Cities, row 1');
  });

  test('opens a row, comments on it, and reaches the bell beside it', async () => {
    await press('Control+Home', 'Space');
    const panel = ada.page.getByRole('dialog', { name: /France/ });
    await reach(panel.getByRole('button', { name: /^Comments/ }));
    await press('Enter');
    await reach(panel.getByRole('combobox', { name: 'Write a comment' }));
    await type('Bonjour');
    await press('Control+Enter');
    await panel.locator('.comments-list').getByText('Bonjour').waitFor();
    const bell = button(/^Notifications/);
    expect(
      await bell.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      }),
    ).toBe(true);
    await press('Escape');
    await panel.waitFor({ state: 'hidden' });
    await waitForFocus(gridInput());
  });

  test('fills in the dialog that connects a database, and leaves it without losing its place', async () => {
    await ada.page.goto(`${server.url}/#/`);
    const connect = button(/Connect a database/);
    await reach(connect);
    await press('Enter');
    const dialog = ada.page.getByRole('dialog', { name: 'Connect a database' });
    await reach(dialog.getByRole('radio', { name: 'PostgreSQL' }));
    await press('ArrowRight');
    await waitForFocus(dialog.getByRole('radio', { name: 'MySQL' }));
    await reach(dialog.getByLabel('Host'));
    await press('Control+a');
    await type('127.0.0.1');
    await reach(dialog.getByLabel('User'));
    await type('root');
    await press('Escape');
    const question = ada.page.getByRole('dialog', { name: 'Throw away what was entered?' });
    await waitForFocus(question);
    await press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Host').inputValue()).toBe('127.0.0.1');
    await press('Escape');
    await waitForFocus(question);
    await reach(button('Throw away'));
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await waitForFocus(connect);
    expect(ada.complaints).toEqual([]);
  });
});
