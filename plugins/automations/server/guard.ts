import type { ServerPluginContext } from '@trellis/sdk/server';
import type { TrellisError } from '@trellis/sdk/shared';
import { longestChain } from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';
import type { Automation } from './automation-store.ts';
import type { DueRuns } from './due-runs.ts';
import type { RunStore } from './run-store.ts';

/** The settings of the plugin. */
export interface AutomationLimits {
  readonly runsPerHour: number;
  readonly keptDays: number;
  /** Runs that wait for one automation that is paused, and days for which they do. */
  readonly keptWaiting: number;
  readonly waitingDays: number;
  /** Rows of which is remembered that they meet the conditions of one automation, where these are computed or linked. */
  readonly keptMatches: number;
}

const hour = 3600_000;
/** The id of the request by which changes that a run writes are known. */
const written = /^automation:(ar_[0-9a-z]{14}):/;

/** The id of an automation, as those of webhooks are not. */
const automation = /^au_/;

export function requestIdOf(runId: string, stepId: string): string {
  return `automation:${runId}:${stepId}`;
}

/** Keeps automations from starting themselves and each other for ever. */
export function createGuard(
  ctx: ServerPluginContext<AutomationLimits>,
  { runs, dueRuns }: { readonly runs: RunStore; readonly dueRuns: DueRuns },
) {
  const limits = () => ctx.settings.current;
  return {
    /** Whether so much waits for an automation that is paused that no more is kept. */
    async isFull({ id, paused }: Pick<Automation, 'id' | 'paused'>): Promise<boolean> {
      const { keptWaiting } = limits();
      return paused !== undefined && (await dueRuns.isWaiting(id, keptWaiting));
    },

    /** The automations that led to what a request wrote, the first one first; none where a person did. */
    async chainOf(requestId: string): Promise<readonly string[]> {
      const id = written.exec(requestId)?.[1];
      const run = id === undefined ? undefined : await runs.byId(id);
      return run === undefined ? [] : [...run.chain, run.ruleId];
    },

    /** Why an automation must not be started by what these led to. */
    stopped({ id }: Pick<Automation, 'id'>, chain: readonly string[]): TrellisError | undefined {
      if (chain.includes(id)) return automationErrors.create('AUTOMATION_LOOP');
      if (chain.filter((one) => automation.test(one)).length >= longestChain)
        return automationErrors.create('AUTOMATION_CHAIN', { most: longestChain });
      return undefined;
    },

    /** Why an automation is not to begin further runs for now: it was started too often. */
    async tooOften({
      id,
      resumedAt,
    }: Pick<Automation, 'id' | 'resumedAt'>): Promise<TrellisError | undefined> {
      const { runsPerHour } = limits();
      // What led to a pause does not lead to the next one: somebody has let it go on.
      if ((await runs.countSince(id, Math.max(Date.now() - hour, resumedAt))) <= runsPerHour)
        return undefined;
      return automationErrors.create('AUTOMATION_OFTEN', { most: runsPerHour });
    },
  };
}
export type Guard = ReturnType<typeof createGuard>;
