import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  askUntil,
  createTestServer,
  type Received,
  type Receiver,
  startReceiver,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { Ajv } from 'ajv';

/** Where a vendor publishes the requests that it takes, and the version or the day of what is written down here. */
interface Published {
  readonly document: string;
  readonly version: string;
}
const published = {
  slack: {
    document:
      'https://api.slack.com/messaging/webhooks and https://api.slack.com/changelog/2018-04-truncating-really-long-messages',
    version: 'texts of 40,000 characters at the most since 2018-04',
  },
  discord: {
    document: 'https://discord.com/developers/docs/resources/webhook#execute-webhook',
    version: 'API v10, 2022-02',
  },
  mattermost: {
    document: 'https://developers.mattermost.com/integrate/webhooks/incoming/',
    version: 'posts of 16,383 characters since server 5.0, 2018-06',
  },
  teams: {
    document:
      'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using and https://adaptivecards.io/explorer/',
    version: 'Workflows, which took the place of connectors in 2024-07; Adaptive Cards 1.4',
  },
  telegram: {
    document: 'https://core.telegram.org/bots/api#sendmessage',
    version: 'Bot API 7.0, 2023-12-29, from which on there is link_preview_options',
  },
  twilio: {
    document: 'https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource',
    version: 'API 2010-04-01',
  },
  whatsapp: {
    document: 'https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages',
    version: 'Graph API v23.0, 2025-05',
  },
  matrix: {
    document:
      'https://spec.matrix.org/v1.11/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid and #mtext',
    version: 'Matrix 1.11, 2024-06; events of 65,536 bytes at the most',
  },
} satisfies Readonly<Record<string, Published>>;

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const textBlock = object({ type: { const: 'TextBlock' }, text: text(28_000), wrap: { const: true } });
const adaptiveCard = object({
  $schema: { type: 'string' },
  type: { const: 'AdaptiveCard' },
  version: { enum: ['1.0', '1.1', '1.2', '1.3', '1.4'] },
  body: { type: 'array', minItems: 1, items: textBlock },
});

interface Case {
  readonly published: Published;
  /** The type of the webhook, as clients of the v1 API write it. */
  readonly type: string;
  readonly plugin: string;
  settings(url: string): object;
  readonly payload: object;
  readonly body: object;
  readonly path: string | RegExp;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What stands where the text is. */
  readonly shown: string;
}

const webhook = (url: string) => ({ channels: [{ channel: 'sales', webhook_url: `${url}/secret-path` }] });
const chat = {
  payload: { channels: [{ channel: 'sales', webhook_url: 'https://elsewhere.example.com' }] },
  path: '/secret-path',
};

const cases: readonly Case[] = [
  {
    ...chat,
    type: 'Slack',
    published: published.slack,
    plugin: 'channel-slack',
    settings: webhook,
    body: object({ text: text(40_000) }),
    shown: 'New: &lt;!channel&gt; &amp; @everyone',
  },
  {
    ...chat,
    type: 'Discord',
    published: published.discord,
    plugin: 'channel-discord',
    settings: webhook,
    body: object({
      content: text(2000),
      allowed_mentions: object({ parse: { type: 'array', maxItems: 0 } }),
    }),
    shown: 'New: <!channel> & @everyone',
  },
  {
    ...chat,
    type: 'Mattermost',
    published: published.mattermost,
    plugin: 'channel-mattermost',
    settings: webhook,
    body: object({ text: text(16_383) }),
    shown: 'New: <!channel> & @\u200beveryone',
  },
  {
    ...chat,
    type: 'Microsoft Teams',
    published: published.teams,
    plugin: 'channel-teams',
    settings: webhook,
    body: object({
      type: { const: 'message' },
      attachments: {
        type: 'array',
        minItems: 1,
        items: object({
          contentType: { const: 'application/vnd.microsoft.card.adaptive' },
          content: adaptiveCard,
        }),
      },
    }),
    shown: 'New: <!channel> & @everyone',
  },
  {
    type: 'Telegram',
    published: published.telegram,
    plugin: 'channel-telegram',
    settings: (server) => ({ token: '123:abc', server, chats: [{ chat: 'Team', chat_id: '-1001' }] }),
    payload: { chats: ['Team'] },
    body: object({
      chat_id: { const: '-1001' },
      text: text(4096),
      link_preview_options: object({ is_disabled: { const: true } }),
    }),
    path: '/bot123:abc/sendMessage',
    shown: 'New: <!channel> & @everyone',
  },
  {
    type: 'Twilio',
    published: published.twilio,
    plugin: 'channel-twilio',
    settings: (server) => ({ sid: 'AC1', token: 'tok', from: '+15005550006', server }),
    payload: { to: '+49 170 1234567' },
    body: object({
      To: { const: '+491701234567' },
      From: { const: '+15005550006' },
      Body: text(1600),
    }),
    path: '/2010-04-01/Accounts/AC1/Messages.json',
    headers: {
      authorization: `Basic ${Buffer.from('AC1:tok').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    shown: 'New: <!channel> & @everyone',
  },
  {
    type: 'Whatsapp Twilio',
    published: published.twilio,
    plugin: 'channel-twilio',
    settings: (server) => ({ sid: 'AC1', token: 'tok', from: '+15005550006', server }),
    payload: { to: '{{data.Phone}}' },
    body: object({
      To: { const: 'whatsapp:+491709999' },
      From: { const: 'whatsapp:+15005550006' },
      Body: text(1600),
    }),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    path: '/2010-04-01/Accounts/AC1/Messages.json',
    shown: 'New: <!channel> & @everyone',
  },
  {
    type: 'WhatsApp',
    published: published.whatsapp,
    plugin: 'channel-whatsapp',
    settings: (server) => ({ phoneNumberId: '106540352242922', token: 'tok', version: 'v23.0', server }),
    payload: { to: '+49 170 1234567' },
    body: object({
      messaging_product: { const: 'whatsapp' },
      recipient_type: { const: 'individual' },
      to: { const: '+491701234567' },
      type: { const: 'text' },
      text: object({ preview_url: { type: 'boolean' }, body: text(4096) }),
    }),
    path: '/v23.0/106540352242922/messages',
    headers: { authorization: 'Bearer tok' },
    shown: 'New: <!channel> & @everyone',
  },
  {
    type: 'WhatsApp',
    published: published.whatsapp,
    plugin: 'channel-whatsapp',
    settings: (server) => ({ phoneNumberId: '106540352242922', token: 'tok', version: 'v23.0', server }),
    payload: { to: '{{data.Phone}}', template: 'new_row', language: 'de' },
    body: object({
      messaging_product: { const: 'whatsapp' },
      recipient_type: { const: 'individual' },
      to: { const: '+491709999' },
      type: { const: 'template' },
      template: object({
        name: { const: 'new_row' },
        language: object({ code: { const: 'de' } }),
        components: {
          type: 'array',
          minItems: 1,
          items: object({
            type: { const: 'body' },
            parameters: {
              type: 'array',
              minItems: 1,
              // A variable has no line breaks, and no more than four blanks in a row.
              items: object({
                type: { const: 'text' },
                text: { ...text(1024), pattern: '^(?!.*[\\n\\t]|.* {5})' },
              }),
            },
          }),
        },
      }),
    }),
    path: '/v23.0/106540352242922/messages',
    headers: { authorization: 'Bearer tok' },
    shown: 'New: <!channel> & @everyone',
  },
  {
    type: 'Matrix',
    published: published.matrix,
    plugin: 'channel-matrix',
    settings: (server) => ({ server, token: 'tok', rooms: [{ room: 'Team', room_id: '!r:example.com' }] }),
    payload: { rooms: ['Team'] },
    body: object({ msgtype: { const: 'm.text' }, body: text(60_000) }),
    path: /^\/_matrix\/client\/v3\/rooms\/!r%3Aexample\.com\/send\/m\.room\.message\/[^/]+$/,
    method: 'PUT',
    headers: { authorization: 'Bearer tok' },
    shown: 'New: <!channel> & @everyone',
  },
];

describe('channels of webhooks', () => {
  let receiver: Receiver;
  let server: TestServer;
  let ann: TestClient;
  let tableId = '';
  const rows = '/api/v1/db/data/v1/Shop/Things';
  const name = '<!channel> & @everyone';

  beforeAll(async () => {
    receiver = await startReceiver();
    server = await createTestServer({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    ann = await server.signUp('ann@example.com');
    const { body } = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    const table = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${body.id}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Phone', uidt: 'PhoneNumber' },
      ],
    });
    tableId = table.body.id;
  });
  afterAll(async () => {
    await server?.dispose();
    await receiver?.close();
  });

  async function setUp({ plugin, settings }: Case): Promise<void> {
    const path = `/api/v1/app-store/plugins/${plugin}`;
    await ann.post(`${path}/enable`, {});
    const saved = await ann.put(`${path}/settings`, { input: settings(receiver.url) });
    expect({ plugin, saved }).toMatchObject({ saved: { status: 200 } });
  }
  const bodyOf = ({ headers, body }: Received): unknown =>
    headers['content-type'] === 'application/x-www-form-urlencoded'
      ? Object.fromEntries(new URLSearchParams(body))
      : JSON.parse(body);

  async function hookOf(
    { type, payload }: Case,
    body = 'New: {{data.Name}}',
  ): Promise<{ readonly id: string }> {
    const made = await ann.post<{ id: string }>(`/api/v1/db/meta/tables/${tableId}/hooks`, {
      title: type,
      event: 'after',
      operation: 'insert',
      notification: { type, payload: { ...payload, body } },
    });
    expect(made).toMatchObject({ status: 200 });
    return made.body;
  }

  test.each(cases)('$type is told as its vendor has published', async (of) => {
    await setUp(of);
    const hook = await hookOf(of);
    const before = receiver.got.length;
    await ann.post(rows, { Name: name, Phone: '+491709999' });
    await receiver.until(before + 1);
    const request = receiver.got[before];
    if (request === undefined) throw new Error('Nothing arrived.');
    expect(request.method).toBe(of.method ?? 'POST');
    if (typeof of.path === 'string') expect(request.path).toBe(of.path);
    else expect(request.path).toMatch(of.path);
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', ...of.headers });
    const body = bodyOf(request);
    const validate = new Ajv({ allErrors: true }).compile(of.body);
    // Who sees it fail finds in it what to read.
    const judged = { by: of.published, body, isRight: validate(body), errors: validate.errors ?? [] };
    expect(judged).toEqual({ ...judged, isRight: true, errors: [] });
    expect(JSON.stringify(body)).toContain(of.shown);
    const log = await ann.get<{ list: object[] }>(`/api/v1/db/meta/hooks/${hook.id}/deliveries`);
    expect(JSON.stringify([log.body, hook])).not.toMatch(/secret-path|elsewhere|"tok"|123:abc/);
    await ann.delete(`/api/v1/db/meta/hooks/${hook.id}`);
  });

  test.each(['Whatsapp', 'whatsapp', 'WHATSAPP'])(
    'a webhook of the type %s tells by WhatsApp',
    async (type) => {
      const of = cases.find((one) => one.type === 'WhatsApp');
      if (of === undefined) throw new Error('There is no case.');
      await setUp(of);
      const hook = await hookOf({ ...of, type });
      const before = receiver.got.length;
      await ann.post(rows, { Name: name, Phone: '+491709999' });
      await receiver.until(before + 1);
      expect(receiver.got[before]?.path).toBe(of.path);
      const { list } = (
        await ann.get<{ list: readonly { id: string }[] }>('/api/v1/plugins/webhooks/channels')
      ).body;
      expect(list.find(({ id }) => id === 'whatsapp')).toMatchObject({
        users: [{ label: 'Webhooks', count: 1 }, { count: 0 }],
      });
      await ann.delete(`/api/v1/db/meta/hooks/${hook.id}`);
    },
  );

  test.each(cases)('$type gets of a message that is too long for it no half of a character', async (of) => {
    await setUp(of);
    const hook = await hookOf(of, `x${'😀'.repeat(21_000)}`);
    const before = receiver.got.length;
    await ann.post(rows, { Name: name, Phone: '+491709999' });
    await receiver.until(before + 1);
    const sent = JSON.stringify(receiver.got.slice(before).map(bodyOf));
    expect(sent.includes('😀')).toBe(true);
    expect(/\\ud[89a-f]|\uFFFD/i.test(sent)).toBe(false);
    await ann.delete(`/api/v1/db/meta/hooks/${hook.id}`);
  });

  /** What the Test button of the settings asks of each vendor. */
  const tried: readonly (readonly [plugin: string, vendor: string, method: string, path: string])[] = [
    ['channel-slack', 'Slack', 'POST', '/secret-path'],
    ['channel-discord', 'Discord', 'POST', '/secret-path'],
    ['channel-mattermost', 'Mattermost', 'POST', '/secret-path'],
    ['channel-teams', 'Microsoft Teams', 'POST', '/secret-path'],
    ['channel-telegram', 'Telegram', 'POST', '/bot123:abc/getMe'],
    ['channel-twilio', 'Twilio', 'GET', '/2010-04-01/Accounts/AC1.json'],
    ['channel-whatsapp', 'WhatsApp', 'GET', '/v23.0/106540352242922?fields=display_phone_number'],
    ['channel-matrix', 'Matrix', 'GET', '/_matrix/client/v3/account/whoami'],
  ];

  test.each(tried)(
    'the settings of %s are tried with %s, and what it refuses is told',
    async (plugin, vendor, method, path) => {
      const of = cases.find((one) => one.plugin === plugin);
      if (of === undefined) throw new Error('There is no case.');
      await setUp(of);
      const settings = `/api/v1/app-store/plugins/${plugin}/settings`;
      // As the form sends them: with the secrets that are stored, masked.
      const { values } = (await ann.get<{ values: object }>(settings)).body;
      expect(JSON.stringify(values)).not.toMatch(/secret-path|"tok"|123:abc/);
      const tryOut = async (input: object) =>
        (await ann.post<{ ok: boolean; message: string }>(`${settings}/test`, { input })).body;
      const before = receiver.got.length;
      expect(await tryOut(values)).toEqual({ ok: true, message: expect.stringContaining(vendor) });
      const asked = receiver.got.slice(before);
      expect(asked.map((request) => [request.method, request.path])).toEqual([[method, path]]);
      const isChat = path === '/secret-path';
      const validate = new Ajv({ allErrors: true }).compile(isChat ? of.body : {});
      const [request] = asked;
      const body = request && request.body !== '' ? bodyOf(request) : {};
      expect([body, validate(body), validate.errors ?? []]).toEqual([body, true, []]);
      expect(JSON.stringify(body).includes('sales')).toBe(isChat);

      receiver.answer(
        (_, response) => void response.writeHead(401).end('{"ok":false,"secret":"of the answer"}'),
      );
      const refused = await tryOut(values);
      receiver.answer((_, response) => void response.end('ok'));
      expect(refused).toEqual({ ok: false, message: expect.stringContaining(vendor) });
      expect(refused.message).not.toMatch(/secret-path|"tok"|123:abc|of the answer/);
    },
  );

  test('each channel of a chat is tried, and those that refuse are named', async () => {
    const [slack] = cases;
    if (slack === undefined) throw new Error('There is no case.');
    await setUp(slack);
    const path = '/api/v1/app-store/plugins/channel-slack/settings/test';
    const channels = ['sales', 'gone', 'team'].map((channel) => ({
      channel,
      webhook_url: `${receiver.url}/tried-${channel}`,
    }));
    receiver.answer(
      (request, response) => void response.writeHead(request.path.endsWith('gone') ? 404 : 200).end(),
    );
    const before = receiver.got.length;
    const { body } = await ann.post(path, { input: { channels } });
    receiver.answer((_, response) => void response.end('ok'));
    expect(body).toEqual({
      ok: false,
      message: expect.stringMatching(/^gone: Slack does not know the place of this message/),
    });
    // Some of them at once.
    expect(
      receiver.got
        .slice(before)
        .map((request) => request.path)
        .toSorted(),
    ).toEqual(['/tried-gone', '/tried-sales', '/tried-team']);
    expect((await ann.post(path, { input: { channels: [] } })).body).toMatchObject({ ok: false });
    expect(receiver.got).toHaveLength(before + 3);
  });

  test.each(['slack', 'discord', 'mattermost', 'teams'])(
    'an address of %s that is no whole one is refused when it is saved or tried, and not repeated',
    async (chat) => {
      const path = `/api/v1/app-store/plugins/channel-${chat}`;
      await ann.post(`${path}/enable`, {});
      for (const secret of ['hooks.example.com/T0/SECRET', 'not a url SECRET', 'ftp://example.com/SECRET']) {
        const input = { channels: [{ channel: 'sales', webhook_url: secret }] };
        const answers = [
          await ann.put(`${path}/settings`, { input }),
          await ann.post(`${path}/settings/test`, { input }),
        ];
        for (const { status, body } of answers) {
          expect({ status, text: JSON.stringify(body) }).toMatchObject({
            status: 400,
            text: expect.stringContaining('webhook_url'),
          });
          expect(JSON.stringify(body)).not.toContain('SECRET');
        }
      }
    },
  );

  test('a cell says whom one message goes to, not how many people pay for it', async () => {
    const whatsapp = cases.find(({ type }) => type === 'Whatsapp Twilio');
    if (whatsapp === undefined) throw new Error('There is no case.');
    await setUp(whatsapp);
    const { id } = await hookOf(whatsapp);
    const before = receiver.got.length;
    await ann.post(rows, { Name: name, Phone: '+491709999, +491708888' });
    const path = `/api/v1/db/meta/hooks/${id}/deliveries`;
    const errorNow = async () =>
      (await ann.get<{ list: readonly { error: string | null }[] }>(path)).body.list[0]?.error ?? null;
    const error = await askUntil(errorNow, (now) => now !== null);
    expect(error).toContain('stands for one address');
    expect(receiver.got).toHaveLength(before);
    await ann.delete(`/api/v1/db/meta/hooks/${id}`);
  });

  test('a vendor that refuses is quoted by its name, and nothing of its address or answer', async () => {
    const [slack] = cases;
    if (slack === undefined) throw new Error('There is no case.');
    await setUp(slack);
    const tell = async (status: number) => {
      receiver.answer(
        (_, response) => void response.writeHead(status, { 'retry-after': '7' }).end('invalid_token'),
      );
      const { body } = await ann.post<{ msg: string }>(`/api/v1/db/meta/tables/${tableId}/hooks/test`, {
        hook: { notification: { type: 'Slack', payload: { channels: ['sales'], body: 'x' } } },
      });
      return body.msg;
    };
    expect(await tell(404)).toContain('Slack does not know the place of this message');
    expect(await tell(403)).toContain('Slack does not accept this token or address any more');
    expect(await tell(429)).toContain('Slack takes no more messages for now');
    expect(await tell(500)).toContain('Slack refused the message with status 500');
    expect(await tell(302)).not.toContain('secret-path');
    receiver.answer((_, response) => void response.end('ok'));
    for (const channels of [['gone'], [], undefined]) {
      const made = await ann.post(`/api/v1/db/meta/tables/${tableId}/hooks`, {
        title: 'Nowhere',
        notification: { type: 'Slack', payload: { channels, body: 'x' } },
      });
      expect(made).toMatchObject({ status: 400, body: { code: 'CHANNEL_SETTINGS' } });
    }
  });

  /** What the vendors publish of refusals: whether the place is gone, only the message is, or it may pass. */
  test.each([
    ['Slack', 404, 'no_service', 'paused'],
    ['Slack', 410, 'channel_is_archived', 'paused'],
    ['Slack', 403, 'invalid_token', 'paused'],
    ['Slack', 400, 'invalid_payload', 'failed'],
    ['Slack', 500, 'rollup_error', 'waiting'],
    ['Discord', 404, '{"message":"Unknown Webhook","code":10015}', 'paused'],
    ['Discord', 401, '{"message":"Invalid Webhook Token","code":50027}', 'paused'],
    ['Discord', 429, '{"retry_after":1.2,"global":false}', 'waiting'],
    ['Mattermost', 400, '{"id":"web.incoming_webhook.invalid.app_error","status_code":400}', 'paused'],
    ['Mattermost', 400, '{"id":"web.incoming_webhook.text.app_error","status_code":400}', 'failed'],
    ['Microsoft Teams', 404, '', 'paused'],
    ['Telegram', 400, '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}', 'paused'],
    [
      'Telegram',
      400,
      '{"ok":false,"error_code":400,"description":"Bad Request: message text is empty"}',
      'failed',
    ],
    ['Telegram', 403, '{"ok":false,"error_code":403,"description":"Forbidden: bot was kicked"}', 'paused'],
    ['Twilio', 400, '{"code":21211,"message":"Invalid \'To\' Phone Number","status":400}', 'failed'],
    [
      'Twilio',
      400,
      '{"code":21606,"message":"The \'From\' phone number is not valid","status":400}',
      'paused',
    ],
    ['Twilio', 503, '', 'waiting'],
    ['WhatsApp', 401, '{"error":{"type":"OAuthException","code":190}}', 'paused'],
    ['WhatsApp', 400, '{"error":{"type":"OAuthException","code":133010}}', 'paused'],
    ['WhatsApp', 400, '{"error":{"type":"OAuthException","code":131047}}', 'failed'],
    ['WhatsApp', 400, '{"error":{"type":"OAuthException","code":130429}}', 'waiting'],
    ['WhatsApp', 500, '{"error":{"type":"OAuthException","code":131000}}', 'waiting'],
    ['Matrix', 403, '{"errcode":"M_FORBIDDEN"}', 'paused'],
    ['Matrix', 413, '{"errcode":"M_TOO_LARGE"}', 'failed'],
  ] as const)('a refusal of %s by %s %s leaves a message %s', async (type, status, body, state) => {
    const of = cases.find((one) => one.type === type);
    if (of === undefined) throw new Error('There is no case.');
    await setUp(of);
    const { id } = await hookOf(of);
    receiver.answer((_, response) => void response.writeHead(status).end(body));
    await ann.post(rows, { Name: 'Chair', Phone: '+491709999' });
    const isPaused = async () =>
      (
        await ann.get<{ list: { id: string; paused: string | null }[] }>(
          `/api/v1/db/meta/tables/${tableId}/hooks`,
        )
      ).body.list.some((one) => one.id === id && one.paused !== null);
    const log = async () =>
      (
        await ann.get<{ list: { state: string; error: string | null }[] }>(
          `/api/v1/db/meta/hooks/${id}/deliveries`,
        )
      ).body.list;
    await askUntil(log, ([first]) => (first?.error ?? null) !== null);
    if (state === 'paused') await askUntil(isPaused, Boolean);
    expect(await log()).toMatchObject([{ state: state === 'failed' ? 'failed' : 'waiting' }]);
    if (state !== 'paused') expect(await isPaused()).toBe(false);
    await ann.delete(`/api/v1/db/meta/hooks/${id}`);
    receiver.answer((_, response) => void response.end('ok'));
  });

  test('how each channel fares by which webhooks tell is there for whoever sets it up, and for nobody else', async () => {
    const [slack] = cases;
    if (slack === undefined) throw new Error('There is no case.');
    await setUp(slack);
    const path = '/api/v1/plugins/webhooks/channels';
    const state = async () => {
      const { body } = await ann.get<{ list: readonly Record<string, unknown>[] }>(path);
      return body.list.find(({ id }) => id === 'slack') ?? {};
    };
    const aTime = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await state()).toEqual({
      id: 'slack',
      label: 'Slack',
      plugin_id: 'channel-slack',
      is_ready: true,
      users: [
        { label: 'Webhooks', count: 0 },
        { label: 'Automations', count: 0 },
      ],
      paused: 0,
      arrived_at: null,
      failed_at: null,
      failure: null,
    });
    const { id } = await hookOf(slack);
    await ann.post(rows, { Name: 'Arrives' });
    const arrived = await askUntil(state, ({ arrived_at: at }) => at !== null);
    expect(arrived).toMatchObject({
      users: [{ count: 1 }, { count: 0 }],
      arrived_at: aTime,
      failed_at: null,
    });
    receiver.answer((_, response) => void response.writeHead(404).end('no_service'));
    await ann.post(rows, { Name: 'Fails' });
    const failed = await askUntil(state, ({ paused }) => paused === 1);
    expect(failed).toMatchObject({
      arrived_at: aTime,
      failed_at: aTime,
      failure: expect.stringContaining('Slack'),
    });
    expect(JSON.stringify(failed)).not.toContain('secret-path');
    receiver.answer((_, response) => void response.end('ok'));
    await ann.delete(`/api/v1/db/meta/hooks/${id}`);
    const settings = '/api/v1/app-store/plugins/channel-slack/settings';
    await ann.put(settings, { input: { channels: [] } });
    expect(await state()).toMatchObject({ is_ready: false, users: [{ count: 0 }, { count: 0 }] });
    await setUp(slack);
    const stranger = await server.signUp();
    expect((await stranger.get(path)).status).toBe(403);
  });

  test('members choose among the names that the settings hold, and see no address', async () => {
    const { body } = await ann.get<{ list: readonly { type: string; settings: object }[] }>(
      `/api/v1/db/meta/tables/${tableId}/hooks/channels`,
    );
    const slack = body.list.find(({ type }) => type === 'Slack');
    expect(slack).toMatchObject({ settings: { properties: { channels: { items: { enum: ['sales'] } } } } });
    expect(JSON.stringify(body)).not.toContain('secret-path');
  });

  test('while a channel is switched off its webhooks say so and wait, and go on with nothing lost', async () => {
    const [slack] = cases;
    if (slack === undefined) throw new Error('There is no case.');
    const { id } = await hookOf(slack);
    const path = '/api/v1/app-store/plugins/channel-slack';
    await ann.post(`${path}/disable`, {});
    const list = async () =>
      (await ann.get<{ list: object[] }>(`/api/v1/db/meta/tables/${tableId}/hooks`)).body.list;
    expect(await list()).toMatchObject([{ id, is_channel_off: true, active: true }]);
    const before = receiver.got.length;
    for (const part of ['one', 'two', 'three']) await ann.post(rows, { Name: part });
    const waiting = async () =>
      (
        await ann.get<{ list: { state: string; attempts: number }[] }>(
          `/api/v1/db/meta/hooks/${id}/deliveries`,
        )
      ).body.list;
    expect(await askUntil(waiting, ({ length }) => length >= 3)).toMatchObject(
      Array.from({ length: 3 }, () => ({ state: 'waiting', attempts: 0 })),
    );
    expect(receiver.got).toHaveLength(before);
    await ann.post(`${path}/enable`, {});
    await receiver.until(before + 3);
    const texts = receiver.got.slice(before).map((request) => (bodyOf(request) as { text: string }).text);
    expect(new Set(texts)).toEqual(new Set(['New: one', 'New: two', 'New: three']));
    expect(await list()).toMatchObject([{ id, is_channel_off: false, paused: null }]);
  });
});
