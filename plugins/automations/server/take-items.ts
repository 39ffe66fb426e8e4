import type { AutomationStepResult } from '@trellis/sdk/server';
import { TrellisError, type TemplateValues } from '@trellis/sdk/shared';
import type { RunItemEntity, StepDefinition } from '../shared/index.ts';
import { problemOf } from './automation-errors.ts';
import type { RunItemStore } from './run-items.ts';
import type { Run } from './run-store.ts';

/** A step that is taken for each of some rows. */
export interface ItemsToTake {
  readonly run: Run;
  readonly step: StepDefinition;
  readonly rows: readonly unknown[];
  /** What it came to before, in a part of the run that ended early. */
  readonly former: readonly RunItemEntity[];
  readonly signal: AbortSignal;
  take(row: unknown, item: number): Promise<AutomationStepResult>;
  /** What the log shows of what the last one came to. */
  hide<T>(output: T): T;
  /** What the last one was given. */
  shown(): unknown;
  /** Whether a failure is not tried again. */
  isOver(error: unknown): boolean;
  didTake(): void;
}

/**
 * Takes a step for row after row, each kept before the next one begins. Gives what the step came to, or that the run waits between two rows.
 *
 * @throws what the step throws for a row, where that ends the run or is tried again
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
        // What the owner may not do for one row they may do for none.
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
