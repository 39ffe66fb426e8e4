import type { SentRequest } from '@trellis/sdk/shared';
import type { Delivery } from './delivery-store.ts';

/** The result of one try of a message. */
export type Try = Pick<Delivery, 'status' | 'error' | 'durationMs' | 'request'> & {
  /** Milliseconds since 1970. */
  readonly triedAt: number;
};

/** A stored try: most tries of a message send the same body, which is stored only with the last of them. */
type KeptTry = Omit<Try, 'request'> & {
  readonly request?: Omit<SentRequest, 'body'> & { readonly body?: string };
};

/** The most stored tries of one message: those of the first round, and of one after it was sent again from the log. */
const mostTries = 24;

/** The last try of a message, from its row; undefined if it was not tried. */
function lastTry({ status, error, durationMs, request, triedAt }: Delivery): Try | undefined {
  return triedAt === undefined ? undefined : { status, error, durationMs, request, triedAt };
}

/** All tries of a message, the oldest first. */
export function triesOf(delivery: Delivery): readonly Try[] {
  const last = lastTry(delivery);
  return last === undefined ? delivery.earlier : [...delivery.earlier, last];
}

/** The tries before another one, as JSON; undefined if there were none. */
export function keptTries(tries: readonly Try[], next: SentRequest | undefined): string | undefined {
  if (tries.length === 0) return undefined;
  const kept = tries.slice(-mostTries).map((one, index, all): KeptTry => {
    const { request, ...rest } = one;
    if (request === undefined) return rest;
    const { body, ...head } = request;
    const following = index === all.length - 1 ? next : all[index + 1]?.request;
    return { ...rest, request: following?.body === body ? head : request };
  });
  return JSON.stringify(kept);
}

/** @param last the request of the following try */
export function readTries(text: string, last: SentRequest | undefined): readonly Try[] {
  let following = last;
  return (JSON.parse(text) as readonly KeptTry[])
    .toReversed()
    .map(({ request: kept, ...one }): Try => {
      const request = kept && { ...kept, body: kept.body ?? following?.body ?? '' };
      following = request;
      return { ...one, request };
    })
    .toReversed();
}
