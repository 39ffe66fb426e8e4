import {
  chainMark,
  ChangeMarksToken,
  finalOf,
  mostInterrupted,
  pauseAfter,
  retryAfterOf,
  type AccessScope,
  type AutomationStepResult,
  type ServerPluginContext,
  type UsedVariables,
} from '@trellis/sdk/server';
import { TrellisError, type TemplateValues } from '@trellis/sdk/shared';
import type { StepDefinition } from '../shared/index.ts';
import { automationErrors, problemOf, toldOf } from './automation-errors.ts';
import type { Automation, AutomationStore } from './automation-store.ts';
import { requestIdOf } from './guard.ts';
import type { Kinds } from './kinds.ts';
import { isChannelOff, lookForChannel } from './off-channels.ts';
import { isOwnerLost, type OwnerScope } from './owner-scope.ts';
import type { Pause } from './pause.ts';
import type { RunItemStore } from './run-items.ts';
import type { Run, RunStore } from './run-store.ts';
import { isLargerThan, mostGiven } from './output-size.ts';
import { createPrepareStep } from './prepare-step.ts';
import { createTakeItems } from './take-items.ts';
import { tellFailed } from './tell-owner.ts';
import type { TellPage } from './tell-page.ts';
import { itemsOf, stepSeconds, valuesWith, withinTime } from './step-call.ts';

export interface TakeRunDependencies {
  readonly automations: AutomationStore;
  readonly runs: RunStore;
  readonly items: RunItemStore;
  readonly kinds: Kinds;
  readonly ownerScope: OwnerScope;
  readonly pause: Pause;
  /** Called for each step that begins and ends. */
  readonly tellPage: TellPage;
}

/** Longer than the time limit of a step. */
export const leaseMs = (stepSeconds + 30) * 1000;
/** Tries of one step before its run fails. */
const mostAttempts = 4;

function mayPass(error: unknown): boolean {
  if (finalOf(error) !== undefined) return false;
  const status = toldOf(error)?.status ?? 0;
  return status >= 500 || status === 429;
}

/**
 * Runs the remaining steps of a run. Each result is stored before the next step begins, so that a server that continues the run
 * repeats none of them; the step at which a server was killed is repeated with the same idempotency key.
 */
export function createTakeRun(ctx: ServerPluginContext, deps: TakeRunDependencies) {
  const { automations, runs, items, kinds, ownerScope, pause, tellPage } = deps;
  const takeItems = createTakeItems(items, leaseMs);
  const prepare = createPrepareStep(ctx);
  const marks = ctx.get(ChangeMarksToken);

  /** The steps at the time of the event; the current ones if that version was deleted. */
  async function stepsOf(automation: Automation, { version }: Run): Promise<readonly StepDefinition[]> {
    if (version === automation.version) return automation.definition.steps;
    const versions = await automations.versions(automation.id);
    return (versions.find((of) => of.version === version) ?? automation).definition.steps;
  }

  return async (automation: Automation, run: Run, signal: AbortSignal): Promise<void> => {
    const steps = await stepsOf(automation, run);
    const former = new Map((await runs.steps(run.id)).map((step) => [step.id, step]));
    const formerItems = await items.ofRun(run.id);
    const outputs = new Map<string, TemplateValues>();
    const chain = [...run.chain, automation.id];
    let { attempts } = run;

    for (const [position, step] of steps.entries()) {
      const taken = former.get(step.id);
      if (taken?.state === 'done') {
        outputs.set(step.name, runs.outputOf(taken));
        continue;
      }
      const kind = kinds.step(step.type);
      if (kind === undefined) {
        await runs.change(run.id, { state: 'waiting' });
        return pause(automation, automationErrors.create('AUTOMATION_STEP_OFF', { step: step.name }));
      }
      let scope: AccessScope;
      try {
        // Checked for each step, since rights may be revoked meanwhile.
        scope = await ownerScope(automation, requestIdOf(run.id, step.id));
      } catch (error) {
        await runs.change(run.id, { state: 'waiting' });
        if (isOwnerLost(error)) return pause(automation, error);
        throw error;
      }
      // The step was interrupted so often that it may be what crashes the servers.
      if (run.interrupted >= mostInterrupted)
        return fail(automation, { ...run, attempts }, step, {
          error: automationErrors.create('AUTOMATION_STOPPED', { final: 'message' }),
          input: taken?.input,
          durationMs: 0,
        });
      // Deleted meanwhile, with its automation.
      if (!(await runs.beginStep(run, step, position, Date.now() + leaseMs))) return;
      tellPage(automation.projectId);
      const begun = performance.now();
      const passed = () => Math.round(performance.now() - begun);
      const before = steps.slice(0, position);
      let input: unknown;
      let mask: UsedVariables['mask'] = (shown) => shown;
      const take = (values: TemplateValues, within: AccessScope, item?: number) =>
        withinTime(signal, async (ending) => {
          const prepared = await prepare(
            kind,
            step,
            { id: run.id, chain, values, scope: within, before, item },
            ending,
          );
          ({ shown: input, mask } = prepared);
          const held = marks.hold(within.requestId, chainMark, chain.join('.'));
          let result: AutomationStepResult;
          try {
            result = await prepared.take();
          } finally {
            void held.dispose();
          }
          if (isLargerThan(result.output, mostGiven))
            throw automationErrors.create('AUTOMATION_OUTPUT_LARGE', { step: step.name });
          return result;
        });
      try {
        const values = valuesWith(run.values, outputs);
        const rows = itemsOf(step, steps, outputs);
        const ofRows =
          rows &&
          (await takeItems({
            run,
            step,
            rows,
            former: formerItems.get(step.id) ?? [],
            signal,
            shown: () => input,
            hide: (output) => mask(output),
            take: async (row, item) => {
              input = undefined;
              // Checked for each row as well.
              const own = await ownerScope(automation, requestIdOf(run.id, step.id));
              return take({ ...values, item: row }, own, item);
            },
            isOver: (error) =>
              !isOwnerLost(error) &&
              !isChannelOff(error) &&
              (!mayPass(error) || attempts + 1 >= mostAttempts),
            didTake: () => {
              attempts = 0;
              tellPage(automation.projectId);
            },
          }));
        if (ofRows === 'waits') return;
        if (ofRows !== undefined) input = { rows: rows?.length };
        const { output, resumeAt = 0 } = ofRows ?? (await take(values, scope));
        outputs.set(step.name, output);
        attempts = 0;
        const isLast = position === steps.length - 1;
        const waits = resumeAt > Date.now();
        await runs.endStep(
          run.id,
          step.id,
          {
            state: 'done',
            input,
            output,
            shownOutput: mask(output),
            error: undefined,
            durationMs: passed(),
          },
          isLast
            ? { state: 'done', attempts: 0 }
            : waits
              ? { state: 'waiting', attempts: 0, nextAt: resumeAt }
              : { state: 'running', attempts: 0, leaseUntil: Date.now() + leaseMs },
        );
        if (isLast || waits) return;
      } catch (error) {
        // If the plugin stops meanwhile, the next server repeats the step.
        if (signal.aborted) return runs.change(run.id, { state: 'waiting', attempts });
        if (isOwnerLost(error)) {
          await runs.change(run.id, { state: 'waiting', attempts });
          return pause(automation, error);
        }
        return fail(automation, { ...run, attempts }, step, { error, input, durationMs: passed() });
      }
    }
    await runs.change(run.id, { state: 'done' });
  };

  async function fail(
    automation: Automation,
    run: Run,
    step: StepDefinition,
    {
      error,
      input,
      durationMs,
    }: { readonly error: unknown; readonly input: unknown; readonly durationMs: number },
  ): Promise<void> {
    if (toldOf(error) === undefined)
      ctx.logger.error('A step of an automation failed', {
        error,
        automation: automation.id,
        step: step.type,
      });
    const problem = problemOf(error);
    const isOff = isChannelOff(error);
    const attempts = isOff ? 0 : run.attempts + 1;
    const goesOn = isOff || (mayPass(error) && attempts < mostAttempts);
    const nextAt =
      Date.now() + (isOff ? lookForChannel : Math.max(pauseAfter(attempts), retryAfterOf(error)));
    await runs.endStep(
      run.id,
      step.id,
      { state: 'failed', input, output: undefined, shownOutput: undefined, error: problem, durationMs },
      goesOn
        ? { state: 'waiting', attempts, nextAt, error: problem }
        : { state: 'failed', attempts, error: problem },
    );
    if (!goesOn) await tellFailed(ctx, { automation, run }, problem);
    if (error instanceof TrellisError && error.status === 403 && error.code !== 'AUTOMATION_READ_ONLY')
      await pause(
        automation,
        automationErrors.create('AUTOMATION_LOST_RIGHT', { step: step.name, reason: error.message }),
      );
  }
}
export type TakeRun = ReturnType<typeof createTakeRun>;
