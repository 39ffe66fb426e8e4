import { defineMailService, mailbox, type MailServiceSettings } from '@trellis/sdk/server';

/* Postmark's description of its API: https://postmarkapp.com/developer/api/email-api */

const headers = ({ token = '' }: MailServiceSettings) => ({
  accept: 'application/json',
  'content-type': 'application/json',
  'x-postmark-server-token': token,
});
const at = ({ server = '' }: MailServiceSettings, path: string) => `${server.replace(/\/+$/, '')}${path}`;

/** Its error codes: https://postmarkapp.com/developer/api/overview#error-codes */
const problems: Readonly<Record<number, 'key' | 'sender' | 'recipient' | 'paused'>> = {
  10: 'key',
  400: 'sender',
  401: 'sender',
  405: 'paused',
  406: 'recipient',
  412: 'recipient',
  413: 'paused',
};
const codeOf = (answer: unknown) =>
  Number((answer as { readonly ErrorCode?: unknown } | undefined)?.ErrorCode);

export default defineMailService({
  id: 'postmark',
  label: 'Postmark',
  needs: { token: 'server token', from: "sender's address", server: 'server' },
  send: ({ to, subject, text, html, replyTo, attachments = [] }, settings) => ({
    method: 'POST',
    url: at(settings, '/email'),
    headers: headers(settings),
    body: JSON.stringify({
      From: mailbox(settings['fromName'] ?? '', settings['from'] ?? ''),
      To: to.join(', '),
      Subject: subject,
      TextBody: text,
      ...(html !== undefined && { HtmlBody: html }),
      ...(replyTo !== undefined && { ReplyTo: replyTo }),
      MessageStream: settings['stream'] || 'outbound',
      // Links of letters give access, so nobody else may redirect them.
      TrackOpens: false,
      TrackLinks: 'None',
      ...(attachments.length > 0 && {
        Attachments: attachments.map(({ name, type, content }) => ({
          Name: name,
          Content: Buffer.from(content).toString('base64'),
          ContentType: type,
        })),
      }),
    }),
  }),
  check: (settings) => ({ method: 'GET', url: at(settings, '/server'), headers: headers(settings) }),
  problemOf: ({ status, answer }) => (status === 422 ? problems[codeOf(answer)] : undefined),
  codeOf: ({ answer }) => codeOf(answer),
});
