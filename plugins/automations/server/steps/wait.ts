import type { AutomationStep } from '@trellis/sdk/server';
import { wait } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';

const minute = 60_000;
const lengths: Readonly<Record<string, number>> = {
  minutes: minute,
  hours: 60 * minute,
  days: 1440 * minute,
};
const mostDays = 90;

/** Waits before the next step, also across restarts. */
export function waitStep(): AutomationStep {
  return {
    ...wait,
    prepare({ settings, fill, isOpen }) {
      // A duration that only a run knows is replaced by a valid one.
      const amount = isOpen(settings.amount) ? '1' : fill(settings.amount).trim();
      const ms = Number(amount) * (lengths[String(settings.unit)] ?? minute);
      if (!(ms >= minute && ms <= mostDays * 1440 * minute))
        throw automationErrors.create('AUTOMATION_WAIT', { most: mostDays });
      const resumeAt = Date.now() + ms;
      const until = new Date(resumeAt).toISOString();
      return Promise.resolve({
        shown: { until },
        expected: { until },
        take: () => Promise.resolve({ output: { until }, resumeAt }),
      });
    },
  };
}
