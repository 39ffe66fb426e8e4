import type { Automations } from '@trellis/sdk/server';
import type { TemplateValues } from '@trellis/sdk/shared';
import type { Automation, AutomationStore } from './automation-store.ts';
import type { Guard } from './guard.ts';
import { newId } from './ids.ts';
import type { Pause } from './pause.ts';
import type { Run, RunStore } from './run-store.ts';

/** The service through which triggers of other plugins start automations. */
export function createAutomations(deps: {
  readonly automations: AutomationStore;
  readonly runs: RunStore;
  readonly guard: Guard;
  readonly pause: Pause;
  readonly wake: (automationId: string) => void;
}): Automations {
  const { automations, runs, guard, pause, wake } = deps;
  async function listed(triggerId: string, of: Pick<Automation, 'active'>) {
    const found = await automations.ofTrigger(triggerId, of);
    return found.map(({ id, projectId, definition, since }) => ({
      id,
      projectId,
      settings: definition.trigger.settings,
      since,
    }));
  }

  return {
    list: (triggerId) => listed(triggerId, { active: true }),
    listOff: (triggerId) => listed(triggerId, { active: false }),
    async start(automationId, { eventId, trigger, chain = [] }) {
      const automation = await automations.byId(automationId);
      if (automation?.active !== true) return { kind: 'off' };
      const stopped = guard.stopped(automation, chain);
      if (stopped !== undefined) {
        await pause(automation, stopped);
        return { kind: 'round' };
      }
      const isFull = await guard.isFull(automation);
      const added = isFull
        ? 0
        : await runs.add([
            {
              id: newId('ar'),
              ruleId: automation.id,
              projectId: automation.projectId,
              eventId,
              version: automation.version,
              rowKey: '',
              seq: Date.now(),
              position: 0,
              values: { trigger },
              chain,
            },
          ]);
      if (added === 0) {
        const known = await runs.byEvent(automation.id, eventId);
        if (known !== undefined) return { kind: 'known', trigger: triggerOf(known) };
        if (!isFull) return { kind: 'off' };
        await automations.countDropped(automation.id, 1);
        return { kind: 'full' };
      }
      const often = automation.paused === undefined ? await guard.tooOften(automation) : undefined;
      if (often !== undefined) await pause(automation, often);
      wake(automation.id);
      return { kind: 'kept' };
    },
  };
}

function triggerOf({ values }: Run): TemplateValues {
  return (values.trigger ?? {}) as TemplateValues;
}
