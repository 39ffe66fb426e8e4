import {
  chainHeader,
  chainMark,
  longestSignedChain,
  type Change,
  type ChangeMark,
  type SignedChains,
} from '@trellis/sdk/server';
import { hookErrors } from './hook-errors.ts';
import type { ChangedBy } from './loop-guard.ts';

const quietHeader = 'x-trellis-ignore-webhooks';
const markId = 'webhooks';
const quiet = 'quiet';
/** Times that a webhook tells of what it caused itself. */
const mostRounds = 3;

/** What a change has to do with webhooks. */
export interface Cause {
  /** No webhook is told of it. */
  readonly isQuiet: boolean;
  /** The ids of the webhooks and automations that led to it, the first one first. */
  readonly chain: readonly string[];
  readonly by: ChangedBy;
}

export function causeOf({ marks }: Pick<Change, 'marks'>): Cause {
  const mark = marks?.[markId] ?? marks?.[chainMark];
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
  return chain.filter((id) => id === hookId).length >= mostRounds || chain.length >= longestSignedChain;
}

/** What of a call is kept with its changes. */
export function markOfCalls(chains: SignedChains): ChangeMark {
  return {
    id: markId,
    read: ({ headers, query, scope }) => {
      if (scope.projectId === undefined) return undefined;
      if (query.ignoreWebhook === 'true' || headers[quietHeader] === 'true') {
        // No switch of a client turns off what others set up.
        if (!scope.may('hookUpdate')) throw hookErrors.create('HOOK_IGNORE');
        return quiet;
      }
      const chain = chains.read(headers[chainHeader]);
      return chain.length === 0 ? undefined : chain.join('.');
    },
  };
}
