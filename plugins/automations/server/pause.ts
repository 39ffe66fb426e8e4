import type { ServerPluginContext } from '@trellis/sdk/server';
import type { TrellisError } from '@trellis/sdk/shared';
import { problemOf } from './automation-errors.ts';
import type { Automation, AutomationStore } from './automation-store.ts';
import { tellPaused } from './tell-owner.ts';
import type { TellPage } from './tell-page.ts';

export type Pause = (automation: Automation, reason: TrellisError) => Promise<void>;

/** Stores why an automation begins no more runs, and tells its owner. */
export function createPause(
  ctx: ServerPluginContext,
  deps: { readonly automations: AutomationStore; readonly tellPage: TellPage },
): Pause {
  return async (automation, reason) => {
    if (automation.paused !== undefined) return;
    const changed = await deps.automations.change(automation.id, ({ paused }) => ({
      paused: paused ?? problemOf(reason),
    }));
    if (changed === undefined) return;
    deps.tellPage(automation.projectId);
    if (changed.paused?.code !== reason.code) return;
    await tellPaused(ctx, changed, reason);
  };
}
