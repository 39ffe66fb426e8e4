import { addressRange, type RateLimiter, type VisitorLimit } from '@trellis/sdk/server';

/** Calls that are counted together: opening a page makes about forty, and counting is a write. */
const bundle = 100;
/** Bundles of calls per address for visitors: about 300 page openings a minute, since many people may share an address. */
const bundlesOfAddress = { name: 'visits', limit: 120, windowSeconds: 60 };
/** Exports per address, which many people may share: each reads up to as many rows as visitors may get. */
const exportsOfAddress = { name: 'visitor-exports', limit: 300, windowSeconds: 600 };
/** The most remembered addresses; beyond that, the bundles of all are dropped. */
const mostAddresses = 10_000;

interface Bundle {
  calls: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Limits how often one address calls by links of any kind: across all servers, in bundles of calls. */
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

  /** Concurrent calls take one bundle. */
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
