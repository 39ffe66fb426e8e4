import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser } from 'playwright-core';
import { openDatabase, type ServerTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases, describeEachServer } from '../../host-server/databases/testing.ts';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { newPerson, signUp, type Person } from './person.ts';

const shop = [
  'create table customer (id int primary key, name varchar(50) not null)',
  "insert into customer values (1, 'Ada'), (2, 'Bob')",
];

describeInBrowser('existing databases in a browser', () => {
  describeEachServer('on a server', (dialect) => {
    const databases = createTestDatabases(dialect);
    const kind = dialect === 'postgres' ? 'PostgreSQL' : 'MySQL / MariaDB';
    let server: TestServer;
    let browser: Browser;
    let ada: Person;
    let target: ServerTarget;

    beforeAll(async () => {
      server = await createTestServer();
      target = (await databases.target()) as ServerTarget;
      const database = await openDatabase(target, { name: 'shop' });
      for (const sql of shop) await database.write((unit) => unit.run({ sql, bindings: [] }));
      await database.close();
      browser = await launchBrowser();
      ada = await newPerson(browser, server.url);
      await signUp(ada, server.url, 'ada@example.com');
    });

    afterAll(async () => {
      await browser?.close();
      await server?.dispose();
      await databases.dropAll();
    });

    /** Fills the form of a connection; the dialog is open. */
    async function describeDatabase(): Promise<void> {
      const { page } = ada;
      const dialog = page.getByRole('dialog');
      await dialog.getByText(kind, { exact: true }).click();
      await dialog.getByLabel('Host address').fill(target.host);
      // The field of a number listens to keys alone.
      await dialog.getByLabel('Port').press('Control+a');
      await dialog.getByLabel('Port').pressSequentially(String(target.port));
      await dialog.getByLabel('Username').fill(target.user);
      if (target.password !== undefined) await dialog.getByLabel('Password').fill(target.password);
      await dialog.getByLabel('Database*').fill(target.database);
    }

    test('are tested before they are connected, and become a project', async () => {
      const { page } = ada;
      await page.getByRole('button', { name: /Connect a database/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Project name').fill('Shop');
      await describeDatabase();
      await dialog.getByLabel('Database*').fill('there_is_none');
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await dialog.getByText(/^Connection Failure: Invalid database parameters/).waitFor();
      await dialog.getByLabel('Database*').fill(target.database);
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await dialog.getByText('Connection was successful').waitFor();
      await dialog.getByRole('button', { name: 'Create project' }).click();
      const tables = page.getByRole('navigation', { name: 'Tables' });
      await tables.getByText('Customer').click();
      await page.getByRole('grid').getByText('Ada', { exact: true }).waitFor();
      expect(await tables.getByRole('button', { name: 'Create table' }).count()).toBe(0);
    });

    test('are compared after somebody renamed and took away what they hold, and nothing of the work is lost', async () => {
      const { page } = ada;
      const change = async (...statements: readonly string[]) => {
        const database = await openDatabase(target, { name: 'shop' });
        for (const sql of statements) await database.write((unit) => unit.run({ sql, bindings: [] }));
        await database.close();
      };
      const compare = async () => {
        await page.getByRole('button', { name: 'Menu of Shop' }).click();
        await page.getByRole('menuitem', { name: 'Compare with the database' }).click();
        return page.getByRole('dialog', { name: 'Compare with the database' });
      };
      const dialog = await compare();
      await dialog.getByText('No change identified').waitFor();
      await page.keyboard.press('Escape');
      await change(
        'alter table customer add phone varchar(20)',
        'alter table customer rename column name to full_name',
        'create table invoice (id int primary key)',
      );
      await compare();
      await dialog.getByText('New column phone').waitFor();
      await dialog.getByText('New table').waitFor();
      await dialog
        .getByRole('combobox', { name: 'What became of it: name' })
        .selectOption({ label: 'renamed to full_name' });
      await dialog.getByRole('button', { name: 'Take over' }).click();
      await page.getByText('The project is as its database now').waitFor();
      await page.getByRole('columnheader', { name: 'Phone' }).waitFor();
      // The title that people know stays, and so do the rows.
      await page.getByRole('columnheader', { name: /^Name/ }).waitFor();
      await page.getByRole('grid').getByText('Ada', { exact: true }).waitFor();
      await page.getByRole('navigation', { name: 'Tables' }).getByText('Invoice').waitFor();

      await change('alter table customer drop column phone');
      await compare();
      await dialog.getByText('Column phone is gone').waitFor();
      await dialog.getByRole('button', { name: 'Take over' }).click();
      await page.getByRole('columnheader', { name: 'Phone' }).waitFor({ state: 'detached' });
      await change('alter table customer add phone varchar(20)');
      await page.getByRole('button', { name: 'Menu of Shop' }).click();
      await page.getByRole('menuitem', { name: 'Trash' }).click();
      await page.getByRole('button', { name: 'Restore Phone' }).click();
      await page.getByText('Phone is back').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('columnheader', { name: 'Phone' }).waitFor();
      expect(ada.complaints).toEqual([]);
    });

    test('stand below their names where a project has several, and their connections can be changed', async () => {
      const { page } = ada;
      await page.getByRole('button', { name: 'Menu of Shop' }).click();
      await page.getByRole('menuitem', { name: 'Databases' }).click();
      await page.getByRole('button', { name: 'Add a database' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('Branch');
      await describeDatabase();
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      const tables = page.getByRole('navigation', { name: 'Tables' });
      await tables.getByRole('heading', { name: 'Branch' }).waitFor();
      await tables.getByText('Customer1').waitFor();

      const branch = page.getByRole('listitem').filter({ hasText: 'Branch' });
      await branch.getByRole('button', { name: 'Edit connection' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('Old branch');
      await dialog.getByLabel('Read only').check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await tables.getByRole('heading', { name: 'Old branch' }).waitFor();
      await page.getByRole('listitem').filter({ hasText: 'Old branch' }).getByText('Read only').waitFor();

      await page.getByRole('button', { name: 'Take Old branch out' }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('Shop');
      await page.getByRole('button', { name: 'Take out', exact: true }).click();
      await tables.getByText('Customer1').waitFor({ state: 'detached' });
      expect(await tables.getByRole('heading', { name: 'Old branch' }).count()).toBe(0);
      expect(ada.complaints).toEqual([]);
    });
  });
});
