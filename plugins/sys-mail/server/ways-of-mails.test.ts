import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Veto } from '@trellis/sdk/shared';
import type { MailChoice, MailMessage } from '@trellis/sdk/server';
import {
  askUntil,
  createTestServer,
  startSmtpRecorder,
  testPlugin,
  type SmtpRecorder,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';

/** What the plugin of the test says of each mail, and what it was asked. */
let say: (choice: MailChoice) => MailChoice | undefined = () => undefined;
const asked: [MailChoice, 'send' | 'verify'][] = [];
const pigeons: MailMessage[] = [];

const postmaster = testPlugin(
  'postmaster',
  (ctx) => {
    ctx.register('mailAdapters', {
      id: 'pigeon',
      label: 'Pigeons',
      order: 10,
      isConfigured: () => true,
      send: async (message) => void pigeons.push(message),
      verify: async () => {},
    });
    ctx.tap('mail.willSend', (choice, { what }) => {
      asked.push([choice, what]);
      return say(choice);
    });
  },
  { contributes: { mailAdapters: [{ id: 'pigeon' }], hooks: ['mail.willSend'] } },
);

let server: TestServer;
let boss: TestClient;
let recorder: SmtpRecorder;

beforeAll(async () => {
  recorder = await startSmtpRecorder();
  server = await createTestServer({
    plugins: [postmaster],
    env: { TRELLIS_SITE_URL: 'https://tables.example.com' },
  });
  boss = await server.signUp('boss@example.com');
  const input = { host: '127.0.0.1', port: recorder.port, security: 'none', from: 'tables@example.com' };
  const saved = await boss.put('/api/v1/app-store/plugins/app-smtp/settings', { input });
  expect(saved.status).toBe(200);
  // The one that asks whether the address is theirs.
  await askUntil(
    async () => pigeons.length,
    (count) => count === 1,
  );
  forget();
});
function forget(): void {
  say = () => undefined;
  asked.length = 0;
  pigeons.length = 0;
}
afterEach(forget);
afterAll(async () => {
  await server?.dispose();
  await recorder?.close();
});

/** How the mail went that invites somebody to this server. */
async function invite(email: string): Promise<unknown> {
  const { status, body } = await boss.post<{ mail: string }>('/api/v1/user-invitations', { email });
  expect(status).toBe(200);
  return body.mail;
}

/** Who got the next mail that the mail server was given. */
const receivers = async () => (await recorder.next()).to;

test('a mail goes by the first way that is set up where no plugin says another one, and arrives whole', async () => {
  expect(await invite('ann@example.com')).toBe('sent');
  const { from, to, content } = await recorder.next();
  expect([from, to]).toEqual(['tables@example.com', ['ann@example.com']]);
  expect(content.replaceAll(/=\r\n|3D/g, '')).toMatch(
    /https:\/\/tables\.example\.com\/#\/user\/authentication\/signup\/[0-9a-f-]{36}/,
  );
  expect(asked).toEqual([[{ ready: ['smtp', 'pigeon'] }, 'send']]);
  expect(pigeons).toEqual([]);
});

test('a plugin sends a mail another way, and each mail is asked about', async () => {
  say = (choice) => ({ ...choice, by: asked.length === 1 ? 'pigeon' : 'smtp' });
  expect([await invite('bob@example.com'), await invite('cho@example.com')]).toEqual(['sent', 'sent']);
  expect(pigeons.map(({ to }) => to)).toEqual([['bob@example.com']]);
  expect(await receivers()).toEqual(['cho@example.com']);
});

test('a way that is not set up is passed over', async () => {
  say = (choice) => ({ ...choice, by: 'nobody' });
  expect(await invite('dan@example.com')).toBe('sent');
  expect(await receivers()).toEqual(['dan@example.com']);
});

test('what a super admin chose is there when the plugin is asked, and the plugin has the last word', async () => {
  expect((await boss.put('/api/v1/mail/default', { sender: 'pigeon' })).status).toBe(200);
  expect(await invite('eva@example.com')).toBe('sent');
  expect(pigeons.map(({ to }) => to)).toEqual([['eva@example.com']]);
  expect(asked).toEqual([[{ ready: ['smtp', 'pigeon'], by: 'pigeon' }, 'send']]);
  say = (choice) => ({ ...choice, by: 'smtp' });
  expect(await invite('fay@example.com')).toBe('sent');
  expect(await receivers()).toEqual(['fay@example.com']);
  expect((await boss.put('/api/v1/mail/default', { sender: 'smtp' })).status).toBe(200);
});

test('a plugin keeps a mail from leaving, which waits and says why, and goes out once the plugin lets it', async () => {
  say = () => {
    throw new Veto('POSTMAN_AWAY', 'No mails on Sundays.');
  };
  expect(await invite('gil@example.com')).toBe('waiting');
  expect((await boss.get('/api/v1/mail')).body).toMatchObject({
    waiting: 1,
    problem: { code: 'POSTMAN_AWAY', msg: 'No mails on Sundays.' },
  });
  say = () => undefined;
  // Choosing what sends has what waits tried again.
  expect((await boss.put('/api/v1/mail/default', { sender: 'smtp' })).status).toBe(200);
  const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
  const job = server.host.registries.get('jobs').get('sys-mail.send');
  await job?.run({ signal: new AbortController().signal, logger: silent });
  expect(await receivers()).toEqual(['gil@example.com']);
  expect((await boss.get('/api/v1/mail')).body).toMatchObject({ waiting: 0, problem: null });
  // Nothing but that one was given to the mail server.
  expect(await invite('hal@example.com')).toBe('sent');
  expect(await receivers()).toEqual(['hal@example.com']);
  expect(pigeons).toEqual([]);
});
