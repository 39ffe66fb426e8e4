import { KeyedWork, type Logger } from '@trellis/sdk/server';
import type { AutomationStore } from './automation-store.ts';
import type { DueRun, DueRuns } from './due-runs.ts';
import type { RunStore } from './run-store.ts';
import { leaseMs, type TakeRun } from './take-run.ts';
import type { TellPage } from './tell-page.ts';

export interface RunnerDependencies {
  readonly automations: AutomationStore;
  readonly runs: Pick<RunStore, 'byId'>;
  readonly dueRuns: DueRuns;
  readonly takeRun: TakeRun;
  readonly tellPage: TellPage;
  readonly logger: Pick<Logger, 'error'>;
}

const looked = 200;
const atOnce = 4;

/**
 * Runs what is due: sequentially for the runs of an automation for one row, a few concurrently. Several servers share the work by
 * leases.
 */
export function createRunner({
  automations,
  runs,
  dueRuns,
  takeRun,
  tellPage,
  logger,
}: RunnerDependencies): KeyedWork {
  async function round(ruleId: string, signal: AbortSignal): Promise<boolean> {
    const automation = await automations.byId(ruleId);
    if (automation === undefined || !automation.active || automation.paused !== undefined) return false;
    const now = Date.now();
    const due = firstOfEachRow(await dueRuns.due(ruleId, now, looked)).slice(0, atOnce);
    const taken = await Promise.all(
      due.map(async (run) => {
        if (!(await dueRuns.claim(run.id, now, now + leaseMs))) return false;
        const taken = await runs.byId(run.id);
        if (taken !== undefined) await takeRun(automation, taken, signal);
        return true;
      }),
    );
    if (!taken.includes(true)) return false;
    tellPage(automation.projectId);
    return true;
  }

  return new KeyedWork({
    due: () => dueRuns.dueRules(Date.now()),
    async run(ruleId, signal) {
      for (let isMore = true; isMore && !signal.aborted;) isMore = await round(ruleId, signal);
    },
    failed: (error) => logger.error('Automations could not be run', { error }),
  });
}

/** Of several runs for a row, the oldest one is first. */
function firstOfEachRow(due: readonly DueRun[]): readonly DueRun[] {
  const rows = new Set<string>();
  return due.filter(({ rowKey }) => rowKey === '' || (!rows.has(rowKey) && rows.add(rowKey)));
}
