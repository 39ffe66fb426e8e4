import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { cellAt } from './cells.ts';
import { createMusicStore, readValue, trackCount } from './music-store.ts';
import {
  addColumn,
  createProject,
  createTable,
  newPerson,
  openTable,
  signIn,
  signUp,
  type Person,
} from './person.ts';
import { expectUntil } from './expect-until.ts';

describeInBrowser('the product in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Person;
  let file: string;

  beforeAll(async () => {
    server = await createTestServer();
    const folder = join(server.dataDir, 'sqlite');
    await mkdir(folder, { recursive: true });
    file = join(folder, 'music.sqlite');
    createMusicStore(file);
    browser = await launchBrowser();
    ada = await newPerson(browser, server.url);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });

  test('the first person signs up, sees how strong the password is, and is the super admin', async () => {
    const { page } = ada;
    await page.goto(`${server.url}/#/user/authentication/signup`);
    await page.getByText('this account becomes the super admin').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('Passw0rd');
    const meter = page.getByRole('progressbar', { name: 'Password strength' });
    expect(await meter.getAttribute('aria-valuenow')).toBe('75');
    await signUp(ada, server.url, 'ada@example.com');
    await page.getByText('Get started by creating a new project').waitFor();
    await page.getByRole('button', { name: /Open a SQLite file/ }).waitFor();
  });

  test('an existing database opens: its tables and rows are there, and sort and filter work', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: /Open a SQLite file/ }).click();
    await page.getByText('music.sqlite').click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await openTable(ada, 'Track');
    const grid = page.getByRole('grid');
    await grid.getByText('Track 1', { exact: true }).waitFor();
    // One row more: the header.
    await page.waitForFunction(
      (rows) => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === String(rows),
      trackCount + 1,
    );

    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Value').fill('love');
    await grid.getByText('Love song 50', { exact: true }).waitFor();
    await page.waitForFunction(
      () => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '71',
    );
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Sort' }).click();
    await page.getByRole('button', { name: 'Add sort' }).click();
    await page.getByLabel('Column to sort by').selectOption({ label: 'Milliseconds' });
    await page.getByLabel('Direction').selectOption('desc');
    await grid
      .locator('[role=row][aria-rowindex="2"]:not([aria-busy])')
      .getByText('Love song 3500', { exact: true })
      .waitFor();
    await page.keyboard.press('Escape');
    const first = grid.locator('[role=row][aria-rowindex="2"]:not([aria-busy])');
    expect(await first.innerText()).toContain('439500');
  });

  test('an edit by keyboard is in the file', async () => {
    const { page } = ada;
    await page.getByRole('grid').getByText('Love song 3500', { exact: true }).click();
    await page.keyboard.type("It's love");
    await page.keyboard.press('Enter');
    const stored = () => readValue(file, 'select Name from Track where TrackId = 3500');
    await expectUntil(() => stored() === "It's love");
    expect(stored()).toBe("It's love");
  });

  test('its keys are links: from an artist over an album to a track and back, and across a junction table', async () => {
    const { page } = ada;
    await openTable(ada, 'Artist');
    const albums = await cellAt(page, 0, 'Album List');
    await albums.getByText('Album 20', { exact: true }).click();
    await albums.and(page.locator('[aria-selected=true]')).waitFor();
    await albums.getByRole('button', { name: 'Album 20' }).click();
    const album = page.getByRole('dialog', { name: /Album 20/ });
    await album.getByRole('button', { name: 'Artist 1', exact: true }).waitFor();
    await album.getByRole('button', { name: 'Track 119', exact: true }).click();
    const track = page.getByRole('dialog', { name: /Track 119/ });
    await track.getByRole('button', { name: 'Album 20', exact: true }).waitFor();
    await track.getByRole('button', { name: 'Back' }).click();
    await album.getByRole('button', { name: 'Track 119', exact: true }).waitFor();
    await album.getByRole('button', { name: 'Close' }).click();

    await openTable(ada, 'Playlist');
    const tracks = await cellAt(page, 0, 'Track List');
    await tracks.getByText('Love song 50', { exact: true }).click();
    await tracks.getByText('Love song 100', { exact: true }).waitFor();
    await tracks.getByText('+1', { exact: true }).waitFor();
    await tracks.and(page.locator('[aria-selected=true]')).waitFor();
    await tracks.getByRole('button', { name: 'Love song 50' }).click();
    const song = page.getByRole('dialog', { name: /Love song 50/ });
    await song.getByRole('button', { name: 'Love songs', exact: true }).waitFor();
    await song.getByRole('button', { name: 'Close' }).click();
    // The table between them is no table that anybody opens.
    const bar = page.getByRole('navigation', { name: 'Tables' });
    expect(await bar.getByRole('button', { name: 'PlaylistTrack', exact: true }).count()).toBe(0);
    expect(await (await cellAt(page, 1, 'Track List')).innerText()).toBe('');
  });

  test('a view of the database and a table without rows of ours are shown as what they are', async () => {
    const { page } = ada;
    await openTable(ada, 'LongTracks');
    const notice = page.getByText('This is a view of the database: its rows can only be read.');
    await notice.waitFor();
    expect(await page.getByRole('button', { name: 'Add a row' }).count()).toBe(0);
  });

  test('a table of one’s own takes columns of every type, and cells by keyboard and by paste', async () => {
    const { page } = ada;
    await page.goto(`${server.url}/#/projects`);
    await createProject(ada, 'Club');
    await createTable(ada, 'Members');
    for (const [title, type] of [
      ['Notes', 'Long text'],
      ['Points', 'Number'],
      ['Fee', 'Decimal'],
      ['Active', 'Checkbox'],
      ['Born', 'Date'],
      ['Seen', 'Date and time'],
      ['Extra', 'JSON'],
      ['Stars', 'Rating'],
    ] as const) {
      await addColumn(ada, title, type);
    }
    await page.getByRole('button', { name: 'Add a row' }).first().click();
    await page
      .locator('[role=row][aria-rowindex="2"]:not([aria-busy]) [role=gridcell][aria-selected=true]')
      .waitFor();
    await page.keyboard.type('Grace');
    await page.keyboard.press('Tab');
    await expectUntil(async () => (await rows(server, 'Club', 'Members'))[0]?.Title === 'Grace');

    const pasted = [
      ['Alan', 'thinks', '42', '12.50', 'true', '1912-06-23', '2026-03-29 14:30', '{"a":1}', '4'],
      ['Edsger', 'walks', '7', '0.1', 'false', '1930-05-11', '2026-03-29 02:30', '[1]', '5'],
    ];
    const text = pasted.map((row) => row.join('\t')).join('\n');
    const first = page.locator('[role=row][aria-rowindex="2"]:not([aria-busy]) [role=gridcell]').nth(0);
    await first.click();
    await first.and(page.locator('[aria-selected=true]')).waitFor();
    await page.evaluate((plain) => {
      const data = new DataTransfer();
      data.setData('text/plain', plain);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, text);
    // The row that is there and the one that is new are written side by side.
    await expectUntil(async () => {
      const titles = (await rows(server, 'Club', 'Members')).map(({ Title }) => Title);
      return titles.includes('Alan') && titles.includes('Edsger');
    });
    const [alan, edsger] = await rows(server, 'Club', 'Members');
    expect(alan).toMatchObject({ Title: 'Alan', Notes: 'thinks', Points: 42, Born: '1912-06-23', Stars: 4 });
    expect(Number(alan?.Fee)).toBe(12.5);
    expect(edsger).toMatchObject({ Title: 'Edsger', Stars: 5, Seen: '2026-03-29 02:30:00' });
  });

  test('everything is there again after a reload', async () => {
    const { page } = ada;
    await page.reload();
    await page.getByRole('grid').getByText('Alan', { exact: true }).waitFor();
    const row = page.locator('[role=row][aria-rowindex="3"]:not([aria-busy])');
    await row.getByText('Edsger', { exact: true }).waitFor();
    expect(await row.innerText()).toContain('walks');
    await page.getByRole('columnheader', { name: /Points/ }).waitFor();
  });

  test('a plugin goes off and on while somebody else has the table open', async () => {
    const { page } = ada;
    // Wide enough for every column: those out of sight are not drawn.
    const grace = await newPerson(browser, server.url, 2400);
    await signIn(grace, server.url, 'ada@example.com');
    await grace.page.getByText('Club', { exact: true }).click();
    await openTable(grace, 'Members');
    await grace.page.locator('.rating').first().waitFor();
    const before = (await rows(server, 'Club', 'Members')).map((row) => row.Stars);

    await page.goto(`${server.url}/#/app-store`);
    await page.getByRole('switch', { name: 'Switch Rating off' }).click();
    await page.getByText('Rating: 1 column in 1 table').waitFor();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('switch', { name: 'Switch Rating on' }).waitFor();

    await grace.page.locator('.rating').first().waitFor({ state: 'detached' });
    await grace.page.getByRole('gridcell', { name: '4', exact: true }).first().waitFor();
    await grace.page.getByRole('gridcell', { name: '4', exact: true }).first().click();
    await grace.page.keyboard.type('1');
    await grace.page.getByText('The column type Rating is switched off').first().waitFor();
    const refused = await (await admin(server)).patch(`${tablePath('Club', 'Members')}/1`, { Stars: 1 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'COLUMN_TYPE_DISABLED' } });

    await page.getByRole('switch', { name: 'Switch Rating on' }).click();
    await grace.page.locator('.rating').first().waitFor();
    expect((await rows(server, 'Club', 'Members')).map((row) => row.Stars)).toEqual(before);
    expect(grace.complaints).toEqual([]);
    await grace.context.close();
  });

  test('what somebody else writes appears without a reload', async () => {
    const { page } = ada;
    await page.goto(`${server.url}/#/projects`);
    await page.getByText('Club', { exact: true }).click();
    await openTable(ada, 'Members');
    await page.getByRole('grid').getByText('Alan', { exact: true }).waitFor();
    await (await admin(server)).patch(`${tablePath('Club', 'Members')}/1`, { Title: 'Alan Turing' });
    const cell = page.getByRole('grid').getByText('Alan Turing', { exact: true });
    await cell.waitFor();
    expect(await cell.isVisible()).toBe(true);
  });

  test('no page broke the content-security policy or threw', () => {
    expect(ada.complaints).toEqual([]);
  });
});

function tablePath(project: string, table: string): string {
  return `/api/v1/db/data/noco/${project}/${table}`;
}

/** Signed in once for each server: whoever signs in again and again meets the limit of tries. */
const admins = new WeakMap<TestServer, TestClient>();

async function admin(server: TestServer): Promise<TestClient> {
  const known = admins.get(server);
  if (known !== undefined) return known;
  const { body } = await server.client.post<{ readonly token: string }>('/api/v1/auth/user/signin', {
    email: 'ada@example.com',
    password: 'Passw0rd!',
  });
  const client = server.client.with({ token: body.token });
  admins.set(server, client);
  return client;
}

async function rows(server: TestServer, project: string, table: string) {
  const client = await admin(server);
  const { body } = await client.get<{ readonly list: readonly Record<string, unknown>[] }>(
    tablePath(project, table),
  );
  return body.list;
}
