import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer, startReceiver, type Receiver } from '@trellis/sdk/testing/server';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { newPerson, signedInClient, signUp } from './person.ts';

describeInBrowser('webhooks in the page', () => {
  let server: TestServer;
  let receiver: Receiver;
  let browser: Browser;
  let page: Page;
  let call: Awaited<ReturnType<typeof signedInClient>>;
  let tableId = '';

  beforeAll(async () => {
    receiver = await startReceiver();
    server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    browser = await launchBrowser();
    const ann = await newPerson(browser, server.url);
    page = ann.page;
    await signUp(ann, server.url, 'ann@example.com');
    call = await signedInClient(server.url, 'ann@example.com');
    const meta = '/api/v1/db/meta/projects';
    const { id } = await call<{ readonly id: string }>('POST', meta, { title: 'Atlas' });
    const table = await call<{ readonly id: string }>('POST', `${meta}/${id}/tables`, {
      title: 'City',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'People', uidt: 'Number' },
      ],
    });
    tableId = table.id;
    await page.goto(`${server.url}/#/nc/${id}?name=City&dbalias=${table.id}&type=table`);
    await page.getByRole('button', { name: 'Webhooks' }).click();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
    await receiver?.close();
  });

  const dialog = () => page.getByRole('dialog');

  test('a webhook is made and tried, and tells of the rows that meet its condition', async () => {
    await dialog().getByText('No webhooks yet').waitFor();
    await dialog().getByRole('button', { name: 'New webhook' }).click();
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Tell the map');
    await dialog().getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/map`);
    await dialog()
      .getByRole('textbox', { name: 'Body' })
      .fill('{"city":"{{data.Name}}","by":"{{user.mail}}"}');
    expect(await dialog().getByRole('textbox', { name: 'Sample row' }).inputValue()).toContain(
      '"People": 123',
    );
    await dialog().getByRole('textbox', { name: 'Body' }).fill('{"city":"{{data.Name}}","x":"{{nobody.x}}"}');
    await dialog().getByText('Nothing stands behind {{nobody.x}}').waitFor();
    await dialog().getByRole('textbox', { name: 'Body' }).fill('{"city":"{{data.Name}}"}');
    await dialog().getByRole('button', { name: 'Send a test' }).click();
    await dialog().getByText('The receiver answered with 200').waitFor();
    const [tried] = await receiver.until(1);
    expect(tried?.body).toBe('{"city":"Text"}');
    expect(await dialog().getByRole('textbox', { name: 'What was sent' }).inputValue()).toContain(
      `POST ${receiver.url}/map`,
    );

    await dialog().getByRole('switch', { name: 'Only for rows that meet conditions' }).check();
    await dialog().getByRole('button', { name: 'Add filter' }).click();
    await dialog().getByRole('textbox', { name: 'Value' }).fill('Oslo');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await dialog()
      .getByRole('button', { name: /^Tell the map/ })
      .waitFor();
    const rows = '/api/v1/db/data/noco/Atlas/City';
    await call('POST', rows, { Name: 'Bern' });
    await call('POST', rows, { Name: 'Oslo' });
    const [, told] = await receiver.until(2);
    expect(told?.body).toBe('{"city":"Oslo"}');
  });

  test('a webhook is made of rows of a call together that change from one value to another', async () => {
    await dialog().getByRole('button', { name: 'New webhook' }).click();
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Tell of Rome');
    await dialog().getByRole('combobox', { name: 'When' }).selectOption('A row is changed');
    await dialog().getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/rome`);
    await dialog().getByRole('switch', { name: 'Rows of one call together' }).check();
    await dialog().getByRole('switch', { name: 'Only for rows that meet conditions' }).check();
    for (const [moment, city] of [
      ['Before the change', 'Bern'],
      ['After the change', 'Rome'],
    ] as const) {
      const group = dialog().getByRole('group', { name: moment });
      await group.getByRole('button', { name: 'Add filter' }).click();
      await group.getByRole('textbox', { name: 'Value' }).fill(city);
    }
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await dialog()
      .getByRole('button', { name: /^Tell of Rome/ })
      .waitFor();
    const rows = '/api/v1/db/data/noco/Atlas/City';
    for (const [Id, Name] of [
      [2, 'Rome'],
      [1, 'Rome'],
    ])
      await call('PATCH', `${rows}/${Id}`, { Name });
    const [told] = await receiver.until(1, ({ path }) => path === '/rome');
    expect(JSON.parse(told?.body ?? '')).toMatchObject([{ Id: 1, Name: 'Rome' }]);
    expect(receiver.got.filter(({ path }) => path === '/rome')).toHaveLength(1);
  });

  test('its log shows what was sent, and sends it again', async () => {
    await dialog().getByRole('button', { name: 'What to do with Tell the map' }).click();
    await page.getByRole('menuitem', { name: 'Log' }).click();
    const entry = dialog().getByRole('list', { name: 'Log' }).getByRole('listitem');
    await entry.getByText('A row is added · Row 2').click();
    await entry.getByRole('button', { name: 'Send again' }).click();
    const got = await receiver.until(3, ({ path }) => path === '/map');
    expect(got[2]?.headers['x-trellis-event-id']).toBe(got[1]?.headers['x-trellis-event-id']);
    await dialog().getByRole('button', { name: 'Back', exact: true }).click();
    await dialog().getByRole('switch', { name: 'Switch Tell the map on or off' }).click();
    await dialog().getByRole('switch', { name: 'Switch Tell the map on or off', checked: false }).waitFor();
  });

  test('the notice of one that is paused leads to it, from wherever it is read', async () => {
    await page.keyboard.press('Escape');
    const meta = '/api/v1/db/meta';
    const { list } = await call<{ list: readonly { id: string; title: string }[] }>(
      'GET',
      `${meta}/tables/${tableId}/hooks`,
    );
    const { id = '' } = list.find(({ title }) => title === 'Tell of Rome') ?? {};
    const { id: view } = await call<{ id: string }>('POST', `${meta}/tables/${tableId}/grids`, {
      title: 'Far away',
    });
    await call('PATCH', `${meta}/hooks/${id}`, { view_id: view });
    await call('DELETE', `${meta}/views/${view}`);
    await page.goto(`${server.url}/#/`);
    await page.getByRole('button', { name: 'Notifications: 1 unread' }).click();
    await page.getByText('Atlas · City · Tell of Rome').click();
    const row = dialog().locator('li[aria-current="true"]');
    await row.getByText(/The view whose rows it tells of is gone/).waitFor();
    expect(await row.getByRole('button', { name: /^Tell of Rome/ }).count()).toBe(1);
    // Closed, it does not come again with the address.
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('webhook=');
  });
});
