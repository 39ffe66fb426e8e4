import type { Readable } from 'node:stream';
import { createToken } from '../shared/index.ts';

/** Why the server connects to somewhere. @public */
export interface OutboundRequest {
  /** For messages and logs: `database`, `mail`, `webhook`, `upload by address` ... */
  readonly purpose: string;
  /**
   * The host was set by a super admin for a database or a mail server, which self-hosters keep on private addresses: private,
   * shared and loopback addresses are then allowed. Link-local ones, where clouds keep their metadata, never are. A redirect to
   * another server is not covered.
   */
  readonly isSetBySuperAdmin?: boolean;
}

/** An address that passed the gate. Connect to this very address; the name stays what TLS verifies. @public */
export interface OutboundTarget {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * The gate through which every connection to a host that somebody typed in must pass. Ask again for each connection and for
 * each redirect: what a name points to can change between two look-ups.
 * @public
 */
export interface Outbound {
  /**
   * Looks `host` up once and checks each of its addresses. Throws 400 `OUTBOUND_REFUSED` when one of them is private or
   * reserved and not listed in `TRELLIS_OUTBOUND_ALLOW`, 400 `OUTBOUND_HOST_UNKNOWN` when there is none, and 400 `OUTBOUND_OWN` for the port on
   * which this server listens itself, whatever is allowed.
   */
  resolve(host: string, port: number, request: OutboundRequest): Promise<OutboundTarget>;
  /**
   * Calls an address by HTTP through the gate: each host on the way, redirects included, is looked up once, checked, and connected
   * to by the address that was checked. Throws what `resolve` throws, 400 `OUTBOUND_ADDRESS` for what is no http(s) address, 502
   * `OUTBOUND_FAILED`, 504 `OUTBOUND_TIMEOUT`, 502 `OUTBOUND_TOO_LARGE`, 502 `OUTBOUND_REDIRECTS`, 502 `OUTBOUND_ELSEWHERE` where a
   * redirect would give the body to another origin, 502 `OUTBOUND_LOST` for what `mustArrive` refuses. A status of 400 and more is an answer, not an error.
   */
  fetch(url: string, call: OutboundCall): Promise<OutboundAnswer>;
  /**
   * The same for an answer that is not held in memory: its body is read as it arrives, within the time of the call and up to its limit.
   * Whoever opens it reads `stream` to its end or destroys it. The stream fails with what `fetch` throws.
   */
  open(url: string, call: OutboundCall): Promise<OutboundStream>;
}

/** A call by HTTP. @public */
export interface OutboundCall extends OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** A redirect to another origin keeps `accept`, `accept-*`, `content-*` and `user-agent` alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * A stream is sent as it arrives and is destroyed where the call fails; one that fails fails the call with its own error, and a
   * redirect that would need it again with 502 `OUTBOUND_ONCE`.
   */
  readonly body?: string | Uint8Array | Readable;
  /**
   * The other side may get the request twice: it knows a repetition, as by an id. The call may then go over a connection that was kept
   * from an earlier one, and is sent once more where that one turns out to be closed. Of no effect with a stream.
   */
  readonly mayRepeat?: boolean;
  /** Milliseconds for all of it. Default 30 seconds. */
  readonly timeoutMs?: number;
  /** Bytes of the answer's body. Default 10 MB. */
  readonly limit?: number;
  /** Redirects that are followed. Default 5. */
  readonly redirects?: number;
  /**
   * The call brings a message to its receiver: what is answered behind a redirect that drops the method, the body or a header says nothing of
   * whether it arrived. Only 307 and 308 to the same origin are then followed; any other redirect fails with 502 `OUTBOUND_LOST`.
   */
  readonly mustArrive?: boolean;
  readonly signal?: AbortSignal;
}

/** What was answered. @public */
export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}
/** What was answered, with its body still to come. @public */
export interface OutboundStream extends Omit<OutboundAnswer, 'body'> {
  readonly stream: Readable;
}
/** The gate for connections that the server makes. @public */
export const OutboundToken = createToken<Outbound>('outbound');
