import { createHmac, randomBytes } from 'node:crypto';
import type { PasswordHasher, RateLimiter } from '@trellis/sdk/server';
import { linkErrors } from './link-errors.ts';
import type { ViewLink } from './links.ts';

/** Passwords that were right are remembered for so long and so many, since hashing one takes longer than a page of rows. Milliseconds. */
const rememberedFor = 10 * 60_000;
const mostRemembered = 1000;
const minimum = 4;
const maximum = 256;
/** What browsers send in a header: printable Latin-1, without spaces at the ends, which are cut off on the way. */
const inHeader = /^[\x21-\x7e\xa1-\xff](?:[\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa1-\xff])?$/;
const windowSeconds = 15 * 60;
const triesOfAddress = { name: 'shared-view-address', limit: 10, windowSeconds };
const triesOfLink = { name: 'shared-view-link', limit: 200, windowSeconds };

/** Passwords of links: hashed as those of accounts, with a limit of tries for each link and each address. */
export class LinkPasswords {
  readonly #deps: { readonly hasher: PasswordHasher; readonly limiter: RateLimiter };
  readonly #key = randomBytes(32);
  readonly #right = new Map<string, number>();

  constructor(deps: { readonly hasher: PasswordHasher; readonly limiter: RateLimiter }) {
    this.#deps = deps;
  }

  hash(password: string): Promise<string> {
    if (password.length < minimum || password.length > maximum)
      throw linkErrors.create('SHARED_VIEW_PASSWORD_LENGTH', { minimum, maximum });
    if (!inHeader.test(password)) throw linkErrors.create('SHARED_VIEW_PASSWORD_LETTERS');
    return this.#deps.hasher.hash(password);
  }

  /** @throws TrellisError 403 for a wrong password, 429 after too many tries. */
  async check({ uuid, passwordHash }: ViewLink, password: string | undefined, ip: string): Promise<void> {
    if (passwordHash === undefined) return;
    if (password === undefined || password === '' || password.length > maximum)
      throw linkErrors.create('INVALID_SHARED_VIEW_PASSWORD');
    const known = createHmac('sha256', this.#key)
      .update(JSON.stringify([uuid, passwordHash, password]))
      .digest('base64');
    if ((this.#right.get(known) ?? 0) > Date.now()) return;
    await this.#deps.limiter.consume(triesOfAddress, { address: ip });
    await this.#deps.limiter.consume(triesOfLink, uuid);
    if (!(await this.#deps.hasher.verify(password, passwordHash)))
      throw linkErrors.create('INVALID_SHARED_VIEW_PASSWORD');
    if (this.#right.size >= mostRemembered) this.#right.clear();
    this.#right.set(known, Date.now() + rememberedFor);
  }
}
