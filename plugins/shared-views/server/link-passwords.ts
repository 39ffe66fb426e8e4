import { createHmac, randomBytes } from 'node:crypto';
import type { PasswordHasher, RateLimiter } from '@trellis/sdk/server';
import { linkErrors } from './link-errors.ts';
import type { ViewLink } from './links.ts';

/** How long, in milliseconds, and how many correct passwords are remembered, since hashing one takes longer than a page of rows. */
const rememberedFor = 10 * 60_000;
const mostRemembered = 1000;
const minimum = 4;
const maximum = 256;
/** What browsers can send in a header: printable Latin-1, without leading and trailing spaces, which are removed in transit. */
const inHeader = /^[\x21-\x7e\xa1-\xff](?:[\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa1-\xff])?$/;
const windowSeconds = 15 * 60;
const triesOfAddress = { name: 'shared-view-address', limit: 10, windowSeconds };
const triesOfLink = { name: 'shared-view-link', limit: 200, windowSeconds };

/** Passwords of links: hashed like those of accounts, with a limit of tries for each link and each address. */
export class LinkPasswords {
  readonly #deps: { readonly hasher: PasswordHasher; readonly limiter: RateLimiter };
  readonly #key = randomBytes(32);
  /** When a correct password must be hashed again, whoever sends it. */
  readonly #right = new Map<string, number>();
  /** When an address that knows a password must be counted again. */
  readonly #knowing = new Map<string, number>();
  /** The running hashes: the same password for the same link is one try, however many send it at the same time. */
  readonly #hashed = new Map<string, Promise<void>>();
  /** The running counts: concurrent calls of a page are one try of their address. */
  readonly #counted = new Map<string, Promise<void>>();
  /** Until when an address's tries are checked first, even for a correct password, since it may be guessing. */
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
    const sent = createHmac('sha256', this.#key)
      .update(JSON.stringify([uuid, passwordHash, password]))
      .digest('base64');
    const knowing = `${sent} ${ip}`;
    if (isRemembered(this.#knowing, knowing) && !isRemembered(this.#guessing, ip)) {
      remember(this.#knowing, knowing, rememberedFor);
      return;
    }
    await together(this.#counted, knowing, () => this.#countAddress(ip));
    // A person with the password uses up none of the link's tries, however many know it.
    if (!isRemembered(this.#right, sent))
      await together(this.#hashed, sent, () => this.#verify({ uuid, passwordHash, password }));
    remember(this.#right, sent, rememberedFor);
    remember(this.#knowing, knowing, rememberedFor);
  }

  /** @throws TrellisError 429 for an address with too many tries, whatever it sends. */
  async #countAddress(ip: string): Promise<void> {
    try {
      await this.#deps.limiter.consume(triesOfAddress, { address: ip });
    } catch (error) {
      remember(this.#guessing, ip, windowSeconds * 1000);
      throw error;
    }
    this.#guessing.delete(ip);
  }

  async #verify(of: {
    readonly uuid: string;
    readonly passwordHash: string;
    readonly password: string;
  }): Promise<void> {
    const { hasher, limiter } = this.#deps;
    await limiter.consume(triesOfLink, of.uuid);
    if (!(await hasher.verify(of.password, of.passwordHash)))
      throw linkErrors.create('INVALID_SHARED_VIEW_PASSWORD');
  }
}

/** Concurrent calls with the same key share the work. */
async function together(
  running: Map<string, Promise<void>>,
  key: string,
  work: () => Promise<void>,
): Promise<void> {
  const going = running.get(key) ?? work().finally(() => running.delete(key));
  running.set(key, going);
  await going;
}

function isRemembered(known: ReadonlyMap<string, number>, key: string): boolean {
  return (known.get(key) ?? 0) > Date.now();
}

/** @param time milliseconds */
function remember(known: Map<string, number>, key: string, time: number): void {
  if (known.size >= mostRemembered && !known.has(key)) known.clear();
  known.set(key, Date.now() + time);
}
