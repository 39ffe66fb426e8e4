import { createToken } from '../shared/index.ts';

/** Why the server connects to somewhere. @public */
export interface OutboundRequest {
  /** For messages and logs: `database`, `mail`, `webhook`, `upload by address` ... */
  readonly purpose: string;
  /**
   * The host was set by a super admin for a database or a mail server, which self-hosters keep on private addresses: private,
   * shared and loopback addresses are then allowed. Link-local ones, where clouds keep their metadata, never are.
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
   * reserved and not listed in `TRELLIS_OUTBOUND_ALLOW`, and 400 `OUTBOUND_HOST_UNKNOWN` when there is none.
   */
  resolve(host: string, port: number, request: OutboundRequest): Promise<OutboundTarget>;
}
/** The gate for connections that the server makes. @public */
export const OutboundToken = createToken<Outbound>('outbound');
