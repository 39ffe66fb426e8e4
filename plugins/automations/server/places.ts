import { defineObjectHome, type AccessScope, type ObjectHome, type RouteRequest } from '@trellis/sdk/server';
import { automationErrors } from './automation-errors.ts';
import type { Automation, AutomationStore } from './automation-store.ts';

/** An automation and its project, for somebody who may do what they ask for. */
export interface FoundAutomation {
  readonly automation: Automation;
  readonly scope: AccessScope;
}

/** What routes say whose paths name an automation. */
export const ofAutomation = { kind: 'kept', home: 'automation', param: 'automationId' } as const;

/** Where automations are found by their ids. */
export function automationHome(automations: Pick<AutomationStore, 'byId'>): ObjectHome {
  return defineObjectHome<Automation>({
    id: ofAutomation.home,
    async find(id) {
      const automation = await automations.byId(id);
      return automation && { projectId: automation.projectId, object: automation };
    },
  });
}

/** The automation that a path names. @throws TrellisError 404 for one that is not there for the caller */
export function requireAutomation({ kept, scope }: Pick<RouteRequest, 'kept' | 'scope'>): FoundAutomation {
  if (kept === undefined) throw automationErrors.create('AUTOMATION_NOT_FOUND');
  return { automation: kept as Automation, scope };
}
