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
/** How often a webhook may report changes that it caused itself. */
const mostRounds = 3;

/** How a change is related to webhooks. */
export interface Cause {
  /** True if no webhook is told of it. */
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

/** Marks changes of calls with API tokens, which are made by receivers and not by people. */
export const programMark: ChangeMark = {
  id: 'webhooks-program',
  read: ({ scope }) => (scope.principal.kind === 'token' ? 'token' : undefined),
};

/** Whether a webhook has reported its own changes so often that it would never stop. */
export function isLoop(hookId: string, chain: readonly string[]): boolean {
  return chain.filter((id) => id === hookId).length >= mostRounds || chain.length >= longestSignedChain;
}

/** The mark that is stored with the changes of a call. */
export function markOfCalls(chains: SignedChains): ChangeMark {
  return {
    id: markId,
    read: ({ headers, query, scope }) => {
      if (scope.projectId === undefined) return undefined;
      if (query.ignoreWebhook === 'true' || headers[quietHeader] === 'true') {
        // A client's switch must not turn off webhooks that others set up.
        if (!scope.may('hookUpdate')) throw hookErrors.create('HOOK_IGNORE');
        return quiet;
      }
      const chain = chains.read(headers[chainHeader]);
      return chain.length === 0 ? undefined : chain.join('.');
    },
  };
}
