import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, startReceiver, type Receiver, type TestServer } from '@trellis/sdk/testing/server';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from './browser.ts';
import { newPerson, signedInClient, signUp } from './person.ts';

/*
 * What a newcomer makes in three minutes: when a form comes in, the channel is told and a task is created.
 */

interface Made {
  readonly id: string;
}

const meta = '/api/v1/db/meta';
const slack = '/api/v1/app-store/plugins/channel-slack';

describeInBrowser('when a form comes in', () => {
  let server: TestServer;
  let receiver: Receiver;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];
  let call: Awaited<ReturnType<typeof signedInClient>>;
  let formAddress = '';

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
    await page.goto(`${server.url}/#/nc/${id}?name=Requests&dbalias=${requests.id}&type=table`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
    await receiver?.close();
  });

  /** A stranger answers the form. */
  async function answer(title: string): Promise<void> {
    const stranger = await browser.newPage();
    await stranger.goto(formAddress);
    await stranger.getByRole('textbox', { name: 'Title' }).fill(title);
    await stranger.getByRole('button', { name: 'Submit' }).click();
    await stranger.getByText('Thank you! Your answer was sent.').waitFor();
    await stranger.close();
  }

  test('a newcomer begins at a table with nothing, and has the channel told and a task created in few steps', async () => {
    let steps = 0;
    const click = async (at: Locator) => {
      steps += 1;
      await at.click();
    };
    const fill = async (at: Locator, text: string) => {
      steps += 1;
      await at.fill(text);
    };
    const choose = async (label: string, option: string, within: Locator) => {
      steps += 1;
      await within.getByRole('combobox', { name: label, exact: true }).selectOption({ label: option });
    };
    const tools = page.getByRole('toolbar', { name: 'View' });

    await click(tools.getByRole('button').first());
    await click(page.getByRole('button', { name: /New view: Form/ }));
    await click(page.getByRole('button', { name: 'Create view' }));
    await click(tools.getByRole('button', { name: 'Share view' }));
    const sharing = page.getByRole('dialog', { name: "Share the view 'Form'" });
    await click(sharing.getByRole('switch', { name: 'Anyone with the link can open this view' }));
    formAddress = await sharing.getByLabel('Link', { exact: true }).inputValue();
    await click(sharing.getByRole('button', { name: 'Close' }));

    await click(tools.getByRole('button', { name: 'Automations' }));
    await click(page.getByRole('button', { name: 'New automation' }));
    await fill(page.getByRole('textbox', { name: 'Name', exact: true }), 'Questions');
    const when = page.getByRole('region', { name: 'When' });
    await choose('What happens', 'A form is answered', when);
    // The table is the one that the newcomer came from.
    await choose('Form', 'Form', when);

    await click(page.getByRole('button', { name: 'Add a step' }));
    await click(page.getByRole('menuitem', { name: 'Send a message' }));
    const message = page.getByRole('region', { name: '1. Send a message' });
    // No channel is there yet; what a super admin sets up in a second window is offered here, and nothing entered is lost.
    const opened = page.context().waitForEvent('page');
    await click(message.getByRole('link', { name: 'Set one up in the app store' }));
    const store = await opened;
    await store.getByRole('heading', { name: 'App store', level: 1 }).waitFor();
    await store.close();
    await call('POST', `${slack}/enable`, {});
    await choose('Channel', 'Slack', message);
    await message
      .getByText('None is set up yet. A super admin adds them in the settings of the plugin.')
      .waitFor();
    await call('PUT', `${slack}/settings`, {
      input: { channels: [{ channel: 'support', webhook_url: `${receiver.url}/support` }] },
    });
    await click(message.getByText('Choose', { exact: true }));
    await click(page.getByRole('option', { name: 'support' }));
    await page.keyboard.press('Escape');
    await fill(message.getByRole('textbox', { name: 'Message' }), 'Somebody asks: {{row.Title}}');

    await click(page.getByRole('button', { name: 'Add a step' }));
    await click(page.getByRole('menuitem', { name: 'Create a row' }));
    const create = page.getByRole('region', { name: '2. Create a row' });
    await choose('Table', 'Tasks', create);
    await choose('Set a column', 'Title', create);
    await fill(create.getByRole('textbox', { name: 'Title', exact: true }), 'Answer {{row.Title}}');
    await click(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByRole('switch', { name: 'Switch Questions on or off' }).waitFor();
    // Six for the form and its link; three minutes leave seven seconds for each step.
    expect(steps).toBeLessThanOrEqual(24);

    await answer('Where is my parcel?');
    const [told] = await receiver.until(1);
    expect([told?.path, told?.body]).toEqual(['/support', '{"text":"Somebody asks: Where is my parcel?"}']);
    await page.getByRole('button', { name: 'What to do with Questions' }).click();
    await page.getByRole('menuitem', { name: 'Log' }).click();
    const log = page.getByRole('list', { name: 'Log' });
    await log.getByText('Where is my parcel?', { exact: true }).click();
    await log.getByText('Title: Answer Where is my parcel?').first().waitFor();
    await page
      .getByRole('navigation', { name: 'Tables' })
      .getByRole('button', { name: 'Tasks', exact: true })
      .click();
    await page
      .getByRole('grid', { name: 'Tasks, view ' })
      .getByText('Answer Where is my parcel?', { exact: true })
      .waitFor();
  });

  test('its log says in plain words that the channel took nothing, and goes on by itself once it does', async () => {
    receiver.answer((_, response) => void response.writeHead(503).end('rollup_error'));
    await answer('Are you open?');
    await page.getByRole('tab', { name: 'Automations' }).click();
    await page.getByRole('button', { name: 'What to do with Questions' }).click();
    await page.getByRole('menuitem', { name: 'Log' }).click();
    const log = page.getByRole('list', { name: 'Log' });
    await log.getByText('Are you open?', { exact: true }).click();
    await log.getByText('Slack refused the message with status 503.').first().waitFor();
    expect(await log.getByText('rollup_error').count()).toBe(0);
    receiver.answer((_, response) => void response.end('ok'));
    await log.getByText('Title: Answer Are you open?').first().waitFor();
    expect(complaints).toEqual([]);
  });
});
