import {
  defineMailService,
  mailbox,
  sha256Hex,
  signedAwsHeaders,
  type MailServiceCall,
  type MailServiceProblem,
  type MailServiceRefusal,
  type MailServiceSettings,
} from '@trellis/sdk/server';

/* Amazon's description of the API: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */

function signed(
  settings: MailServiceSettings,
  { method, path, body }: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string },
): MailServiceCall {
  const { region = '', endpoint = '', access_key: accessKey = '', access_secret: secretKey = '' } = settings;
  const url = new URL(path, endpoint || `https://email.${region}.amazonaws.com`);
  const headers = signedAwsHeaders(
    {
      method,
      url,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      bodyHash: sha256Hex(body ?? ''),
      at: new Date(),
    },
    { accessKey, secretKey, region, service: 'ses' },
  );
  return { method, url: url.href, headers, ...(body !== undefined && { body }) };
}

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/** `MessageRejected` of `MessageRejected:http://internal.amazon.com/...`. */
function errorType({ headers, answer }: MailServiceRefusal): string {
  const { __type: type } = (answer ?? {}) as { readonly __type?: unknown };
  const named = headers['x-amzn-errortype'] ?? (typeof type === 'string' ? type : '');
  return named.replace(/^.*#/, '').replace(/:.*$/, '');
}

const problems: Readonly<Record<string, MailServiceProblem>> = {
  AccessDeniedException: 'key',
  InvalidClientTokenId: 'key',
  InvalidSignatureException: 'key',
  MissingAuthenticationTokenException: 'key',
  SignatureDoesNotMatch: 'key',
  UnrecognizedClientException: 'key',
  MailFromDomainNotVerifiedException: 'sender',
  NotFoundException: 'sender',
  // In an account's sandbox, recipients must be verified as well; only the text tells which of the two it was.
  MessageRejected: 'sender',
  AccountSuspendedException: 'paused',
  SendingPausedException: 'paused',
  LimitExceededException: 'busy',
  TooManyRequestsException: 'busy',
  ThrottlingException: 'busy',
  RequestTimeTooSkewed: 'clock',
  RequestExpired: 'clock',
};

export default defineMailService({
  id: 'ses',
  label: 'Amazon SES',
  needs: {
    region: 'region',
    access_key: 'access key',
    access_secret: 'secret key',
    from: "sender's address",
  },
  send: ({ to, subject, text, html, replyTo, attachments = [] }, settings) =>
    signed(settings, {
      method: 'POST',
      path: '/v2/email/outbound-emails',
      body: JSON.stringify({
        FromEmailAddress: mailbox(settings['fromName'] ?? '', settings['from'] ?? ''),
        Destination: { ToAddresses: to },
        ...(replyTo !== undefined && { ReplyToAddresses: [replyTo] }),
        ...(settings['configuration_set'] && { ConfigurationSetName: settings['configuration_set'] }),
        Content: {
          Simple: {
            Subject: utf8(subject),
            Body: { Text: utf8(text), ...(html !== undefined && { Html: utf8(html) }) },
            ...(attachments.length > 0 && {
              Attachments: attachments.map(({ name, type, content }) => ({
                FileName: name.slice(0, 255),
                ContentType: type,
                ContentDisposition: 'ATTACHMENT',
                ContentTransferEncoding: 'BASE64',
                RawContent: Buffer.from(content).toString('base64'),
              })),
            }),
          },
        },
      }),
    }),
  check: (settings) => signed(settings, { method: 'GET', path: '/v2/email/account' }),
  objection: (answer) =>
    (answer as { readonly SendingEnabled?: unknown } | undefined)?.SendingEnabled === false
      ? 'paused'
      : undefined,
  problemOf: (refusal) => problems[errorType(refusal)],
  codeOf: errorType,
});
