import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { LettersToken, MailerToken, type Mailer } from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly isSecure: boolean;
  readonly content: string;
}

/** A real mail server on loopback, with its own certificate that nobody vouches for. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      done(password === 'secret' ? null : new Error('no'), { user: username }),
    async onData(stream, { envelope, user, secure }, done) {
      const content = await text(stream);
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      received.push({
        from,
        to: envelope.rcptTo.map(({ address }) => address),
        user: user as unknown as string | undefined,
        isSecure: secure,
        content,
      });
      done();
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

describe('mail by SMTP', () => {
  let server: TestServer;
  let boss: TestClient;
  let mailer: Mailer;
  let mailServer: Awaited<ReturnType<typeof startMailServer>>;

  beforeAll(async () => {
    // The server of the tests says at each start that its certificate is one for tests.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    server = await createTestServer({ env: { TRELLIS_SITE_URL: 'https://tables.example.com' } });
    boss = await server.signUp('boss@example.com');
    mailer = server.host.container.get(MailerToken);
  });
  afterEach(() => mailServer.close());
  afterAll(() => server?.dispose());

  const base = { host: '127.0.0.1', security: 'none', from: 'tables@example.com', fromName: 'Tables' };
  const secure = {
    ...base,
    security: 'starttls',
    acceptsAnyCertificate: true,
    user: 'tables',
    password: 'secret',
  };
  const settings = (values: object) => ({ input: { ...values, port: mailServer.port } });
  const path = '/api/v1/app-store/plugins/app-smtp/settings';
  const save = async (values: object) => {
    const answer = await boss.put(path, settings(values));
    expect(answer.status).toBe(200);
  };
  const mail = { to: ['ann@example.com'], subject: 'Grüße', text: 'Hello', html: '<p>Hello</p>' };

  test('is not configured until a server and a sender are known', async () => {
    mailServer = await startMailServer();
    expect(mailer.isConfigured()).toBe(false);
    await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'MAIL_NOT_CONFIGURED' });
    await save(base);
    expect(mailer.isConfigured()).toBe(true);
  });

  test('travels with both its parts, and over a secure connection after signing in', async () => {
    mailServer = await startMailServer();
    await save(secure);
    await mailer.send(mail);
    expect(mailServer.received).toMatchObject([
      { from: 'tables@example.com', to: ['ann@example.com'], user: 'tables', isSecure: true },
    ]);
    const { content = '' } = mailServer.received[0] ?? {};
    expect(content).toMatch(/^From: Tables <tables@example.com>\r?$/m);
    expect(content).toContain('Content-Type: text/plain');
    expect(content).toContain('Content-Type: text/html');
    expect(content).toMatch(/^Subject: =\?UTF-8\?/m);
  });

  test('does not go on in the open where it must be secure, nor to a certificate that nobody vouches for', async () => {
    mailServer = await startMailServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    await save(secure);
    await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'SMTP_TLS' });
    await mailServer.close();
    mailServer = await startMailServer();
    await save({ ...secure, acceptsAnyCertificate: false });
    await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'SMTP_TLS' });
    expect(mailServer.received).toEqual([]);
  });

  test('says in a sentence what is wrong, and nothing of what the other side says', async () => {
    mailServer = await startMailServer();
    await save({ ...secure, password: 'wrong' });
    await expect(mailer.verify()).rejects.toMatchObject({ code: 'SMTP_SIGN_IN' });
    await save(base);
    const { port } = mailServer;
    await mailServer.close();
    await expect(mailer.send(mail)).rejects.toMatchObject({
      code: 'SMTP_UNREACHABLE',
      message: `The mail server does not answer at 127.0.0.1, port ${port}.`,
    });
    mailServer = await startMailServer({
      onRcptTo: (_address, _session, done) => done(new Error('secret words of the other side')),
    });
    await save(base);
    const refused = mailer.send(mail);
    await expect(refused).rejects.toMatchObject({ code: 'SMTP_REFUSED' });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('secret words') });
  });

  test('carries no header that somebody smuggled in', async () => {
    mailServer = await startMailServer();
    await save(base);
    const smuggled = 'Hi\r\nBcc: eve@example.com';
    await expect(mailer.send({ ...mail, subject: smuggled })).rejects.toMatchObject({ code: 'MAIL_INVALID' });
    await expect(
      mailer.send({ ...mail, to: ['a@example.com\r\nBcc: eve@example.com'] }),
    ).rejects.toMatchObject({
      code: 'MAIL_INVALID',
    });
    await expect(mailer.send({ ...mail, to: ['a@example.com, eve@example.com'] })).rejects.toMatchObject({
      code: 'MAIL_INVALID',
    });
    const letters = server.host.container.get(LettersToken);
    const paragraphs = ['<script>alert(1)</script>\r\n.\r\nMAIL FROM:<eve@example.com>'];
    expect(await letters.send({ to: 'ann@example.com', subject: smuggled, paragraphs })).toBe('sent');
    const [received, ...others] = mailServer.received;
    expect(others).toEqual([]);
    expect(received?.to).toEqual(['ann@example.com']);
    expect(received?.content).not.toMatch(/^Bcc:/m);
    expect(received?.content).toMatch(/^Subject: Hi Bcc: eve@example.com\r?$/m);
    expect(received?.content.split('text/html')[1]).not.toContain('<script>');
  });

  test('is tried by the Test button with settings that are not saved', async () => {
    mailServer = await startMailServer();
    const tryOut = (values: object) =>
      boss.post<{ readonly ok: boolean; readonly message: string }>(`${path}/test`, settings(values));
    expect((await tryOut(secure)).body).toMatchObject({ ok: true });
    expect((await tryOut({ ...secure, password: 'wrong' })).body).toMatchObject({
      ok: false,
      message: 'The mail server does not accept the user name and the password.',
    });
    const stranger = await server.signUp('stranger@example.com');
    expect((await stranger.post(`${path}/test`, settings(base))).status).toBe(403);
    expect(mailServer.received).toEqual([]);
  });
});
