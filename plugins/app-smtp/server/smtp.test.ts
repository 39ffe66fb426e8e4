import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import {
  AccessServiceToken,
  AccountStoreToken,
  LettersToken,
  MailerToken,
  type Mailer,
} from '@trellis/sdk/server';
import { askUntil, createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

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
    // Its clients keep their connections.
    closeTimeout: 50,
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

/** Undoes the folding of lines and what the form "relaxed" of RFC 6376 does not tell apart. */
const relaxed = (line: string) => line.replace(/\r\n(?=[ \t])/g, '').replace(/[ \t]+/g, ' ');

/** What a mail's signature says, and whether it is that of the mail, as RFC 6376 has receivers find out. */
function dkimOf(content: string, publicKey: string) {
  const end = content.indexOf('\r\n\r\n');
  const body = content.slice(end + 4);
  const headers = content
    .slice(0, end)
    .split(/\r\n(?![ \t])/)
    .map((line) => {
      const [name = ''] = line.split(':');
      return { name: name.toLowerCase(), value: relaxed(line.slice(name.length + 1)).trim() };
    });
  const own = headers.find(({ name }) => name === 'dkim-signature')?.value ?? '';
  const tags = Object.fromEntries(
    own.split(/;\s*/).map((tag) => {
      const [name = '', ...rest] = tag.split('=');
      return [name.trim(), rest.join('=').replace(/\s/g, '')] as const;
    }),
  );
  const lines = body.split('\r\n').map((line) => relaxed(line).replace(/ $/, ''));
  const hash = createHash('sha256')
    .update(`${lines.join('\r\n').replace(/(\r\n)+$/, '')}\r\n`)
    .digest('base64');
  const signed = (tags.h ?? '').split(':').flatMap((name) => {
    const found = headers.find((header) => header.name === name.toLowerCase());
    return found === undefined ? [] : [`${found.name}:${found.value}\r\n`];
  });
  const data = `${signed.join('')}dkim-signature:${own.replace(/b=[^;]*$/, 'b=')}`;
  const isRight =
    hash === tags.bh &&
    createVerify('RSA-SHA256')
      .update(data)
      .verify(publicKey, tags.b ?? '', 'base64');
  return { domain: tags.d, selector: tags.s, isRight };
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

  test('a password that is kept never goes out over a connection that is less secure than it was typed for', async () => {
    mailServer = await startMailServer();
    await save(secure);
    const kept = await boss.get<{ values: object }>(path);
    for (const change of [{ security: 'none' }, { security: 'tls' }]) {
      const asked = await boss.post(`${path}/test`, { input: { ...kept.body.values, ...change } });
      expect({ change, status: asked.status }).toEqual({ change, status: 400 });
    }
    const typed = { ...secure, port: mailServer.port, acceptsAnyCertificate: false };
    await boss.put(path, { input: typed });
    const { body } = await boss.get<{ values: object }>(path);
    const open = await boss.post(`${path}/test`, { input: { ...body.values, acceptsAnyCertificate: true } });
    expect(open.status).toBe(400);
    expect(mailServer.received).toEqual([]);
  });

  test('tells somebody whom a comment mentions, where they want a mail of it, without what the comment says', async () => {
    mailServer = await startMailServer();
    await save(base);
    const bob = await server.signUp('bob@example.com');
    const { container } = server.host;
    const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
    const account = await container.get(AccountStoreToken).byEmail('bob@example.com');
    await container.get(AccessServiceToken).grant(project.body.id, account?.id ?? '', 'commenter');
    const columns = [{ title: 'Id', uidt: 'ID', pk: true, ai: true }];
    const tables = `/api/v1/db/meta/projects/${project.body.id}/tables`;
    const table = await boss.post<{ id: string }>(tables, { title: 'City', columns });
    await boss.post('/api/v1/db/data/noco/Atlas/City', {});
    const comment = async (description: string) => {
      const body = { fk_model_id: table.body.id, row_id: '1', description };
      expect((await boss.post('/api/v1/db/meta/audits/comments', body)).status).toBe(200);
    };
    // By themselves people are told in the page alone.
    await comment('@bob@example.com, first');
    const center = '/api/v1/plugins/notification-center';
    await askUntil(
      async () => (await bob.get<{ list: readonly object[] }>(`${center}/notices`)).body.list,
      (list) => list.length === 1,
    );
    expect((await bob.put(`${center}/wishes`, { kind: 'mention', page: true, mail: 'now' })).status).toBe(
      200,
    );
    await comment('@bob@example.com, look at the harbour');
    const [mailed, ...others] = await askUntil(
      // Beside the mail that greets somebody who signs up.
      async () => mailServer.received.filter(({ content }) => content.includes('mentioned you')),
      (list) => list.length > 0,
    );
    expect(others).toEqual([]);
    expect(mailed).toMatchObject({ from: 'tables@example.com', to: ['bob@example.com'] });
    expect(mailed?.content).toMatch(/^Subject: boss@example\.com mentioned you in a comment\r?$/m);
    expect(mailed?.content).toContain(`/nc/${project.body.id}`);
    expect(mailed?.content).not.toContain('harbour');
  });

  test('goes to domains and people whose names are not ASCII', async () => {
    mailServer = await startMailServer();
    await save(base);
    await mailer.send({ ...mail, to: ['ann+shop@bücher.example'] });
    await mailer.send({ ...mail, to: ['ünal@xn--bcher-kva.example'] });
    const receivers = mailServer.received.flatMap(({ to }) => to);
    expect(receivers.map((address) => address.replace('xn--bcher-kva', 'bücher'))).toEqual([
      'ann+shop@bücher.example',
      'ünal@bücher.example',
    ]);
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

  test('keeps connections for the mails that come next, as many as are set, and has new ones for other settings', async () => {
    const connections: string[] = [];
    mailServer = await startMailServer({
      onConnect: ({ id }, done) => {
        connections.push(id);
        done();
      },
    });
    await save({ ...secure, connections: 2 });
    await mailer.send(mail);
    await mailer.send(mail);
    expect(connections).toHaveLength(1);
    await Promise.all(Array.from({ length: 8 }, () => mailer.send(mail)));
    expect(connections).toHaveLength(2);
    await save({ ...secure, fromName: 'Others' });
    await mailer.send(mail);
    expect(connections).toHaveLength(3);
    expect(mailServer.received).toHaveLength(11);
    expect(mailServer.received.at(-1)?.content).toContain('From: Others <tables@example.com>');
  });

  test('signs mails by a key of the domain where one is set, and refuses half of what it takes', async () => {
    mailServer = await startMailServer();
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    await save({ ...base, dkimSelector: 'tables', dkimKey: pair.privateKey });
    await mailer.send(mail);
    await save({ ...base, dkimSelector: 'tables', dkimDomain: 'mail.example.com', dkimKey: pair.privateKey });
    await mailer.send(mail);
    const [first = '', second = ''] = mailServer.received.map(({ content }) => content);
    expect(dkimOf(first, pair.publicKey)).toEqual({
      domain: 'example.com',
      selector: 'tables',
      isRight: true,
    });
    expect(dkimOf(second, pair.publicKey)).toMatchObject({ domain: 'mail.example.com', isRight: true });
    expect(dkimOf(first.replace('Hello', 'Hallo'), pair.publicKey)).toMatchObject({ isRight: false });

    const stored = await boss.get<{ readonly values: object }>(path);
    expect(JSON.stringify(stored.body)).not.toContain('PRIVATE KEY');
    const elliptic = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    for (const [values, code] of [
      [{ dkimSelector: 'tables', dkimKey: 'no key' }, 'SMTP_DKIM_KEY'],
      [{ dkimSelector: 'tables', dkimKey: elliptic.privateKey }, 'SMTP_DKIM_KEY'],
      [{ dkimSelector: 'tables' }, 'SMTP_DKIM_NO_KEY'],
      [{ dkimKey: pair.privateKey }, 'SMTP_DKIM_NO_SELECTOR'],
    ] as const)
      expect(await boss.put(path, settings({ ...base, ...values }))).toMatchObject({
        status: 400,
        body: { code },
      });
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
