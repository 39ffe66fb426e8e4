import { defineObjectHome, type AccessScope, type ObjectHome, type RouteRequest } from '@trellis/sdk/server';
import { automationErrors } from './automation-errors.ts';
import type { Automation, AutomationStore } from './automation-store.ts';

/** An automation and its project, for a caller with the required permission. */
export interface FoundAutomation {
  readonly automation: Automation;
  readonly scope: AccessScope;
}

/** For routes whose paths name an automation. */
export const ofAutomation = { kind: 'kept', home: 'automation', param: 'automationId' } as const;

/** Finds automations by id. */
export function automationHome(automations: Pick<AutomationStore, 'byId'>): ObjectHome {
  return defineObjectHome<Automation>({
    id: ofAutomation.home,
    async find(id) {
      const automation = await automations.byId(id);
      return automation && { projectId: automation.projectId, object: automation };
    },
  });
}

/** The automation in a path. @throws TrellisError 404 for one that does not exist for the caller */
export function requireAutomation({ kept, scope }: Pick<RouteRequest, 'kept' | 'scope'>): FoundAutomation {
  if (kept === undefined) throw automationErrors.create('AUTOMATION_NOT_FOUND');
  return { automation: kept as Automation, scope };
}
