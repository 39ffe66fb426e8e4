import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { startBuiltProduct, type BuiltProduct } from './built-product.ts';
import { createProject, createTable, newPerson, openTable, signUp, type Person } from './person.ts';

describeInBrowser('rights in a project', () => {
  let product: BuiltProduct;
  let browser: Browser;
  let ann: Person;
  let bob: Person;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startBuiltProduct([]), launchBrowser()]);
    ann = await newPerson(browser, product.url);
    bob = await newPerson(browser, product.url, 390);
    await signUp(ann, product.url, 'ann@example.com');
    await createProject(ann, 'Atlas');
    await createTable(ann, 'City');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.dispose();
  });

  test('are narrowed by a custom role, which is given in the Team tab', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const invitation = page.getByRole('dialog');
    await invitation.getByLabel('E-mail').fill('bob@example.com');
    await invitation.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await page.getByLabel('Invite link of bob@example.com').inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    await bob.page.goto(link);
    await bob.page.getByLabel('Password', { exact: true }).fill('Passw0rd!');
    await bob.page.getByRole('button', { name: 'Sign up' }).click();
    await bob.page.waitForURL(/#\/nc\/p_/);
    await bob.page.getByRole('button', { name: 'Side bar' }).click();
    await openTable(bob, 'City');
    await bob.page.getByRole('columnheader', { name: 'Title' }).waitFor();
    await bob.page.getByRole('button', { name: 'Add a row' }).first().waitFor();

    await page.getByRole('button', { name: 'Menu of Atlas' }).click();
    await page.getByRole('menuitem', { name: 'Team & Auth' }).click();
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('button', { name: 'New role' }).click();
    const dialog = page.getByRole('dialog', { name: 'New role' });
    await dialog.getByLabel('Name of the role').fill('Reader of cities');
    await dialog.getByRole('combobox', { name: 'Rights in City' }).selectOption('read');
    await dialog.getByRole('button', { name: 'Columns of City' }).click();
    await dialog.getByRole('combobox', { name: 'Rights to Title' }).selectOption('none');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The role Reader of cities was saved').waitFor();
    await page.getByRole('tab', { name: 'People' }).click();
    const roleOfBob = page.getByRole('combobox', { name: 'Role of bob@example.com' });
    await roleOfBob.selectOption({ label: 'Reader of cities' });
    await page.getByText('Successfully updated the user details').waitFor();

    // Bob's page is told, also of what the role says later.
    const title = bob.page.getByRole('columnheader', { name: 'Title' });
    const addRow = bob.page.getByRole('button', { name: 'Add a row' });
    await title.waitFor({ state: 'detached' });
    await addRow.first().waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('button', { name: 'What to do with Reader of cities' }).click();
    await page.getByRole('menuitem', { name: 'Change the role' }).click();
    const changed = page.getByRole('dialog', { name: 'Role Reader of cities' });
    await changed.getByRole('combobox', { name: 'Rights in City' }).selectOption('write');
    await changed.getByRole('button', { name: 'Save' }).click();
    await addRow.first().waitFor();
    expect(await title.count()).toBe(0);
  });

  test('hide a view of a table from a role at once, and in the preview of that role, until the rule is taken back', async () => {
    const { page } = ann;
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByRole('combobox', { name: 'Role of bob@example.com' }).selectOption('viewer');
    await bob.page.getByRole('columnheader', { name: 'Title' }).waitFor();
    await bob.page.setViewportSize({ width: 1440, height: 900 });
    const tables = (person: Person) => person.page.getByRole('navigation', { name: 'Tables' });
    const city = (person: Person) => tables(person).getByRole('button', { name: 'City', exact: true });
    await city(bob).waitFor();

    const openRules = async () => {
      await page.getByRole('button', { name: 'Menu of Atlas' }).click();
      await page.getByRole('menuitem', { name: 'ACL' }).click();
    };
    await openRules();
    const box = page.getByRole('checkbox', { name: 'List City of City for the role viewer' });
    const isSaved = async (isListed: boolean) => {
      await page
        .getByRole('checkbox', { name: 'List City of City for the role viewer', checked: isListed })
        .and(page.locator('[aria-busy="false"]'))
        .waitFor();
    };
    await box.uncheck();
    await isSaved(false);
    // The only view of the table: the table goes from the list of those who see no view of it.
    await city(bob).waitFor({ state: 'detached' });
    await city(ann).waitFor();

    await page.getByRole('button', { name: 'Preview as' }).click();
    await page.getByRole('menuitem', { name: 'Preview as Viewer' }).click();
    await page.getByText('You see this project as Viewer.').waitFor();
    await city(ann).waitFor({ state: 'detached' });
    // What the banner says holds on the server, too: a viewer changes no rules.
    await box.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Exit preview' }).click();
    await city(ann).waitFor();
    await page.getByRole('button', { name: 'Preview as' }).click();
    await page.getByRole('menuitem', { name: 'Preview as Editor' }).click();
    await page.getByText('You see this project as Editor.').waitFor();
    await city(ann).waitFor();
    await page.getByRole('button', { name: 'Exit preview' }).click();
    await page.getByText('You see this project as Editor.').waitFor({ state: 'detached' });

    await openRules();
    await box.check();
    await isSaved(true);
    await city(bob).waitFor();
    await openTable(bob, 'City');
    await bob.page.getByRole('columnheader', { name: 'Title' }).waitFor();
    expect([...ann.complaints, ...bob.complaints]).toEqual([]);
  });

  test('leave a personal view to whom it belongs: it is offered to nobody else until it is for everybody', async () => {
    await ann.page.getByRole('button', { name: 'Menu of Atlas' }).click();
    await ann.page.getByRole('menuitem', { name: 'Team & Auth' }).click();
    await ann.page.getByRole('tab', { name: 'People' }).click();
    await ann.page.getByRole('combobox', { name: 'Role of bob@example.com' }).selectOption('editor');
    await ann.page.getByText('Successfully updated the user details').waitFor();
    await openTable(ann, 'City');
    const list = ({ page }: Person) => page.getByRole('list', { name: 'Views of City' });
    const listed = (person: Person, title: string) =>
      // The sign of its mode is part of what its button is called.
      list(person).getByTitle(title, { exact: true });
    const make = async ({ page }: Person, entry: string, title: string) => {
      await page.getByRole('button', { name: 'Add a view to City' }).click();
      await page.getByRole('menuitem', { name: entry, exact: true }).click();
      await list({ page } as Person)
        .getByRole('textbox', { name: 'View name' })
        .fill(title);
      await page.keyboard.press('Enter');
    };
    for (const { page } of [ann, bob]) await page.getByRole('button', { name: 'Contents of City' }).click();
    await make(bob, 'New personal view: Grid', 'Bob’s own');
    await listed(bob, 'Bob’s own').waitFor();
    await make(ann, 'New view: Grid', 'Ours');
    for (const person of [ann, bob]) await listed(person, 'Ours').waitFor();
    expect(await listed(ann, 'Bob’s own').count()).toBe(0);

    const change = async (mode: string, told: string) => {
      await ann.page.getByRole('button', { name: 'Ours' }).and(ann.page.locator('.tr-tool')).click();
      await ann.page.getByText(mode, { exact: true }).click();
      await ann.page.getByText(told).waitFor();
      await ann.page.keyboard.press('Escape');
    };
    // Whoever has it open is led to another one.
    await listed(bob, 'Ours').click();
    await bob.page.getByRole('button', { name: 'Ours' }).and(bob.page.locator('.tr-tool')).waitFor();
    await change('Personal', 'Switched to personal view');
    await listed(bob, 'Ours').waitFor({ state: 'detached' });
    await bob.page.getByRole('button', { name: 'Ours' }).waitFor({ state: 'detached' });
    await bob.page.getByRole('columnheader', { name: 'Title' }).waitFor();
    await change('Collaborative', 'Switched to collaborative view');
    await listed(bob, 'Ours').waitFor();
    // What the table opens with is there for everybody.
    await listed(ann, 'City').click();
    await ann.page.getByRole('button', { name: 'City' }).and(ann.page.locator('.tr-tool')).click();
    await ann.page.getByText('Personal', { exact: true }).click();
    await ann.page.getByText('The default view stays visible to everybody.', { exact: false }).waitFor();
    await ann.page.keyboard.press('Escape');
    for (const { page } of [ann, bob]) await page.getByRole('button', { name: 'Contents of City' }).click();
    expect([...ann.complaints, ...bob.complaints]).toEqual([]);
  });

  test('are those of a visitor who comes by the link of the project', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'Shared base' }).click();
    await page.getByRole('button', { name: 'Who can open the project' }).click();
    await page.getByRole('menuitem', { name: 'Anyone with the link' }).click();
    const link = (await page.getByRole('link', { name: /nc\/base/ }).getAttribute('href')) ?? '';
    await page.getByText('Anyone on the internet with this link can view').waitFor();

    const visitor = await newPerson(browser, link);
    await openTable(visitor, 'City');
    expect(await visitor.page.getByRole('button', { name: 'Add a row' }).count()).toBe(0);

    await page.getByRole('combobox', { name: 'What visitors may do' }).selectOption('editor');
    await page.getByText('Anyone on the internet with this link can edit').waitFor();
    await visitor.page.reload();
    await visitor.page.getByRole('grid').waitFor();
    await editAsVisitor(visitor);

    await page.getByRole('button', { name: 'Who can open the project' }).click();
    await page.getByRole('menuitem', { name: 'Disable shared base' }).click();
    await page.getByRole('button', { name: 'Disable shared base' }).click();
    await page.getByText('Only the people of this project can open it.').waitFor();
    await visitor.page.reload();
    await visitor.page.getByText('This link opens nothing').waitFor();
    // What the visitor wrote stays.
    await page.keyboard.press('Escape');
    await openTable(ann, 'City');
    await page.getByRole('gridcell', { name: 'Berlin', exact: true }).waitFor();
    // What visitors were looked for is there for an owner.
    expect(await changesOffered(page)).toEqual([
      ...changes.map(String),
      'Rename column',
      'Change type and options',
      'Insert column right',
      'Duplicate column',
      'Delete column',
    ]);
    expect([...ann.complaints, ...bob.complaints, ...visitor.complaints]).toEqual([]);
  });

  /** Buttons by which a project or a table is changed. */
  const changes = [/^add (a )?column$/i, /^Create table$/, /^Add a view/, /^Share$/, /^Shared base$/];

  /** What of those a page with a table offers, and by what the menu of a column changes the table. */
  async function changesOffered(page: Page): Promise<readonly string[]> {
    await page.getByRole('button', { name: 'Contents of City' }).click();
    await page.getByRole('list', { name: 'Views of City' }).waitFor();
    await page.getByRole('columnheader', { name: 'Title' }).click({ button: 'right' });
    // What everybody has here is drawn by now.
    await page.getByRole('menuitem', { name: 'Sort ascending' }).waitFor();
    const found: string[] = [];
    for (const name of changes)
      if ((await page.getByRole('button', { name }).count()) > 0) found.push(String(name));
    const items = page.getByRole('menuitem', { name: /change|edit|rename|delete|duplicate|insert|hide/i });
    found.push(...(await items.allTextContents()));
    await page.keyboard.press('Escape');
    return found;
  }

  /** Adds rows by the link of the project, changes one and deletes one, and is offered nothing that would change a table. */
  async function editAsVisitor({ page }: Person): Promise<void> {
    const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
    const saved = (method: string) =>
      page.waitForResponse(
        (response) => response.request().method() === method && response.url().includes('/db/data/'),
      );
    const write = async (text: string, method: string) => {
      await page.keyboard.type(text);
      const answer = saved(method);
      await page.keyboard.press('Enter');
      expect((await answer).status()).toBe(200);
      await cell(text).waitFor();
    };
    for (const [row, name] of ['Rome', 'Oslo'].entries()) {
      await page.getByRole('button', { name: 'Add a row' }).first().click();
      await page
        .locator(
          `[role=row][aria-rowindex="${row + 2}"]:not([aria-busy]) [role=gridcell][aria-selected=true]`,
        )
        .waitFor();
      await write(name, 'PATCH');
    }
    await cell('Rome').click();
    await write('Berlin', 'PATCH');
    await cell('Oslo').click({ button: 'right' });
    const deleted = saved('DELETE');
    await page.getByRole('menuitem', { name: 'Delete row' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    expect((await deleted).status()).toBe(200);
    await cell('Oslo').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo: Deletion of a row' }).click();
    await cell('Oslo').waitFor();

    expect(await changesOffered(page)).toEqual([]);
    const [, uuid = ''] = /nc\/base\/([^/?]+)/.exec(page.url()) ?? [];
    const [, tableId = ''] = /[?&]dbalias=([^&]+)/.exec(page.url()) ?? [];
    const refused = await page.evaluate(
      async ({ table, headers }) => {
        const path = `/api/v1/db/meta/tables/${table}`;
        const send = async (method: string, to: string, body?: object) =>
          (await fetch(to, { method, headers, ...(body && { body: JSON.stringify(body) }) })).status;
        return [
          await send('PATCH', path, { title: 'Town' }),
          await send('POST', `${path}/columns`, { title: 'Size', uidt: 'Number' }),
          await send('POST', `${path}/views`, { title: 'Mine', type: 'grid', lock_type: 'personal' }),
          await send('DELETE', path),
          await send('GET', path),
        ];
      },
      { table: tableId, headers: { 'xc-shared-base-id': uuid, 'content-type': 'application/json' } },
    );
    expect(refused).toEqual([403, 403, 403, 403, 200]);
  }
});
