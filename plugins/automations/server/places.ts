import {
  AccessServiceToken,
  SchemaStoreToken,
  type AccessScope,
  type ProjectSnapshot,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { automationErrors } from './automation-errors.ts';
import type { Automation, AutomationStore } from './automation-store.ts';

/** An automation and its project, for somebody who may do what they ask for. */
export interface FoundAutomation {
  readonly automation: Automation;
  readonly scope: AccessScope;
  readonly snapshot: ProjectSnapshot;
}

/**
 * Finds automations by the ids in paths.
 *
 * @throws TrellisError 404 for one of a project that the caller is not in, 403 for a member without the permission
 */
export function createFind(ctx: ServerPluginContext, automations: AutomationStore) {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  return async (
    { params, principal, id: requestId }: Pick<RouteRequest, 'params' | 'principal' | 'id'>,
    permission: string,
  ): Promise<FoundAutomation> => {
    const automation = await automations.byId(params.automationId ?? '');
    if (automation === undefined) throw automationErrors.create('AUTOMATION_NOT_FOUND');
    try {
      const scope = await access.scopeFor(principal, automation.projectId, requestId);
      // Somebody who is not in the project.
      if (!scope.may('tableGet')) throw automationErrors.create('AUTOMATION_NOT_FOUND');
      scope.require(permission);
      return { automation, scope, snapshot: await schema.snapshot(scope) };
    } catch (error) {
      if (error instanceof TrellisError && error.status === 404)
        throw automationErrors.create('AUTOMATION_NOT_FOUND');
      throw error;
    }
  };
}
