import type { Readable } from 'node:stream';
import { createToken } from '../shared/index.ts';

/** The reason for a connection of the server. @public */
export interface OutboundRequest {
  /** For messages and logs: `database`, `mail`, `webhook`, `upload by address` ... */
  readonly purpose: string;
  /**
   * True if a super admin set the host, for a database or a mail server, which self-hosters have on private addresses: private,
   * shared and loopback addresses are then allowed. Link-local addresses, where clouds have their metadata, never are. A redirect
   * to another server is not covered.
   */
  readonly isSetBySuperAdmin?: boolean;
}

/** An address that passed the gate. Connect to exactly this address; TLS still verifies the name. @public */
export interface OutboundTarget {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * The gate that every connection to a host entered by people must pass. Ask again for each connection and each redirect: the
 * addresses of a name can change between two look-ups.
 * @public
 */
export interface Outbound {
  /**
   * Looks `host` up once and checks each of its addresses. Throws 400 `OUTBOUND_REFUSED` when one of them is private or reserved
   * and not listed in `TRELLIS_OUTBOUND_ALLOW`, 400 `OUTBOUND_HOST_UNKNOWN` when there is none, and 400 `OUTBOUND_OWN` for this
   * server's own port, whatever is allowed.
   */
  resolve(host: string, port: number, request: OutboundRequest): Promise<OutboundTarget>;
  /**
   * Calls an address by HTTP through the gate: each host, also of redirects, is looked up once and checked, and the connection
   * goes to the checked address. Throws what `resolve` throws, 400 `OUTBOUND_ADDRESS` for a text that is no http(s) address, 502
   * `OUTBOUND_FAILED`, 504 `OUTBOUND_TIMEOUT`, 502 `OUTBOUND_TOO_LARGE`, 502 `OUTBOUND_REDIRECTS`, 502 `OUTBOUND_ELSEWHERE` if a
   * redirect would send the body to another origin, 502 `OUTBOUND_LOST` for a redirect that `mustArrive` refuses. A status of 400
   * or more is an answer, not an error.
   */
  fetch(url: string, call: OutboundCall): Promise<OutboundAnswer>;
  /**
   * As `fetch`, for an answer that is not held in memory: its body is read as it arrives, within the time and size limits of the
   * call. The caller must read `stream` to its end or destroy it. The stream fails with the errors of `fetch`.
   */
  open(url: string, call: OutboundCall): Promise<OutboundStream>;
}

/** A call by HTTP. @public */
export interface OutboundCall extends OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** A redirect to another origin only keeps `accept`, `accept-*`, `content-*` and `user-agent`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * A stream is sent as it arrives, and destroyed if the call fails. If the stream fails, the call fails with its error; a
   * redirect that would need it again fails with 502 `OUTBOUND_ONCE`.
   */
  readonly body?: string | Uint8Array | Readable;
  /**
   * True if the receiver recognises a repeated request, for example by an id. The call may then reuse an earlier connection, and
   * is sent again if that turns out to be closed. No effect with a stream.
   */
  readonly mayRepeat?: boolean;
  /** Milliseconds for the whole call. Default 30 seconds. */
  readonly timeoutMs?: number;
  /** The most bytes of the answer's body. Default 10 MB. */
  readonly limit?: number;
  /** The most redirects to follow. Default 5. */
  readonly redirects?: number;
  /**
   * True if the call delivers a message: an answer after a redirect that drops the method, the body or a header would not tell
   * whether it arrived. Only 307 and 308 to the same origin are then followed; any other redirect fails with 502 `OUTBOUND_LOST`.
   */
  readonly mustArrive?: boolean;
  readonly signal?: AbortSignal;
}

/** The answer to a call. @public */
export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The address of the answer, after redirects. */
  readonly url: string;
}
/** An answer whose body is still to be read. @public */
export interface OutboundStream extends Omit<OutboundAnswer, 'body'> {
  readonly stream: Readable;
}
/** The gate for connections that the server makes. @public */
export const OutboundToken = createToken<Outbound>('outbound');
