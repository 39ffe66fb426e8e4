import { lookup as lookUpByDns } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import type { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';
import { defineErrors } from '@trellis/core';
import type {
  Outbound,
  OutboundAnswer,
  OutboundCall,
  OutboundRequest,
  OutboundStream,
  OutboundTarget,
} from '@trellis/sdk/server';
import { outboundFetch, outboundOpen } from './outbound-fetch.ts';
import { addressKind, isInRanges, toRanges } from './address-kind.ts';

const outboundErrors = defineErrors({
  OUTBOUND_REFUSED: {
    status: 400,
    message:
      "The host '{host}' is on a private or reserved address. The operator can allow it with TRELLIS_OUTBOUND_ALLOW.",
  },
  OUTBOUND_OWN: {
    status: 400,
    message: "The host '{host}' with the port {port} is this server itself, which calls itself for nobody.",
  },
  OUTBOUND_HOST_UNKNOWN: { status: 400, message: "The host '{host}' is not known." },
});

const LOOK_UP_MS = 5000;

export interface HostOutboundOptions {
  /** Private addresses and ranges that are allowed: `TRELLIS_OUTBOUND_ALLOW`. */
  readonly allow: readonly string[];
  /** The port of this server; undefined before it listens. The server must not be made to call itself, whatever is allowed. */
  readonly ownPort?: () => number | undefined;
  /** Resolves a name; the system's resolver by default. */
  readonly lookUp?: (host: string) => Promise<readonly LookupAddress[]>;
}

/** See `Outbound`. Only addresses from the resolver are checked, never the text of a host, whose spelling may deceive. */
export class HostOutbound implements Outbound {
  readonly #allowed: BlockList;
  readonly #ownPort: () => number | undefined;
  readonly #lookUp: (host: string) => Promise<readonly LookupAddress[]>;

  constructor(options: HostOutboundOptions) {
    this.#allowed = toRanges(options.allow);
    this.#ownPort = options.ownPort ?? (() => undefined);
    this.#lookUp = options.lookUp ?? ((host) => lookUpByDns(host, { all: true, verbatim: true }));
  }

  async resolve(host: string, port: number, request: OutboundRequest): Promise<OutboundTarget> {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw refused(host);
    const found = await this.#addressesOf(host.replace(/^\[(.*)\]$/, '$1'));
    // A name with both a public and a private address is an attempt to evade the check.
    if (found.some(({ address }) => !this.#mayReach(address, request))) throw refused(host);
    if (port === this.#ownPort() && found.some(({ address }) => isOwn(address)))
      throw outboundErrors.create('OUTBOUND_OWN', { host, port });
    const [first] = found;
    if (first === undefined) throw outboundErrors.create('OUTBOUND_HOST_UNKNOWN', { host });
    return { address: first.address, family: first.family === 6 ? 6 : 4 };
  }

  fetch(url: string, call: OutboundCall): Promise<OutboundAnswer> {
    return outboundFetch(url, call, (host, port, request) => this.resolve(host, port, request));
  }

  open(url: string, call: OutboundCall): Promise<OutboundStream> {
    return outboundOpen(url, call, (host, port, request) => this.resolve(host, port, request));
  }

  #mayReach(address: string, { isSetBySuperAdmin }: OutboundRequest): boolean {
    const kind = addressKind(address);
    if (kind === 'public' || isInRanges(this.#allowed, address)) return true;
    return kind === 'private' && isSetBySuperAdmin === true;
  }

  async #addressesOf(host: string): Promise<readonly LookupAddress[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<readonly LookupAddress[]>((resolve) => {
      timer = setTimeout(() => resolve([]), LOOK_UP_MS).unref();
    });
    try {
      return await Promise.race([this.#lookUp(host), late]);
    } catch (error) {
      throw outboundErrors.create('OUTBOUND_HOST_UNKNOWN', { host }, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether an address is one of this machine. */
function isOwn(address: string): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map((one) => one.address.split('%')[0] ?? ''),
  );
  return isInRanges(toRanges(['127.0.0.0/8', '::1', ...addresses]), address);
}

function refused(host: string): Error {
  return outboundErrors.create('OUTBOUND_REFUSED', { host });
}
