import { defineMailService, mailbox, type MailMessage, type MailServiceSettings } from '@trellis/sdk/server';

/* Mailgun's description of its API: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages */

/** A form with the mail; in test mode it is validated like any other but not delivered. */
async function post(message: MailMessage, settings: MailServiceSettings, isTest: boolean) {
  const { to, subject, text, html, replyTo, attachments = [] } = message;
  const { server = '', domain = '', key = '', from = '', fromName = '' } = settings;
  const form = new FormData();
  form.set('from', mailbox(fromName, from));
  for (const address of to) form.append('to', address);
  form.set('subject', subject);
  form.set('text', text);
  if (html !== undefined) form.set('html', html);
  if (replyTo !== undefined) form.set('h:Reply-To', replyTo);
  // Links of letters give access, so nobody else may redirect them.
  form.set('o:tracking', 'no');
  if (isTest) form.set('o:testmode', 'yes');
  for (const { name, type, content } of attachments)
    form.append('attachment', new Blob([Uint8Array.from(content)], { type }), name);
  const encoded = new Response(form);
  return {
    method: 'POST' as const,
    url: `${server.replace(/\/+$/, '')}/v3/${encodeURIComponent(domain)}/messages`,
    headers: {
      authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

function messageIn(answer: unknown): string {
  const { message } = (answer ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : '';
}

export default defineMailService({
  id: 'mailgun',
  label: 'Mailgun',
  needs: { key: 'API key', domain: 'domain', from: "sender's address", server: 'server' },
  send: (message, settings) => post(message, settings, false),
  // A key may be limited to sending, so the test uses the sending call.
  check: (settings) => post({ to: [settings['from'] ?? ''], subject: 'Test', text: 'Test' }, settings, true),
  problemOf({ status, answer }) {
    // There are no error codes, and an unknown domain is the most frequent mistake.
    const said = messageIn(answer);
    if (status === 404 || /\b(?:domain|'from')\b/i.test(said)) return 'sender';
    if (/authorized recipients|'to'/i.test(said)) return 'recipient';
    if (/disabled|suspended|probation/i.test(said)) return 'paused';
    return undefined;
  },
});
