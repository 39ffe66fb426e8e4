import type { AutomationStepResult } from '@trellis/sdk/server';
import { TrellisError, type TemplateValues } from '@trellis/sdk/shared';
import type { RunItemEntity, StepDefinition } from '../shared/index.ts';
import { problemOf } from './automation-errors.ts';
import type { RunItemStore } from './run-items.ts';
import type { Run } from './run-store.ts';

/** A step to run for each of some rows. */
export interface ItemsToTake {
  readonly run: Run;
  readonly step: StepDefinition;
  readonly rows: readonly unknown[];
  /** Results of an earlier part of the run. */
  readonly former: readonly RunItemEntity[];
  readonly signal: AbortSignal;
  take(row: unknown, item: number): Promise<AutomationStepResult>;
  /** The log's form of the last output. */
  hide<T>(output: T): T;
  /** The last input. */
  shown(): unknown;
  /** Whether a failure is final. */
  isOver(error: unknown): boolean;
  didTake(): void;
}

/**
 * Runs a step for one row after the other, and stores each result before the next one begins. Returns the step's result, or that
 * the run waits between two rows.
 *
 * @throws the step's error for a row, if it ends the run or will be tried again
 */
export function createTakeItems(items: RunItemStore, leaseMs: number) {
  return async (
    given: ItemsToTake,
  ): Promise<{ readonly output: TemplateValues; readonly resumeAt?: number } | 'waits'> => {
    const { run, step, rows, former, signal, take, shown, hide, isOver, didTake } = given;
    const goesOn = step.each?.goesOn === true;
    const passed = new Map(former.map((of) => [of.item, of.state]));
    let failed = 0;
    let last = 0;
    for (const [item, row] of rows.entries()) {
      const state = passed.get(item);
      if (state === 'failed' && goesOn) failed += 1;
      if (state === 'done' || (state === 'failed' && goesOn)) continue;
      const begun = performance.now();
      const told = () => ({
        item,
        input: shown(),
        duration_ms: Math.round(performance.now() - begun),
      });
      const running = () =>
        ({
          state: 'running',
          attempts: 0,
          leaseUntil: Date.now() + leaseMs,
        }) as const;
      try {
        const { output, resumeAt = 0 } = await take(row, item);
        const waits = resumeAt > Date.now() && item < rows.length - 1;
        last = resumeAt;
        await items.end(
          run.id,
          step.id,
          { ...told(), state: 'done', output: hide(output), error: null },
          waits ? { state: 'waiting', attempts: 0, nextAt: resumeAt } : running(),
        );
        if (waits) return 'waits';
      } catch (error) {
        // What the owner may not do for one row is forbidden for all.
        const isForbidden = error instanceof TrellisError && error.status === 403;
        if (signal.aborted || isForbidden || !isOver(error)) throw error;
        const end = {
          ...told(),
          state: 'failed',
          output: null,
          error: problemOf(error),
        } as const;
        await items.end(run.id, step.id, end, running());
        if (!goesOn) throw error;
        failed += 1;
      }
      didTake();
    }
    return { output: { count: rows.length, failed }, resumeAt: last };
  };
}
