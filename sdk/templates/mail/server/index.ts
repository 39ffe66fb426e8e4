import { defineMailService, type MailServiceCall, type MailServiceSettings } from '@trellis/sdk/server';

function call(settings: MailServiceSettings, path: string, body: object): MailServiceCall {
  const { endpoint = '', apiKey = '' } = settings;
  return {
    method: 'POST',
    url: `${endpoint}${path}`,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

// An adapter of mail and the Test button of the settings; what the service answers is put into words that hold no secret.
export default defineMailService({
  id: 'my-plugin',
  label: 'My plugin',
  needs: { endpoint: 'address', apiKey: 'API key', from: "sender's address" },
  send: ({ to, subject, text, html }, settings) =>
    call(settings, '/send', { from: settings['from'], to, subject, text, html }),
  // It is answered well if mail could be sent, and sends none.
  check: (settings) => call(settings, '/verify', {}),
});
