import { defineErrors, TrellisError } from '@trellis/sdk/shared';

const smtpErrors = defineErrors({
  SMTP_INCOMPLETE: { status: 400, message: "The mail server's name and the sender's address are missing." },
  SMTP_UNREACHABLE: { status: 502, message: 'The mail server does not answer at {host}, port {port}.' },
  SMTP_SIGN_IN: { status: 502, message: 'The mail server does not accept the user name and the password.' },
  SMTP_TLS: {
    status: 502,
    message:
      'No secure connection to the mail server could be made: its certificate, or the choice under Security, is not right.',
  },
  SMTP_DKIM_KEY: {
    status: 400,
    message:
      'The DKIM key is no private RSA key: it begins with -----BEGIN PRIVATE KEY----- and has no password.',
  },
  SMTP_DKIM_NO_KEY: { status: 400, message: 'Mails are signed by a DKIM key, which is missing.' },
  SMTP_DKIM_NO_SELECTOR: {
    status: 400,
    message: 'The DKIM key has no selector, by which receivers find it.',
  },
  SMTP_REFUSED: { status: 502, message: 'The mail server refused the mail (code {code}).' },
});

const kinds: Readonly<Record<string, 'SMTP_UNREACHABLE' | 'SMTP_SIGN_IN' | 'SMTP_TLS'>> = {
  EAUTH: 'SMTP_SIGN_IN',
  ENOAUTH: 'SMTP_SIGN_IN',
  ETLS: 'SMTP_TLS',
  ECONNECTION: 'SMTP_UNREACHABLE',
  ETIMEDOUT: 'SMTP_UNREACHABLE',
  EDNS: 'SMTP_UNREACHABLE',
  ESOCKET: 'SMTP_UNREACHABLE',
};

export function incomplete(): TrellisError {
  return smtpErrors.create('SMTP_INCOMPLETE');
}

export const badDkimKey = (): TrellisError => smtpErrors.create('SMTP_DKIM_KEY');
export const dkimWithoutKey = (): TrellisError => smtpErrors.create('SMTP_DKIM_NO_KEY');
export const dkimWithoutSelector = (): TrellisError => smtpErrors.create('SMTP_DKIM_NO_SELECTOR');

/**
 * The text for a connection error: one of a few fixed sentences, never the other side's answer, since a person who sets the server
 * could otherwise read what any server there returns.
 */
export function toSmtpError(
  error: unknown,
  at: { readonly host: string; readonly port: number },
): TrellisError {
  if (error instanceof TrellisError) return error;
  const {
    code = '',
    responseCode,
    message = '',
  } = error as {
    readonly code?: string;
    readonly responseCode?: number;
    readonly message?: string;
  };
  if (/certificate|ssl|tls|wrong version number/i.test(message) && code !== 'EAUTH')
    return smtpErrors.create('SMTP_TLS', {}, error);
  const kind = kinds[code];
  if (kind === 'SMTP_UNREACHABLE') return smtpErrors.create(kind, { host: at.host, port: at.port }, error);
  if (kind !== undefined) return smtpErrors.create(kind, {}, error);
  return smtpErrors.create('SMTP_REFUSED', { code: responseCode ?? 'unknown' }, error);
}
