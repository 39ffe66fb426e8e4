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
  /** Until when an address need not be tried again that knows a password. */
  readonly #right = new Map<string, number>();
  /** What is tried at the moment: the calls of a page that come together are one try. */
  readonly #tried = new Map<string, Promise<void>>();
  /** Until when an address is asked for its tries first, also with a password that was right: it may be guessing. */
  readonly #guessing = new Map<string, number>();

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
      .update(JSON.stringify([uuid, passwordHash, password, ip]))
      .digest('base64');
    const now = Date.now();
    if ((this.#right.get(known) ?? 0) > now && (this.#guessing.get(ip) ?? 0) <= now)
      return remember(this.#right, known, now + rememberedFor);
    const tried = this.#tried.get(known) ?? this.#try({ uuid, passwordHash, password, ip });
    this.#tried.set(known, tried);
    try {
      await tried;
      remember(this.#right, known, Date.now() + rememberedFor);
    } finally {
      this.#tried.delete(known);
    }
  }

  async #try(of: {
    readonly uuid: string;
    readonly passwordHash: string;
    readonly password: string;
    readonly ip: string;
  }): Promise<void> {
    const { hasher, limiter } = this.#deps;
    try {
      await limiter.consume(triesOfAddress, { address: of.ip });
    } catch (error) {
      remember(this.#guessing, of.ip, Date.now() + windowSeconds * 1000);
      throw error;
    }
    this.#guessing.delete(of.ip);
    await limiter.consume(triesOfLink, of.uuid);
    if (!(await hasher.verify(of.password, of.passwordHash)))
      throw linkErrors.create('INVALID_SHARED_VIEW_PASSWORD');
  }
}

function remember(known: Map<string, number>, key: string, until: number): void {
  if (known.size >= mostRemembered && !known.has(key)) known.clear();
  known.set(key, until);
}
