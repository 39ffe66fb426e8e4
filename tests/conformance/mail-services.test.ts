import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { awsSignature, LettersToken, MailerToken, sha256Hex, type Mailer } from '@trellis/sdk/server';
import {
  createTestServer,
  startReceiver,
  type Received,
  type Receiver,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { Ajv } from 'ajv';

/* What the vendors publish of the requests that they take. */
const text = { type: 'string', minLength: 1 };
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', minItems: 1, items });
const base64 = { type: 'string', pattern: '^[A-Za-z0-9+/]+={0,2}$' };
const from = { const: '=?UTF-8?B?R3LDvG4=?= <tables@example.com>' };

interface Case {
  readonly id: string;
  /** Where the vendor publishes the request, and the version of what is written down here. */
  readonly published: { readonly document: string; readonly version: string };
  readonly plugin: string;
  settings(url: string): Readonly<Record<string, string>>;
  readonly path: string;
  readonly body: object;
  readonly headers: Readonly<Record<string, string | RegExp>>;
  /** The Test button. */
  readonly check: { readonly path: string; readonly answer: object; readonly objected?: object };
  /** What the vendor answers, and what people are told of it. */
  readonly refusals: readonly {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly answer: object;
    readonly code: string;
  }[];
}

const utf8 = object({ Data: text, Charset: { const: 'UTF-8' } });
const cases: readonly Case[] = [
  {
    id: 'postmark',
    published: {
      document: 'https://postmarkapp.com/developer/api/email-api#send-a-single-email',
      version: 'MessageStream since 2020-06',
    },
    plugin: 'app-postmark',
    settings: (server) => ({ token: 'secret-token', server }),
    path: '/email',
    headers: { 'x-postmark-server-token': /^secret-token$/, 'content-type': /^application\/json$/ },
    body: object({
      From: from,
      To: { const: 'ann@example.com, ben@example.com' },
      Subject: text,
      TextBody: text,
      HtmlBody: text,
      ReplyTo: { const: 'reply@example.com' },
      MessageStream: { const: 'outbound' },
      TrackOpens: { const: false },
      TrackLinks: { enum: ['None', 'HtmlAndText', 'HtmlOnly', 'TextOnly'] },
      Attachments: list(object({ Name: text, Content: base64, ContentType: text })),
    }),
    check: { path: '/server', answer: { ID: 1, Name: 'Tables' } },
    refusals: [
      { status: 401, answer: { ErrorCode: 10, Message: 'x' }, code: 'MAIL_SERVICE_KEY' },
      { status: 422, answer: { ErrorCode: 400, Message: 'x' }, code: 'MAIL_SERVICE_SENDER' },
      { status: 422, answer: { ErrorCode: 406, Message: 'x' }, code: 'MAIL_SERVICE_RECIPIENT' },
      { status: 422, answer: { ErrorCode: 300, Message: 'x' }, code: 'MAIL_SERVICE_REFUSED' },
    ],
  },
  {
    id: 'sendgrid',
    published: {
      document: 'https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send',
      version: 'API v3',
    },
    plugin: 'app-sendgrid',
    settings: (server) => ({ key: 'SG.secret', server }),
    path: '/v3/mail/send',
    headers: { authorization: /^Bearer SG\.secret$/, 'content-type': /^application\/json$/ },
    body: object({
      personalizations: list(object({ to: list(object({ email: text })) })),
      from: object({ email: { const: 'tables@example.com' }, name: { const: 'Grün' } }),
      reply_to: object({ email: { const: 'reply@example.com' } }),
      subject: text,
      content: {
        ...list(object({ type: { enum: ['text/plain', 'text/html'] }, value: text })),
        minItems: 2,
      },
      attachments: list(
        object({ content: base64, filename: text, type: text, disposition: { const: 'attachment' } }),
      ),
      tracking_settings: object({
        click_tracking: object({ enable: { const: false }, enable_text: { const: false } }),
        open_tracking: object({ enable: { const: false } }),
      }),
    }),
    check: { path: '/v3/scopes', answer: { scopes: ['mail.send'] }, objected: { scopes: ['stats.read'] } },
    refusals: [
      { status: 401, answer: { errors: [{ message: 'x', field: null }] }, code: 'MAIL_SERVICE_KEY' },
      { status: 403, answer: { errors: [{ message: 'x', field: 'from' }] }, code: 'MAIL_SERVICE_SENDER' },
      { status: 413, answer: { errors: [{ message: 'x', field: null }] }, code: 'MAIL_SERVICE_TOO_LARGE' },
      {
        status: 400,
        answer: { errors: [{ message: 'x', field: 'personalizations.0.to.0.email' }] },
        code: 'MAIL_SERVICE_RECIPIENT',
      },
    ],
  },
  {
    id: 'mailgun',
    published: {
      document: 'https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages',
      version: 'API v3',
    },
    plugin: 'app-mailgun',
    settings: (server) => ({ key: 'secret-key', domain: 'mg.example.com', server }),
    path: '/v3/mg.example.com/messages',
    headers: {
      authorization: new RegExp(`^Basic ${Buffer.from('api:secret-key').toString('base64')}$`),
      'content-type': /^multipart\/form-data; boundary=/,
    },
    body: object({
      from: list(from),
      to: { ...list({ enum: ['ann@example.com', 'ben@example.com'] }), minItems: 2 },
      subject: list(text),
      text: list(text),
      html: list(text),
      'h:Reply-To': list({ const: 'reply@example.com' }),
      'o:tracking': list({ enum: ['yes', 'no', 'true', 'false', 'htmlonly'] }),
      attachment: list({ const: 'prices ö.csv text/csv' }),
    }),
    check: { path: '/v3/mg.example.com/messages', answer: { id: '<1@mg>', message: 'Queued. Thank you.' } },
    refusals: [
      { status: 401, answer: { message: 'Forbidden' }, code: 'MAIL_SERVICE_KEY' },
      { status: 404, answer: { message: 'Domain not found: x' }, code: 'MAIL_SERVICE_SENDER' },
      {
        status: 403,
        answer: { message: 'The account may write to authorized recipients only' },
        code: 'MAIL_SERVICE_RECIPIENT',
      },
    ],
  },
  {
    id: 'ses',
    published: {
      document: 'https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html',
      version: 'API 2019-09-27 (v2)',
    },
    plugin: 'app-ses',
    settings: (endpoint) => ({
      region: 'eu-central-1',
      access_key: 'AKID',
      access_secret: 'secret-key',
      endpoint,
    }),
    path: '/v2/email/outbound-emails',
    headers: {
      authorization: /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/ses\/aws4_request, /,
      'content-type': /^application\/json$/,
    },
    body: object({
      FromEmailAddress: from,
      Destination: object({ ToAddresses: list(text) }),
      ReplyToAddresses: { const: ['reply@example.com'] },
      Content: object({
        Simple: object({
          Subject: utf8,
          Body: object({ Text: utf8, Html: utf8 }),
          Attachments: list(
            object({
              FileName: { ...text, maxLength: 255 },
              ContentType: text,
              ContentDisposition: { enum: ['ATTACHMENT', 'INLINE'] },
              ContentTransferEncoding: { const: 'BASE64' },
              RawContent: base64,
            }),
          ),
        }),
      }),
    }),
    check: {
      path: '/v2/email/account',
      answer: { SendingEnabled: true },
      objected: { SendingEnabled: false },
    },
    refusals: [
      {
        status: 403,
        headers: { 'x-amzn-errortype': 'UnrecognizedClientException' },
        answer: { message: 'x' },
        code: 'MAIL_SERVICE_KEY',
      },
      {
        status: 400,
        headers: { 'x-amzn-errortype': 'MessageRejected:http://internal.amazon.com/x/' },
        answer: { message: 'x' },
        code: 'MAIL_SERVICE_SENDER',
      },
      {
        status: 400,
        headers: { 'x-amzn-errortype': 'SendingPausedException' },
        answer: { message: 'x' },
        code: 'MAIL_SERVICE_PAUSED',
      },
    ],
  },
];

/** A form as lists of its values by name; a file is its name and type. */
async function formOf({ headers, body }: Received): Promise<Record<string, readonly string[]>> {
  const form = await new Response(body, {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
  const names = [...new Set(form.keys())];
  const shown = (value: FormDataEntryValue) =>
    typeof value === 'string' ? value : `${value.name} ${value.type}`;
  return Object.fromEntries(names.map((name) => [name, form.getAll(name).map(shown)]));
}

const bodyOf = async (request: Received): Promise<unknown> =>
  request.headers['content-type']?.startsWith('multipart/') === true
    ? formOf(request)
    : JSON.parse(request.body);

describe('mail services', () => {
  let receiver: Receiver;
  let server: TestServer;
  let boss: TestClient;
  let mailer: Mailer;

  beforeAll(async () => {
    receiver = await startReceiver();
    server = await createTestServer({ env: { TRELLIS_SITE_URL: 'https://tables.example.com' } });
    boss = await server.signUp('boss@example.com');
    mailer = server.host.container.get(MailerToken);
  });
  afterAll(async () => {
    await server?.dispose();
    await receiver?.close();
  });

  const store = (plugin: string) => `/api/v1/app-store/plugins/${plugin}`;
  const input = (of: Case) => ({
    from: 'tables@example.com',
    fromName: 'Grün',
    ...of.settings(receiver.url),
  });
  const mail = {
    to: ['ann@example.com', 'ben@example.com'],
    subject: 'Grüße',
    text: 'Hello',
    html: '<p>Hello</p>',
    replyTo: 'reply@example.com',
    attachments: [{ name: 'prices ö.csv', type: 'text/csv', content: Buffer.from('a;b\n1;2\n') }],
  };
  const answerWith = (status: number, answer: object, headers: Record<string, string> = {}) =>
    receiver.answer(
      (_, response) =>
        void response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify(answer)),
    );
  const last = (): Received => {
    const request = receiver.got.at(-1);
    if (request === undefined) throw new Error('Nothing arrived.');
    return request;
  };

  async function setUp(of: Case): Promise<void> {
    expect(await boss.post(`${store(of.plugin)}/enable`, {})).toMatchObject({ status: 200 });
    const saved = await boss.put(`${store(of.plugin)}/settings`, { input: input(of) });
    expect({ plugin: of.plugin, saved }).toMatchObject({ saved: { status: 200 } });
  }

  describe.each(cases)('$id', (of) => {
    test('is given mails as its vendor has published, with their files and where answers go', async () => {
      await setUp(of);
      answerWith(200, {});
      await mailer.send(mail, { by: of.id });
      const request = last();
      expect([request.method, request.path]).toEqual(['POST', of.path]);
      for (const [name, value] of Object.entries(of.headers)) expect(request.headers[name]).toMatch(value);
      const body = await bodyOf(request);
      const validate = new Ajv({ allErrors: true }).compile(of.body);
      // Who sees it fail finds in it what to read.
      const judged = { by: of.published, body, isRight: validate(body), errors: validate.errors ?? [] };
      expect(judged).toEqual({ ...judged, isRight: true, errors: [] });
    });

    test('sends none by the Test button, which says whether mails could go out', async () => {
      answerWith(200, of.check.answer);
      const tryOut = (values: object) =>
        boss.post<{ readonly ok: boolean; readonly message: string }>(`${store(of.plugin)}/settings/test`, {
          input: { ...input(of), ...values },
        });
      expect((await tryOut({})).body).toMatchObject({ ok: true });
      expect(last().path).toBe(of.check.path);
      if (of.id === 'mailgun') expect(await bodyOf(last())).toMatchObject({ 'o:testmode': ['yes'] });
      else expect(last().method).toBe('GET');
      if (of.check.objected !== undefined) {
        answerWith(200, of.check.objected);
        expect((await tryOut({})).body).toMatchObject({ ok: false });
      }
      answerWith(401, { message: 'secret words of the other side' });
      const wrong = await tryOut({});
      expect(wrong.body).toMatchObject({ ok: false });
      expect(wrong.body.message).toContain('does not accept the key');
      expect(JSON.stringify(wrong.body)).not.toMatch(/secret/);
    });

    test('has its refusals told as what to do, in no words of its own', async () => {
      for (const { status, headers, answer, code } of of.refusals) {
        answerWith(status, answer, headers);
        await expect(mailer.send(mail, { by: of.id })).rejects.toMatchObject({ code });
      }
      answerWith(429, {});
      await expect(mailer.send(mail, { by: of.id })).rejects.toMatchObject({ code: 'MAIL_SERVICE_BUSY' });
      receiver.answer((_, response) => void response.writeHead(502).end('<html>bad gateway'));
      await expect(mailer.send(mail, { by: of.id })).rejects.toMatchObject({ code: 'MAIL_SERVICE_BUSY' });
      receiver.answer((_, response) => void response.writeHead(302, { location: '/elsewhere' }).end());
      await expect(mailer.send(mail, { by: of.id })).rejects.toMatchObject({ status: 502 });
    });

    test('keeps its key sealed, and asks for it again when its address changes', async () => {
      const { body } = await boss.get(`${store(of.plugin)}/settings`);
      expect(JSON.stringify(body)).not.toMatch(/secret-(?:token|key)|SG\.secret/);
      const [address = ''] = Object.entries(of.settings('x')).find(([, value]) => value === 'x') ?? [];
      const secret = Object.keys(of.settings('')).find((name) => /token|secret|^key$/.test(name)) ?? '';
      const others = Object.fromEntries(Object.entries(input(of)).filter(([name]) => name !== secret));
      const moved = await boss.put(`${store(of.plugin)}/settings`, {
        input: { ...others, [address]: 'http://127.0.0.1:9' },
      });
      expect(moved.status).toBe(400);
      await setUp(of);
    });
  });

  test('a signature of Amazon is the one that the sent bytes have', async () => {
    answerWith(200, {});
    await mailer.send(mail, { by: 'ses' });
    const { headers, body, path } = last();
    const [, names = '', signature] =
      /SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(headers['authorization'] ?? '') ?? [];
    const call = {
      method: 'POST',
      url: new URL(path, receiver.url),
      headers,
      names: names.split(';'),
      bodyHash: sha256Hex(body),
      time: headers['x-amz-date'] ?? '',
    };
    expect(names.split(';')).toEqual(expect.arrayContaining(['host', 'x-amz-date', 'content-type']));
    expect(awsSignature(call, { secretKey: 'secret-key', region: 'eu-central-1', service: 'ses' })).toBe(
      signature,
    );
  });

  test('one of them sends, which a super admin chooses and changes; what waited goes out by the new one', async () => {
    answerWith(200, {});
    const chosen = async (sender: string) => boss.put('/api/v1/mail/default', { sender });
    expect(await chosen('sendgrid')).toMatchObject({
      status: 200,
      body: { list: expect.arrayContaining([expect.objectContaining({ id: 'sendgrid', is_default: true })]) },
    });
    await mailer.send(mail);
    expect(last().path).toBe('/v3/mail/send');
    await mailer.verify().catch(() => undefined);
    expect(last().path).toBe('/v3/scopes');

    answerWith(401, {});
    const letters = server.host.container.get(LettersToken);
    const letter = { to: 'ann@example.com', subject: 'Hello', paragraphs: ['Hello'] };
    expect(await letters.send(letter)).toBe('waiting');
    expect((await boss.get('/api/v1/mail')).body).toMatchObject({
      waiting: 1,
      problem: { code: 'MAIL_SERVICE_KEY', params: { service: 'SendGrid' } },
    });

    answerWith(200, {});
    expect((await chosen('postmark')).status).toBe(200);
    const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };
    const job = server.host.registries.get('jobs').get('sys-mail.send');
    await job?.run({ signal: new AbortController().signal, logger });
    expect(last().path).toBe('/email');
    expect((await boss.get('/api/v1/mail')).body).toMatchObject({ waiting: 0, problem: null });

    expect(await boss.post('/api/v1/mail/trial', { sender: 'mailgun' })).toMatchObject({
      status: 200,
      body: { to: 'boss@example.com' },
    });
    expect(last().path).toBe('/v3/mg.example.com/messages');
    expect(await chosen('pigeon')).toMatchObject({ status: 404, body: { code: 'MAIL_SENDER_UNKNOWN' } });
    expect(await chosen('smtp')).toMatchObject({ status: 409, body: { code: 'MAIL_SENDER_NOT_READY' } });
    const ann = await server.signUp('ann@example.com');
    expect((await ann.get('/api/v1/mail')).status).toBe(403);
    expect((await ann.post('/api/v1/mail/trial', { sender: 'postmark' })).status).toBe(403);

    // Switched off, it sends no more: the first that is set up does.
    await boss.post(`${store('app-postmark')}/disable`, {});
    await mailer.send(mail);
    expect(last().path).not.toBe('/email');
  });
});
