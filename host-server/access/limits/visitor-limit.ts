import { addressRange, type RateLimiter, type VisitorLimit } from '@trellis/sdk/server';

/** Calls that are counted at once: a page that is opened makes some forty, and counting is a write. */
const bundle = 100;
/** Bundles of calls that one address makes as a visitor: some 300 openings a minute, since many people may share it. */
const bundlesOfAddress = { name: 'visits', limit: 120, windowSeconds: 60 };
/** Exports of one address, which may be that of many people: each reads up to as many rows as visitors are given. */
const exportsOfAddress = { name: 'visitor-exports', limit: 300, windowSeconds: 600 };
/** Addresses that are remembered; the bundles of all are forgotten beyond. */
const mostAddresses = 10_000;

interface Bundle {
  calls: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** How often one address calls by links, whichever they are: for all servers together, in bundles of calls. */
export class BundledVisits implements VisitorLimit {
  readonly #limiter: RateLimiter;
  readonly #left = new Map<string, Bundle>();
  readonly #bought = new Map<string, Promise<void>>();

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter;
  }

  async take(ip: string): Promise<void> {
    const address = addressRange(ip);
    while (!this.#takeOne(address)) await this.#buy(address);
  }

  async takeExport(ip: string): Promise<void> {
    await this.#limiter.consume(exportsOfAddress, { address: addressRange(ip) });
  }

  #takeOne(address: string): boolean {
    const left = this.#left.get(address);
    if (left === undefined || left.calls === 0 || left.until <= Date.now()) return false;
    left.calls -= 1;
    return true;
  }

  /** Calls that come together buy one bundle. */
  async #buy(address: string): Promise<void> {
    const going =
      this.#bought.get(address) ??
      this.#limiter
        .consume(bundlesOfAddress, { address })
        .then(() => this.#keep(address))
        .finally(() => this.#bought.delete(address));
    this.#bought.set(address, going);
    await going;
  }

  #keep(address: string): void {
    if (this.#left.size >= mostAddresses && !this.#left.has(address)) this.#left.clear();
    this.#left.set(address, { calls: bundle, until: Date.now() + bundlesOfAddress.windowSeconds * 1000 });
  }
}
