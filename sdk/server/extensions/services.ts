import { defineErrors, TrellisError } from '../../shared/index.ts';
import type { Outbound, OutboundAnswer, OutboundCall } from '../outbound.ts';

const serviceErrors = defineErrors({
  SERVICE_REFUSED: { status: 502, message: '{service} refused the message with status {status}.' },
  SERVICE_UNAUTHORISED: {
    status: 502,
    message: '{service} does not accept this token or address any more (status {status}).',
  },
  SERVICE_GONE: {
    status: 502,
    message: '{service} does not know the place of this message (status {status}).',
  },
  SERVICE_BUSY: { status: 502, message: '{service} takes no more messages for now.' },
});

/** A call to a message service. @public */
export interface ServiceCall extends Omit<OutboundCall, 'purpose' | 'limit' | 'timeoutMs'> {
  /** Its name, for errors. They do not contain the address, which may be a secret. */
  readonly service: string;
  readonly url: string;
  /**
   * For a service that does not express the meaning of a refusal by its status: `gone` if the place accepts no more messages, like
   * 404, `busy` if it accepts them later, like 429.
   */
  readonly meaningOf?: (this: void, answer: OutboundAnswer) => 'gone' | 'busy' | undefined;
}

/**
 * What a service's refusal makes useless: the message, which it would refuse again, or its place, which accepts no message until
 * somebody sets it up again.
 * @public
 */
export type FinalRefusal = 'message' | 'place';

/** What an error makes useless; undefined if the call may succeed later. @public */
export function finalOf(error: unknown): FinalRefusal | undefined {
  const final = error instanceof TrellisError ? error.params.final : undefined;
  return final === 'message' || final === 'place' ? final : undefined;
}

/** Client errors (4xx) after which the same request may succeed: a time limit, a conflict, too early, too many. */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The most bytes of a message service's answer. */
const longestAnswer = 64 * 1024;
const timeoutMs = 15_000;

/**
 * Calls a message service. Its error says whether the service will refuse again: see `finalOf`. Throws 502 `SERVICE_REFUSED`,
 * `SERVICE_UNAUTHORISED`, `SERVICE_GONE` or `SERVICE_BUSY`, whose `params.retryAfterMs` is the requested pause, and the errors of
 * `Outbound.fetch`.
 * @public
 */
export async function callService(
  outbound: Outbound,
  { service, url, meaningOf, ...call }: ServiceCall,
): Promise<OutboundAnswer> {
  const answer = await outbound.fetch(url, {
    redirects: 0,
    ...call,
    purpose: 'notification',
    limit: longestAnswer,
    timeoutMs,
  });
  const { status, headers } = answer;
  if (status < 300) return answer;
  const params = { service, status };
  const meaning = meaningOf?.(answer);
  const place = { ...params, final: 'place' } as const;
  if (meaning === 'busy' || status === 429) {
    const seconds = Number(headers['retry-after'] ?? 0);
    const retryAfterMs = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 3600) * 1000 : 0;
    throw serviceErrors.create('SERVICE_BUSY', { ...params, retryAfterMs });
  }
  if (status === 401 || status === 403) throw serviceErrors.create('SERVICE_UNAUTHORISED', place);
  if (meaning === 'gone' || status === 404 || status === 410)
    throw serviceErrors.create('SERVICE_GONE', place);
  const isFinal = status >= 400 && status < 500 && !passing.has(status);
  throw serviceErrors.create('SERVICE_REFUSED', { ...params, ...(isFinal && { final: 'message' }) });
}

/** How many milliseconds a service that refused wants callers to wait; 0 if it did not say. @public */
export function retryAfterOf(error: unknown): number {
  const wait = error instanceof TrellisError ? error.params.retryAfterMs : undefined;
  return typeof wait === 'number' ? wait : 0;
}
