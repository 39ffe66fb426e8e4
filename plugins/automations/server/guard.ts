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
  /** The most waiting runs of a paused automation, and for how many days they wait. */
  readonly keptWaiting: number;
  readonly waitingDays: number;
  /** The most rows that are remembered as meeting the conditions of one automation, if these are computed or linked. */
  readonly keptMatches: number;
}

const hour = 3600_000;
/** The form of request ids for changes that a run writes. */
const written = /^automation:(ar_[0-9a-z]{14}):/;

/** The prefix of an automation's id, which webhooks do not have. */
const automation = /^au_/;

export function requestIdOf(runId: string, stepId: string): string {
  return `automation:${runId}:${stepId}`;
}

/** Prevents endless loops of automations. */
export function createGuard(
  ctx: ServerPluginContext<AutomationLimits>,
  { runs, dueRuns }: { readonly runs: RunStore; readonly dueRuns: DueRuns },
) {
  const limits = () => ctx.settings.current;
  return {
    /** Whether so many runs of a paused automation wait that no more are stored. */
    async isFull({ id, paused }: Pick<Automation, 'id' | 'paused'>): Promise<boolean> {
      const { keptWaiting } = limits();
      return paused !== undefined && (await dueRuns.isWaiting(id, keptWaiting));
    },

    /** The automations that led to the writes of a request, the first one first; none if a person made them. */
    async chainOf(requestId: string): Promise<readonly string[]> {
      const id = written.exec(requestId)?.[1];
      const run = id === undefined ? undefined : await runs.byId(id);
      return run === undefined ? [] : [...run.chain, run.ruleId];
    },

    /** The reason why this chain must not start an automation. */
    stopped({ id }: Pick<Automation, 'id'>, chain: readonly string[]): TrellisError | undefined {
      if (chain.includes(id)) return automationErrors.create('AUTOMATION_LOOP');
      if (chain.filter((one) => automation.test(one)).length >= longestChain)
        return automationErrors.create('AUTOMATION_CHAIN', { most: longestChain });
      return undefined;
    },

    /** The reason why an automation begins no more runs for now: it was started too often. */
    async tooOften({
      id,
      resumedAt,
    }: Pick<Automation, 'id' | 'resumedAt'>): Promise<TrellisError | undefined> {
      const { runsPerHour } = limits();
      // Runs before a pause do not count towards the next one, since somebody has resumed it.
      if ((await runs.countSince(id, Math.max(Date.now() - hour, resumedAt))) <= runsPerHour)
        return undefined;
      return automationErrors.create('AUTOMATION_OFTEN', { most: runsPerHour });
    },
  };
}
export type Guard = ReturnType<typeof createGuard>;
