import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AuthorWalk, type Walked } from './author-walk.ts';
import { describeInBrowser } from './browser.ts';
import { addColumn, newPerson, type Person, signedInClient } from './person.ts';

/*
 * What an author makes of a template, with nothing but the two packages of the SDK, in the hands of somebody who runs the product: brought
 * through the page, used, updated, taken back and removed. Every template is walked here.
 */

describeInBrowser('a plugin that an author made of a template', () => {
  const walk = new AuthorWalk();
  beforeAll(() => walk.begin());
  afterAll(() => walk.end());

  test('as a column type is there for cells, in its next version as well, and leaves text behind, in each browser at once', async () => {
    const { ada, table, second } = walk;
    const { page } = ada;
    /** What the cell shows in the other browser, which stays on the table. */
    const elsewhere = (text: string) => second.page.getByText(text, { exact: true }).first().waitFor();
    const plugin: Walked = {
      kind: 'column-type',
      id: 'acme-colour',
      name: 'Colour',
      changes: {
        'plugin.json': [['"contributes": {', '"contributes": {\n    "hosts": ["colours.example"],']],
        'web/AcmeColourCell.tsx': [['      {value}\n', '      {`${value} of Acme`}\n']],
      },
    };
    const folder = walk.create(plugin);
    await walk.install(folder, plugin, '0.1.0');
    await walk.switchOn(plugin);
    await page.goto(table);
    await addColumn(ada, 'Tint', 'Colour');
    await walk.button('Add a row').first().click();
    await page
      .locator('[role=row][aria-rowindex="2"]:not([aria-busy]) [role=gridcell][aria-selected=true]')
      .waitFor();
    for (const text of ['Sky', '#1971C2']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.getByTitle('The colour #1971c2').getByText('#1971c2', { exact: true }).waitFor();
    await second.page.getByTitle('The colour #1971c2').waitFor();

    walk.change(folder, plugin);
    await walk.install(folder, plugin, '0.2.0', /beyond what was agreed.*colours\.example/);
    await page.goto(table);
    await page.getByText('#1971c2 of Acme').waitFor();
    await elsewhere('#1971c2 of Acme');
    await walk.takeBack(plugin);
    await elsewhere('#1971c2');
    await page.goto(table);
    await page.getByText('#1971c2', { exact: true }).waitFor();
    await walk.remove(plugin);
    await second.page.getByTitle('The colour #1971c2').waitFor({ state: 'detached' });
    await second.page.getByRole('gridcell', { name: '#1971c2' }).waitFor();
    await page.goto(table);
    await page.getByRole('gridcell', { name: '#1971c2' }).waitFor();
    expect(await page.getByTitle('The colour #1971c2').count()).toBe(0);
    expect([...ada.complaints, ...second.complaints]).toEqual([]);
  });

  test('as a view draws rows, in its next version as well, and leaves a grid behind, in each browser at once', async () => {
    const { ada, table, second } = walk;
    const { page } = ada;
    const plugin: Walked = {
      kind: 'view',
      id: 'acme-shelf',
      name: 'Shelf',
      changes: { 'web/AcmeShelfView.tsx': [['aria-label={view.title}', 'aria-label="All on the shelf"']] },
    };
    const folder = walk.create(plugin);
    await walk.install(folder, plugin, '0.1.0');
    await walk.switchOn(plugin);
    await page.goto(table);
    await page.getByRole('toolbar', { name: 'View' }).getByRole('button').first().click();
    await page.getByRole('button', { name: /New view: Shelf/ }).click();
    await page.getByRole('button', { name: 'Create view' }).click();
    await page.getByRole('region', { name: 'Shelf' }).getByText('Sky').waitFor();
    const view = page.url();
    await second.page.goto(view);
    await second.page.getByRole('region', { name: 'Shelf' }).getByText('Sky').waitFor();

    walk.change(folder, plugin);
    await walk.install(folder, plugin, '0.2.0');
    await page.goto(view);
    await page.getByRole('region', { name: 'All on the shelf' }).getByText('Sky').waitFor();
    await second.page.getByRole('region', { name: 'All on the shelf' }).getByText('Sky').waitFor();
    await walk.takeBack(plugin);
    await second.page.getByRole('region', { name: 'Shelf', exact: true }).getByText('Sky').waitFor();
    await page.goto(view);
    await page.getByRole('region', { name: 'Shelf' }).getByText('Sky').waitFor();
    await walk.remove(plugin);
    await second.page.getByRole('gridcell', { name: 'Sky' }).waitFor();
    await page.goto(view);
    await page.getByText(/The plugin that draws views of the type .* is switched off or missing/).waitFor();
    await page.getByRole('gridcell', { name: 'Sky' }).waitFor();
    expect(ada.complaints).toEqual([]);
  });

  test('as a provider in JavaScript sends the mail of the product, in its next version as well, and then none', async () => {
    const { ada, url, browser } = walk;
    walk.heard.length = 0;
    const plugin: Walked = {
      kind: 'mail',
      id: 'acme-post',
      name: 'Post',
      isJavaScript: true,
      changes: { 'server/index.js': [["call(settings, '/send'", "call(settings, '/v2/send'"]] },
    };
    const folder = walk.create(plugin);
    // Each may ask for a link once in a while.
    for (const email of ['bob@example.com', 'cid@example.com']) await walk.signUpElsewhere(email);
    const stranger = await newPerson(browser, url);
    await walk.install(folder, plugin, '0.1.0');
    await walk.setUp(plugin, {
      Address: walk.service,
      'API key': 'abc',
      "Sender's address": 'post@example.com',
    });
    await forget(stranger, 'ada@example.com');
    await expectSent(1, '/send');

    walk.change(folder, plugin);
    await walk.install(folder, plugin, '0.2.0');
    await forget(stranger, 'bob@example.com');
    await expectSent(2, '/v2/send');
    await walk.takeBack(plugin);
    await forget(stranger, 'cid@example.com');
    await expectSent(3, '/send');
    await stranger.context.close();
    await walk.remove(plugin);
    expect(ada.complaints).toEqual([]);
  });

  /** Asks for a new password as somebody who is not signed in. */
  async function forget({ page }: Person, email: string): Promise<void> {
    await page.goto(`${walk.url}/#/user/authentication/signin`);
    await page.goto(`${walk.url}/#/user/password/forgot`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(/a mail with a link is on its way/).waitFor();
  }

  async function expectSent(count: number, path: string): Promise<void> {
    // Settings that are saved are tried first.
    const sent = () => walk.heard.filter((call) => call.path !== '/verify');
    while (sent().length < count) await walk.hearing(walk.heard.length + 1);
    expect(sent()[count - 1]).toMatchObject({ path, authorization: 'Bearer abc' });
  }

  test('as a page with a panel keeps what people did there, in its next version as well, and leaves the menu, in each browser at once', async () => {
    const { ada, second } = walk;
    const { page } = ada;
    const plugin: Walked = {
      kind: 'panel',
      id: 'acme-notes',
      name: 'Notes',
      changes: { 'web/AcmeNotesPage.tsx': [["t('Keep a note')", "t('Keep another note')"]] },
    };
    const folder = walk.create(plugin);
    await walk.install(folder, plugin, '0.1.0');
    await walk.switchOn(plugin);
    await account('Notes');
    await page.getByText('0 notes').waitFor();
    await walk.button('Keep a note').click();
    await page.getByText('1 note', { exact: true }).waitFor();
    const elsewhere = (name: string) => second.page.getByRole('button', { name, exact: true }).waitFor();
    await account('Notes', second);
    await elsewhere('Keep a note');

    walk.change(folder, plugin);
    await walk.install(folder, plugin, '0.2.0');
    await elsewhere('Keep another note');
    await account('Notes');
    await walk.button('Keep another note').click();
    await page.getByText('2 notes').waitFor();
    await walk.takeBack(plugin);
    await elsewhere('Keep a note');
    await account('Notes');
    await walk.button('Keep a note').waitFor();
    await page.getByText('2 notes').waitFor();
    await walk.remove(plugin);
    await second.page.getByRole('button', { name: 'Keep a note' }).waitFor({ state: 'detached' });
    await second.page.goto(walk.table);
    for (const of of [page, second.page]) {
      await of.getByRole('button', { name: /Account of/ }).click();
      await of.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      expect(await of.getByRole('menuitem', { name: 'Notes' }).count()).toBe(0);
      await of.keyboard.press('Escape');
    }
    expect([...ada.complaints, ...second.complaints]).toEqual([]);
  });

  test('as a theme colours the page, in its next version as well, and leaves the colours of the product, in each browser at once', async () => {
    const { ada, second } = walk;
    const plugin: Walked = {
      kind: 'theme',
      id: 'acme-dusk',
      name: 'Dusk',
      changes: { 'web/theme.ts': [["light: { primary: '#0b6b57'", "light: { primary: '#6b0b57'"]] },
    };
    const primary = (colour: string) =>
      Promise.all(
        [ada, second].map(({ page }) =>
          page.waitForFunction(
            (wanted) =>
              getComputedStyle(document.documentElement).getPropertyValue('--trellis-primary').trim() ===
              wanted,
            colour,
          ),
        ),
      );
    const folder = walk.create(plugin);
    await walk.install(folder, plugin, '0.1.0');
    await walk.switchOn(plugin);
    for (const { page } of [ada, second]) {
      await page.keyboard.press('Control+,');
      await page.getByRole('radio', { name: 'Dusk' }).click();
      await page.keyboard.press('Escape');
    }
    await primary('#0b6b57');

    walk.change(folder, plugin);
    await walk.install(folder, plugin, '0.2.0');
    await primary('#6b0b57');
    await walk.takeBack(plugin);
    await primary('#0b6b57');
    await walk.remove(plugin);
    await primary('#1348ba');
    expect([...ada.complaints, ...second.complaints]).toEqual([]);
  });

  test('as a language has the page speak it, in its next version as well, and then speaks English, in each browser at once', async () => {
    const { ada, second } = walk;
    const plugin: Walked = {
      kind: 'locale',
      id: 'acme-dutch',
      name: 'Dutch',
      changes: { 'web/messages/nl.json': [['"Afmelden"', '"Uitloggen"']] },
    };
    const way = async (out: string) => {
      for (const { page } of [ada, second]) {
        await page.getByRole('button', { name: /Account of/ }).click();
        await page.getByRole('menuitem', { name: out }).waitFor();
        await page.keyboard.press('Escape');
      }
    };
    const folder = walk.create(plugin);
    await walk.install(folder, plugin, '0.1.0');
    await walk.switchOn(plugin);
    for (const { page } of [ada, second]) {
      await page.keyboard.press('Control+,');
      await page.getByLabel('Language').selectOption({ label: 'Nederlands' });
      await page.keyboard.press('Escape');
    }
    await way('Afmelden');

    walk.change(folder, plugin);
    await walk.install(folder, plugin, '0.2.0');
    await way('Uitloggen');
    await walk.takeBack(plugin);
    await way('Afmelden');
    await walk.remove(plugin);
    await way('Sign out');
    expect([...ada.complaints, ...second.complaints]).toEqual([]);
  });

  test('as an importer reads files, in its next version as well, and then none', async () => {
    const plugin: Walked = {
      kind: 'importer',
      id: 'acme-lines',
      name: 'Lines',
      isJavaScript: true,
      changes: { 'server/read-rows.js': [['JSON.parse(line)', "JSON.parse(line.replace('Lamp', 'Light'))"]] },
    };
    const folder = walk.create(plugin);
    const boss = await signedInClient(walk.url, 'ada@example.com');
    const data = '/api/v1/db/data/noco/Shop/Things';
    const titles = async () =>
      (await boss<{ list: readonly { Title: string | null }[] }>('GET', `${data}?limit=100`)).list.map(
        ({ Title }) => Title,
      );
    /** Resolves once the rows of a file are there. */
    async function read(title: string, expected = title): Promise<void> {
      await boss('POST', `${data}/import/acme-lines`, { Title: title });
      while (!(await titles()).includes(expected)) await new Promise((done) => setTimeout(done, 50));
    }
    await walk.install(folder, plugin, '0.1.0');
    await walk.switchOn(plugin);
    await read('Lamp');
    const { page } = walk.ada;
    await page.goto(walk.table);
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('toolbar', { name: 'View' }).getByRole('button', { name: 'Import' }).click();
    const content = Buffer.from('{"Title":"Stool"}\n');
    await (await chosen).setFiles({ name: 'things.jsonl', mimeType: 'application/jsonl', buffer: content });
    await page.getByRole('gridcell', { name: 'Stool' }).waitFor();
    walk.change(folder, plugin);
    await walk.install(folder, plugin, '0.2.0');
    await read('Lamp', 'Light');
    await walk.takeBack(plugin);
    await read('Sofa');
    await walk.remove(plugin);
    await expect(boss('POST', `${data}/import/acme-lines`, { Title: 'Desk' })).rejects.toThrow(/40\d|501/);
    expect(walk.ada.complaints).toEqual([]);
  });

  test('as a channel tells people, in its next version as well, and is then not offered', async () => {
    const plugin: Walked = {
      kind: 'channel',
      id: 'acme-chat',
      name: 'Chat',
      changes: { 'server/index.ts': [['`*${title}*`', '`# ${title}`']] },
    };
    const folder = walk.create(plugin);
    const boss = await signedInClient(walk.url, 'ada@example.com');
    const meta = '/api/v1/db/meta/projects';
    const first = async (path: string) =>
      (await boss<{ list: readonly { readonly id: string }[] }>('GET', path)).list[0]?.id ?? '';
    const tableId = await first(`${meta}/${await first(meta)}/tables`);
    const hooks = `/api/v1/db/meta/tables/${tableId}/hooks`;
    walk.heard.length = 0;
    const payload = { address: `${walk.service}/chat`, title: 'Sold', body: 'A lamp.' };
    const hook = { event: 'after', operation: 'insert', notification: { type: 'Chat', payload } };
    async function tell(start: string): Promise<void> {
      const before = walk.heard.length;
      await boss('POST', `${hooks}/test`, { hook });
      await walk.hearing(before + 1);
      expect(walk.heard.at(-1)).toMatchObject({ path: '/chat', body: expect.stringContaining(start) });
    }
    await walk.install(folder, plugin, '0.1.0');
    await walk.switchOn(plugin);
    await tell('{"text":"*');
    walk.change(folder, plugin);
    await walk.install(folder, plugin, '0.2.0');
    await tell('{"text":"# ');
    await walk.takeBack(plugin);
    await tell('{"text":"*');
    await walk.remove(plugin);
    await expect(boss('POST', `${hooks}/test`, { hook })).rejects.toThrow(/40\d|501/);
    expect(walk.ada.complaints).toEqual([]);
  });

  test('as a place for files keeps them, in its next version as well, and then none', async () => {
    const plugin: Walked = {
      kind: 'storage',
      id: 'acme-shed',
      name: 'Shed',
      changes: { 'server/file-server.ts': [['Bearer ${token}', 'Token ${token}']] },
    };
    const folder = walk.create(plugin);
    const boss = await signedInClient(walk.url, 'ada@example.com');
    const { token } = await boss<{ token: string }>('POST', '/api/v1/auth/user/signin', {
      email: 'ada@example.com',
      password: 'Passw0rd!',
    });
    walk.heard.length = 0;
    /** Uploads a file. @returns how it was put away */
    async function upload(text: string) {
      const form = new FormData();
      form.append('files', new Blob([text]), `${text}.txt`);
      const path = '/api/v1/db/storage/upload?path=noco/Shop/Things/Files';
      const headers = { 'xc-auth': token };
      const answer = await fetch(`${walk.url}${path}`, { method: 'POST', headers, body: form });
      expect(answer.status).toBe(200);
      const [file] = (await answer.json()) as readonly { readonly url: string }[];
      const read = await fetch(new URL(new URL(file?.url ?? '', walk.url).pathname, walk.url));
      expect([read.status, await read.text()]).toEqual([200, text]);
      return walk.heard.find(({ method, body }) => method === 'PUT' && body === text)?.authorization;
    }
    await walk.install(folder, plugin, '0.1.0');
    await walk.setUp(plugin, { Address: `${walk.service}/shed`, Token: 'abc' });
    expect(await upload('first')).toBe('Bearer abc');
    walk.change(folder, plugin);
    await walk.install(folder, plugin, '0.2.0');
    expect(await upload('second')).toBe('Token abc');
    await walk.takeBack(plugin);
    expect(await upload('third')).toBe('Bearer abc');
    await walk.remove(plugin);
    expect(await upload('fourth')).toBeUndefined();
    expect(walk.ada.complaints).toEqual([]);
  });

  test('as an empty one runs on both sides, in its next version as well, and leaves nothing', async () => {
    const plugin: Walked = { kind: 'empty', id: 'acme-void', name: 'Void', changes: {} };
    const folder = walk.create(plugin);
    const card = walk.ada.page.getByRole('article', { name: 'Void', exact: true });
    await walk.install(folder, plugin, '0.1.0');
    await walk.switchOn(plugin);
    walk.change(folder, plugin);
    await walk.install(folder, plugin, '0.2.0');
    await card.getByText('acme-void · 0.2.0').waitFor();
    await card.getByRole('switch', { name: 'Switch Void off', checked: true }).waitFor();
    await walk.takeBack(plugin);
    await card.getByText('acme-void · 0.1.0').waitFor();
    await walk.remove(plugin);
    expect(walk.ada.complaints).toEqual([]);
  });

  /** Opens an entry of the menu of the account. */
  async function account(entry: string, { page }: Person = walk.ada): Promise<void> {
    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  }
});
