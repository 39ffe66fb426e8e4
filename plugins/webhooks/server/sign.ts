import { createHmac } from 'node:crypto';
import type { SigningSecrets } from './hook-store.ts';

/**
 * The header by which a receiver verifies that a request comes from this server, is complete and is not an old one sent again:
 * `t=<seconds>,v1=<hex>`, the HMAC-SHA256 of `<seconds>.<body>`. For a day after a change of the secret there is a second `v1`,
 * with the former secret.
 */
export function signatureOf(secrets: SigningSecrets, body: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const { current, previous } = secrets;
  const keys = [current, ...(previous !== undefined && previous.until > now ? [previous.secret] : [])];
  const signed = keys.map(
    (key) => `v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`,
  );
  return [`t=${seconds}`, ...signed].join(',');
}
