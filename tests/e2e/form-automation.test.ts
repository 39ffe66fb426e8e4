import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, startReceiver, type Receiver, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { newPerson, signedInClient, signUp } from './person.ts';

/*
 * What a newcomer makes in three minutes: when a form comes in, the channel is told and a task is created.
 */

interface Made {
  readonly id: string;
}

const meta = '/api/v1/db/meta';
const rows = '/api/v1/db/data/noco/Desk';
const slack = '/api/v1/app-store/plugins/channel-slack';

describeInBrowser('when a form comes in', () => {
  let server: TestServer;
  let receiver: Receiver;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];
  let call: Awaited<ReturnType<typeof signedInClient>>;
  let formAddress: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    browser = await launchBrowser();
    const ann = await newPerson(browser, server.url);
    ({ page, complaints } = ann);
    await signUp(ann, server.url, 'ann@example.com');
    call = await signedInClient(server.url, 'ann@example.com');
    const { id } = await call<Made>('POST', `${meta}/projects`, { title: 'Desk' });
    const table = (title: string) =>
      call<Made>('POST', `${meta}/projects/${id}/tables`, {
        title,
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Title', uidt: 'SingleLineText' },
        ],
      });
    await table('Tasks');
    const requests = await table('Requests');
    const form = await call<Made>('POST', `${meta}/tables/${requests.id}/forms`, { title: 'Ask us' });
    const { uuid } = await call<{ readonly uuid: string }>('POST', `${meta}/views/${form.id}/share`, {});
    formAddress = `${server.url}/#/nc/form/${uuid}`;
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

  /** A stranger answers the form. */
  async function answer(title: string): Promise<void> {
    const stranger = await browser.newPage();
    await stranger.goto(formAddress);
    await stranger.getByRole('textbox', { name: 'Title' }).fill(title);
    await stranger.getByRole('button', { name: 'Submit' }).click();
    await stranger.getByText('Thank you! Your answer was sent.').waitFor();
    await stranger.close();
  }

  test('a newcomer has the channel told and a task created', async () => {
    await page.getByRole('button', { name: 'Menu of Desk' }).click();
    await page.getByRole('menuitem', { name: 'Automations' }).click();
    await page.getByRole('button', { name: 'New automation' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Questions');
    const when = page.getByRole('region', { name: 'When' });
    await choose('What happens', 'A form is answered', when);
    await choose('Table', 'Requests', when);
    await choose('Form', 'Ask us', when);

    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('menuitem', { name: 'Send a message' }).click();
    const message = page.getByRole('region', { name: '1. Send a message' });
    // No channel is there yet; what a super admin sets up in a second window is offered here, and nothing entered is lost.
    const opened = page.context().waitForEvent('page');
    await message.getByRole('link', { name: 'Set one up in the app store' }).click();
    const store = await opened;
    await store.getByRole('heading', { name: 'App store', level: 1 }).waitFor();
    await store.close();
    await call('POST', `${slack}/enable`, {});
    await choose('Channel', 'Slack', message);
    await message.getByText('The settings of the plugin name none yet; a super admin does that.').waitFor();
    await call('PUT', `${slack}/settings`, {
      input: { channels: [{ channel: 'support', webhook_url: `${receiver.url}/support` }] },
    });
    await message.getByText('Choose', { exact: true }).click();
    await page.getByRole('option', { name: 'support' }).click();
    await page.keyboard.press('Escape');
    await message.getByRole('textbox', { name: 'Message' }).fill('Somebody asks: {{row.Title}}');

    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('menuitem', { name: 'Create a row' }).click();
    const create = page.getByRole('region', { name: '2. Create a row' });
    await choose('Table', 'Tasks', create);
    await choose('Set a column', 'Title', create);
    await create.getByRole('textbox', { name: 'Title', exact: true }).fill('Answer {{row.Title}}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('switch', { name: 'Switch Questions on or off' }).waitFor();

    await answer('Where is my parcel?');
    const [told] = await receiver.until(1);
    expect([told?.path, told?.body]).toEqual(['/support', '{"text":"Somebody asks: Where is my parcel?"}']);
    await page.getByRole('button', { name: 'What to do with Questions' }).click();
    await page.getByRole('menuitem', { name: 'Log' }).click();
    const log = page.getByRole('list', { name: 'Log' });
    await log.getByText('Row 1', { exact: true }).click();
    await log.getByText('"Title": "Answer Where is my parcel?"').first().waitFor();
    const { list } = await call<{ readonly list: readonly { readonly Title: string }[] }>(
      'GET',
      `${rows}/Tasks`,
    );
    expect(list.map(({ Title }) => Title)).toEqual(['Answer Where is my parcel?']);
  });

  test('its log says in plain words that the channel took nothing, and goes on by itself once it does', async () => {
    receiver.answer((_, response) => void response.writeHead(503).end('rollup_error'));
    await answer('Are you open?');
    const log = page.getByRole('list', { name: 'Log' });
    await log.getByText('Row 2', { exact: true }).click();
    await log.getByText('Slack refused the message with status 503.').first().waitFor();
    expect(await log.getByText('rollup_error').count()).toBe(0);
    receiver.answer((_, response) => void response.end('ok'));
    await log.getByText('"Title": "Answer Are you open?"').first().waitFor();
    expect(complaints).toEqual([]);
  });
});
