import type { AutomationStep } from '@trellis/sdk/server';
import { type AutomationSettings, defineErrors } from '@trellis/sdk/shared';
import { hoursOf, hoursPart, mostHours } from '../shared/index.ts';

const errors = defineErrors({
  SPREAD_HOURS: { status: 400, message: 'Wait for 1 to {most} hours, in whole numbers.' },
});

/** @throws TrellisError 400 `SPREAD_HOURS` */
function hoursIn({ hours: text }: AutomationSettings): number {
  const hours = hoursOf(text);
  if (hours === undefined) throw errors.create('SPREAD_HOURS', { most: mostHours });
  return hours;
}

const inIso = (time: number) => new Date(time).toISOString();

/** A step that waits for a time that nobody knows before. */
export const waitByChance: AutomationStep = {
  id: 'acme-spread.wait',
  label: 'Wait by chance',
  icon: 'hourglass',
  // `part` names what draws the input in the page.
  inputs: [
    { id: 'hours', label: 'Hours at most', kind: 'part', part: hoursPart, initial: '6', isRequired: true },
  ],
  outputs: ['until'],
  check: (settings) => void hoursIn(settings),
  async prepare({ settings }) {
    const ms = hoursIn(settings) * 3_600_000;
    const latest = inIso(Date.now() + ms);
    return {
      shown: { untilAtMost: latest },
      expected: { until: latest },
      async take() {
        const resumeAt = Date.now() + Math.round(Math.random() * ms);
        return { output: { until: inIso(resumeAt) }, resumeAt };
      },
    };
  },
};
