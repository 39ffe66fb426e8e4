import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from './services.ts';

/**
 * The header with the signed ids of the webhooks and automations that led to a request; a receiver sends it back with the writes
 * that it makes because of it. @public
 */
export const chainHeader = 'x-trellis-chain';
/** The mark with the webhooks and automations that led to changes, see `ChangeMarks.hold`: their ids, separated by `.`. @public */
export const chainMark = 'chain';
/** The most ids in a chain, since a mark holds no more: a chain of that length starts nothing further. @public */
export const longestSignedChain = 40;

/** Signs and reads chains, so that nobody can stop a webhook or an automation with a forged chain. @public */
export class SignedChains {
  readonly #key: Uint8Array;

  constructor(secrets: Pick<Secrets, 'key'>) {
    this.#key = secrets.key('webhook-chain');
  }

  /** The text of the header. @param chain ids of webhooks and automations, the first one first */
  write(chain: readonly string[]): string {
    const ids = chain.slice(-longestSignedChain).join('.');
    return `${ids}.${this.#sign(ids)}`;
  }

  /** Empty for a text without a valid signature. */
  read(text: string | undefined): readonly string[] {
    const [, ids, signature] = /^([\w.]{1,900})\.([\w-]{22})$/.exec(text ?? '') ?? [];
    // Few calls have a chain, and a signature costs as much as many other steps of a write.
    if (ids === undefined || signature === undefined) return [];
    const own = Buffer.from(this.#sign(ids));
    const given = Buffer.from(signature);
    return given.length === own.length && timingSafeEqual(given, own) ? ids.split('.') : [];
  }

  #sign(ids: string): string {
    return createHmac('sha256', this.#key).update(ids).digest('base64url').slice(0, 22);
  }
}
