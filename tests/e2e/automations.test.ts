import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, startReceiver, type Receiver, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { newPerson, signedInClient, signUp } from './person.ts';

describeInBrowser('automations in the page', () => {
  let server: TestServer;
  let receiver: Receiver;
  let browser: Browser;
  let page: Page;
  let call: Awaited<ReturnType<typeof signedInClient>>;

  beforeAll(async () => {
    receiver = await startReceiver();
    server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    browser = await launchBrowser();
    const ann = await newPerson(browser, server.url);
    page = ann.page;
    await signUp(ann, server.url, 'ann@example.com');
    call = await signedInClient(server.url, 'ann@example.com');
    const meta = '/api/v1/db/meta/projects';
    const { id } = await call<{ readonly id: string }>('POST', meta, { title: 'Desk' });
    const table = (title: string, ...titles: readonly string[]) =>
      call<{ readonly id: string }>('POST', `${meta}/${id}/tables`, {
        title,
        columns: [
          { title: 'Id', uidt: 'ID' },
          ...['Title', ...titles].map((column) => ({ title: column, uidt: 'SingleLineText' })),
        ],
      });
    await table('Tasks');
    const requests = await table('Requests', 'Priority');
    await call('POST', '/api/v1/db/data/noco/Desk/Requests', { Title: 'Old one', Priority: 'High' });
    await page.goto(`${server.url}/#/nc/${id}?name=Requests&dbalias=${requests.id}&type=table`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
    await receiver?.close();
  });

  const choose = async (label: string, option: string, within = page.locator('body')) => {
    await within.getByRole('combobox', { name: label, exact: true }).selectOption({ label: option });
  };

  test('a newcomer has an urgent request create a task and call an address', async () => {
    await page.getByRole('button', { name: 'Menu of Desk' }).click();
    await page.getByRole('menuitem', { name: 'Automations' }).click();
    await page.getByText('No automations yet').waitFor();
    await page.getByRole('button', { name: 'New automation' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Urgent requests');
    await choose('Table', 'Requests', page.getByRole('region', { name: 'When' }));
    await page.getByRole('button', { name: 'Add filter' }).click();
    await choose('Column to filter by', 'Priority');
    await page.getByRole('textbox', { name: 'Value' }).fill('High');

    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('menuitem', { name: 'Create a row' }).click();
    const create = page.getByRole('region', { name: '1. Create a row' });
    await choose('Table', 'Tasks', create);
    await choose('Set a column', 'Title', create);
    await create.getByRole('textbox', { name: 'Title', exact: true }).fill('Do {{row.Titel}}');
    await create.getByText('Nothing stands behind {{row.Titel}}').waitFor();
    await create.getByRole('textbox', { name: 'Title', exact: true }).fill('Do ');
    await create.getByRole('button', { name: 'Put a value into Title' }).click();
    await page.getByRole('combobox', { name: 'Search values' }).fill('Title');
    await page.getByRole('listbox', { name: 'Values' }).getByRole('option').first().click();
    expect(await create.getByRole('textbox', { name: 'Title', exact: true }).inputValue()).toBe(
      'Do {{row.Title}}',
    );

    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('menuitem', { name: 'Call a URL' }).click();
    const told = page.getByRole('region', { name: '2. Call a URL' });
    await told.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/urgent`);
    await told.getByRole('textbox', { name: 'Body' }).fill('{"task":"{{steps.create.key}}"}');

    await page.getByRole('button', { name: 'Show what it would do' }).click();
    const dry = page.getByRole('region', { name: 'Dry run' });
    await dry.getByText('Do Old one').waitFor();
    await dry.getByText('/urgent').waitFor();
    expect(receiver.got).toEqual([]);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: /^Urgent requests/ }).waitFor();
    const rows = '/api/v1/db/data/noco/Desk';
    await call('POST', `${rows}/Requests`, { Title: 'Paint', Priority: 'Low' });
    await call('POST', `${rows}/Requests`, { Title: 'Leak', Priority: 'High' });
    const [got] = await receiver.until(1);
    expect(got?.body).toBe('{"task":"1"}');
    const { list } = await call<{ readonly list: readonly { readonly Title: string }[] }>(
      'GET',
      `${rows}/Tasks`,
    );
    expect(list.map(({ Title }) => Title)).toEqual(['Do Leak']);
  });

  test('its log shows each step, a failure in plain words, and the way to go on', async () => {
    receiver.answer((_, response) => void response.writeHead(404).end());
    await page.getByRole('button', { name: 'What to do with Urgent requests' }).click();
    await page.getByRole('menuitem', { name: 'Log' }).click();
    const log = page.getByRole('list', { name: 'Log' });
    await log.getByText('Leak', { exact: true }).click();
    await log.getByText('Title: Do Leak').first().waitFor();
    await log.getByText('Do Leak', { exact: true }).waitFor({ state: 'detached' });
    await log.getByText('Values to write').locator('..').getByText('one field').click();
    await log.getByText('Do Leak', { exact: true }).waitFor();
    await call('POST', '/api/v1/db/data/noco/Desk/Requests', { Title: 'Smoke', Priority: 'High' });
    await log.getByText('Smoke', { exact: true }).click();
    await log.getByText('The address answered with the status 404.').first().waitFor();
    receiver.answer((_, response) => void response.end('ok'));
    await log.getByRole('button', { name: 'Try again from the step that failed' }).click();
    const [, first, again] = await receiver.until(3);
    expect(again?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    await log
      .getByRole('button', { name: 'Try again from the step that failed' })
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('switch', { name: 'Switch Urgent requests on or off' }).click();
    await page.getByRole('switch', { name: 'Switch Urgent requests on or off', checked: false }).waitFor();
  });

  test('another program starts one by its address, and what it sent stands ready for the steps', async () => {
    const before = receiver.got.length;
    await page.getByRole('button', { name: 'New automation' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Asked from outside');
    const when = page.getByRole('region', { name: 'When' });
    await choose('What happens', 'A web address is called', when);
    const address = when.getByRole('textbox', { name: 'Address' });
    await address.waitFor();
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('menuitem', { name: 'Call a URL' }).click();
    const told = page.getByRole('region', { name: '1. Call a URL' });
    await told.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/asked`);
    await told.getByRole('textbox', { name: 'Body' }).fill('{{json trigger.body.who}}');
    const url = await address.inputValue();
    await page.getByRole('button', { name: 'Save' }).click();
    // The words of the save before may still stand; the list has it only when it is saved.
    await page.getByRole('switch', { name: 'Switch Asked from outside on or off' }).waitFor();
    const sent = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ who: { name: 'Ada' } }),
    });
    expect(sent.status).toBe(202);
    const got = await receiver.until(before + 1);
    expect(got[before]?.body).toBe('{"name":"Ada"}');
    await page.getByRole('button', { name: /^Asked from outside/ }).click();
    await page.getByText(/^Sent last/).click();
    await page.getByText('{{trigger.body.who.name}}', { exact: true }).waitFor();
  });
});
