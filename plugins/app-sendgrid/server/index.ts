import { defineMailService, type MailServiceSettings } from '@trellis/sdk/server';

/* SendGrid's description of its API: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */

const headers = ({ key = '' }: MailServiceSettings) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});
const at = ({ server = '' }: MailServiceSettings, path: string) => `${server.replace(/\/+$/, '')}${path}`;

/** The first invalid field. */
function wrongField(answer: unknown): string {
  const { errors } = (answer ?? {}) as { readonly errors?: unknown };
  const [first] = Array.isArray(errors) ? (errors as readonly { readonly field?: unknown }[]) : [];
  return typeof first?.field === 'string' ? first.field : '';
}

export default defineMailService({
  id: 'sendgrid',
  label: 'SendGrid',
  needs: { key: 'API key', from: "sender's address", server: 'server' },
  send: ({ to, subject, text, html, replyTo, attachments = [] }, settings) => ({
    method: 'POST',
    url: at(settings, '/v3/mail/send'),
    headers: headers(settings),
    body: JSON.stringify({
      personalizations: [{ to: to.map((email) => ({ email })) }],
      from: { email: settings['from'], ...(settings['fromName'] && { name: settings['fromName'] }) },
      ...(replyTo !== undefined && { reply_to: { email: replyTo } }),
      subject,
      content: [
        { type: 'text/plain', value: text },
        ...(html === undefined ? [] : [{ type: 'text/html', value: html }]),
      ],
      ...(attachments.length > 0 && {
        attachments: attachments.map(({ name, type, content }) => ({
          content: Buffer.from(content).toString('base64'),
          filename: name,
          type,
          disposition: 'attachment',
        })),
      }),
      // Links of letters give access, so nobody else may redirect them.
      tracking_settings: {
        click_tracking: { enable: false, enable_text: false },
        open_tracking: { enable: false },
      },
    }),
  }),
  check: (settings) => ({ method: 'GET', url: at(settings, '/v3/scopes'), headers: headers(settings) }),
  objection(answer) {
    const { scopes } = (answer ?? {}) as { readonly scopes?: unknown };
    return Array.isArray(scopes) && scopes.includes('mail.send') ? undefined : 'key';
  },
  problemOf({ status, answer }) {
    const field = wrongField(answer);
    if (field === 'from' || field.startsWith('from.')) return 'sender';
    if (status === 400 && field.startsWith('personalizations')) return 'recipient';
    return undefined;
  },
  codeOf: ({ answer }) => wrongField(answer).replaceAll(/\W+/g, '_'),
});
