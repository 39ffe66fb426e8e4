import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Change, ChangeMark, Secrets } from '@trellis/sdk/server';
import { hookErrors } from './hook-errors.ts';
import type { ChangedBy } from './loop-guard.ts';

/** Names the webhooks that led to a request, signed; a receiver sends it back with what it writes because of it. */
export const chainHeader = 'x-trellis-chain';
const quietHeader = 'x-trellis-ignore-webhooks';
const markId = 'webhooks';
const quiet = 'quiet';
/** Webhooks in a chain: more of them than the mark holds lead nowhere. */
const longestChain = 40;
/** Times that a webhook tells of what it caused itself. */
const mostRounds = 3;

/** What a change has to do with webhooks. */
export interface Cause {
  /** No webhook is told of it. */
  readonly isQuiet: boolean;
  /** The ids of the webhooks that led to it, the first one first. */
  readonly chain: readonly string[];
  readonly by: ChangedBy;
}

export function causeOf({ marks }: Pick<Change, 'marks'>): Cause {
  const mark = marks?.[markId];
  const chain = mark === undefined || mark === quiet ? [] : mark.split('.');
  return { isQuiet: mark === quiet, chain, by: marks?.[programMark.id] === undefined ? 'person' : 'program' };
}

/** Kept with the changes of calls by API tokens: receivers write by them, and people do not. */
export const programMark: ChangeMark = {
  id: 'webhooks-program',
  read: ({ scope }) => (scope.principal.kind === 'token' ? 'token' : undefined),
};

/** Whether a webhook has told so often of what it caused itself that it would go on for ever. */
export function isLoop(hookId: string, chain: readonly string[]): boolean {
  return chain.filter((id) => id === hookId).length >= mostRounds || chain.length >= longestChain;
}

/** Signs chains and reads them, so that nobody stops a webhook by a chain that it never was in. */
export class Chains {
  readonly #key: Uint8Array;

  constructor(secrets: Pick<Secrets, 'key'>) {
    this.#key = secrets.key('webhook-chain');
  }

  /** The text of the header. */
  write(chain: readonly string[]): string {
    const ids = chain.slice(-longestChain).join('.');
    return `${ids}.${this.#sign(ids)}`;
  }

  /** Empty for a text that was not written here. */
  read(text: string | undefined): readonly string[] {
    const [, ids, signature] = /^([\w.]{1,900})\.([\w-]{22})$/.exec(text ?? '') ?? [];
    // Few calls have a chain, and a signature costs as much as many other steps of a write.
    if (ids === undefined || signature === undefined) return [];
    const own = Buffer.from(this.#sign(ids));
    const given = Buffer.from(signature);
    return given.length === own.length && timingSafeEqual(given, own) ? ids.split('.') : [];
  }

  /** What of a call is kept with its changes. */
  mark(): ChangeMark {
    return {
      id: markId,
      read: ({ headers, query, scope }) => {
        if (scope.projectId === undefined) return undefined;
        if (query.ignoreWebhook === 'true' || headers[quietHeader] === 'true') {
          // No switch of a client turns off what others set up.
          if (!scope.may('hookUpdate')) throw hookErrors.create('HOOK_IGNORE');
          return quiet;
        }
        const chain = this.read(headers[chainHeader]);
        return chain.length === 0 ? undefined : chain.join('.');
      },
    };
  }

  #sign(ids: string): string {
    return createHmac('sha256', this.#key).update(ids).digest('base64url').slice(0, 22);
  }
}
