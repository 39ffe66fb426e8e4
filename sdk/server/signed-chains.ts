import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from './services.ts';

/** Names the webhooks and automations that led to a request, signed; a receiver sends it back with what it writes because of it. @public */
export const chainHeader = 'x-trellis-chain';
/** Under it the webhooks and automations that led to changes are kept with these, see `ChangeMarks.hold`: their ids with a `.` between them. @public */
export const chainMark = 'chain';
/** Ids in a chain: more of them than a mark holds lead nowhere. @public */
export const longestSignedChain = 40;

/** Signs chains and reads them, so that nobody stops a webhook or an automation by a chain that it never was in. @public */
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

  /** Empty for a text that was not written here. */
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
