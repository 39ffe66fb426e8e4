import { createPrivateKey } from 'node:crypto';
import { badDkimKey, dkimWithoutKey, dkimWithoutSelector } from './smtp-errors.ts';

/** How mails are signed, so that receivers can verify the domain. */
export interface DkimSettings {
  readonly domain: string;
  readonly selector: string;
  /** PEM of a private RSA key. */
  readonly key: string;
}

/** The settings that `plugin.json` describes. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user: string;
  readonly password: string;
  readonly from: string;
  readonly fromName: string;
  readonly acceptsAnyCertificate: boolean;
  /** The number of concurrent connections. */
  readonly connections: number;
  /** Undefined if mails are not signed. */
  readonly dkim: DkimSettings | undefined;
}

/** The settings, with the default port if none is set; empty texts for missing ones. */
export function readSettings(values: Readonly<Record<string, unknown>>): SmtpSettings {
  const text = (key: string): string => (typeof values[key] === 'string' ? values[key].trim() : '');
  const security =
    values['security'] === 'tls' || values['security'] === 'none' ? values['security'] : 'starttls';
  const port = typeof values['port'] === 'number' ? values['port'] : security === 'tls' ? 465 : 587;
  const { connections } = values;
  return {
    host: text('host'),
    port,
    security,
    user: text('user'),
    password: typeof values['password'] === 'string' ? values['password'] : '',
    from: text('from'),
    fromName: text('fromName'),
    acceptsAnyCertificate: values['acceptsAnyCertificate'] === true,
    connections: typeof connections === 'number' ? connections : 3,
    dkim: dkimIn(text),
  };
}

function dkimIn(text: (key: string) => string): DkimSettings | undefined {
  const key = text('dkimKey');
  const selector = text('dkimSelector');
  const domain = text('dkimDomain') || (text('from').split('@')[1] ?? '');
  return key === '' || selector === '' || domain === '' ? undefined : { domain, selector, key };
}

/**
 * @throws TrellisError `SMTP_DKIM_...` if the signing settings are incomplete or the key is invalid, since mails would go out
 *   unsigned.
 */
export function checkDkim(values: Readonly<Record<string, unknown>>): void {
  const has = (key: string): boolean => typeof values[key] === 'string' && values[key].trim() !== '';
  if (has('dkimKey') && !has('dkimSelector')) throw dkimWithoutSelector();
  if (has('dkimSelector') && !has('dkimKey')) throw dkimWithoutKey();
  const { dkim } = readSettings(values);
  if (dkim !== undefined && !isRsaKey(dkim.key)) throw badDkimKey();
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

/** Whether mail can be sent: the server and the sender are set. */
export function isComplete({ host, from }: SmtpSettings): boolean {
  return host !== '' && from !== '';
}
