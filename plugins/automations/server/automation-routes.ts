import {
  AuditLogToken,
  defineRoute,
  SchemaStoreToken,
  VariablesToken,
  type AccessScope,
  type Principal,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  auditText,
  type AuditText,
} from '@trellis/sdk/server';
import type { AutomationDefinition, AutomationEntity, KindsEntity } from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';
import type { Automation, AutomationStore, Owner } from './automation-store.ts';
import { definitionSchema, readDefinition, type ReadDefinition } from './definition-input.ts';
import { toAutomationEntity } from './entities.ts';
import { newId } from './ids.ts';
import type { Kinds } from './kinds.ts';
import { createFind } from './places.ts';
import type { RunStore } from './run-store.ts';
import type { TellPage } from './tell-page.ts';

type NoQuery = Record<string, unknown>;
type Body = AutomationDefinition & { readonly active?: boolean };

const ofProject = { kind: 'project', param: 'projectId' } as const;
const mostAutomations = 200;

/** List, make, change and delete the automations of a project. */
export function automationRoutes(
  ctx: ServerPluginContext,
  deps: {
    readonly automations: AutomationStore;
    readonly runs: RunStore;
    readonly kinds: Kinds;
    readonly tellPage: TellPage;
    readonly wake: (automationId: string) => void;
  },
): readonly RouteDefinition[] {
  const { automations, runs, kinds, tellPage, wake } = deps;
  const schema = ctx.get(SchemaStoreToken);
  const audit = ctx.get(AuditLogToken);
  const variables = ctx.get(VariablesToken);
  const find = createFind(ctx, automations);

  /** @throws TrellisError 400 where a step names a variable that whoever saves it has not */
  async function checkVariables({ definition }: ReadDefinition, scope: AccessScope): Promise<void> {
    await variables.usedIn(
      definition.steps.map(({ settings }) => settings),
      scope,
    );
  }

  async function record(
    { principal, ip }: Pick<RouteRequest, 'principal' | 'ip'>,
    { projectId, tableId, definition }: Automation,
    subType: string,
    toldAs: (of: { readonly title: string }) => AuditText,
  ) {
    tellPage(projectId);
    const description = toldAs({ title: definition.title });
    await audit.record({ type: 'AUTOMATIONS', subType, principal, ip, projectId, tableId, description });
  }

  async function entityOf(automation: Automation): Promise<AutomationEntity> {
    const { last, failures } = await runs.summaries(automation.projectId);
    const { id } = automation;
    return toAutomationEntity(automation, { last: last.get(id), failures: failures.get(id) });
  }

  return [
    defineRoute({
      method: 'GET',
      path: 'projects/:projectId/kinds',
      permission: 'automationList',
      object: ofProject,
      summary: 'List what automations can be made of: triggers and steps with their settings',
      handle: (): Promise<KindsEntity> => Promise.resolve(kinds.entity()),
    }),
    defineRoute({
      method: 'GET',
      path: 'projects/:projectId/automations',
      permission: 'automationList',
      object: ofProject,
      summary: 'List the automations of a project, each with its last run',
      async handle({ scope }): Promise<{ readonly list: readonly AutomationEntity[] }> {
        const projectId = scope.projectId ?? '';
        const { last, failures } = await runs.summaries(projectId);
        const list = (await automations.ofProject(projectId)).map((automation) =>
          toAutomationEntity(automation, {
            last: last.get(automation.id),
            failures: failures.get(automation.id),
          }),
        );
        return { list };
      },
    }),
    defineRoute<Record<string, string>, NoQuery, Body>({
      method: 'POST',
      path: 'projects/:projectId/automations',
      permission: 'automationSet',
      object: ofProject,
      summary: 'Make an automation; it runs with the rights of whoever makes it',
      schemas: { body: { ...definitionSchema, required: ['title', 'trigger', 'steps'] } },
      unknownKeys: 'refuse',
      async handle(request) {
        const { scope, principal, body } = request;
        const projectId = scope.projectId ?? '';
        if ((await automations.ofProject(projectId)).length >= mostAutomations)
          throw automationErrors.create('AUTOMATION_MANY', { most: mostAutomations });
        const given: AutomationDefinition = { ...body, conditions: body.conditions ?? [] };
        const snapshot = await schema.snapshot(scope);
        const read = readDefinition(given, { kinds, snapshot });
        await checkVariables(read, scope);
        const at = Date.now();
        const automation: Automation = {
          id: newId('au'),
          projectId,
          owner: ownerOf(principal),
          active: body.active ?? true,
          paused: undefined,
          version: 1,
          ...read,
          createdAt: at,
          updatedAt: at,
        };
        await automations.add(automation);
        await record(request, automation, 'CREATED', (of) =>
          auditText('The automation {{title}} was made', of),
        );
        return entityOf(automation);
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'automations/:automationId',
      permission: 'signedIn',
      summary: 'Read an automation',
      handle: async (request) => entityOf((await find(request, 'automationList')).automation),
    }),
    defineRoute<Record<string, string>, NoQuery, Partial<Body>>({
      method: 'PATCH',
      path: 'automations/:automationId',
      permission: 'signedIn',
      summary:
        'Change an automation: another definition is another version; one that was paused goes on when it is sent as active',
      schemas: { body: definitionSchema },
      unknownKeys: 'refuse',
      async handle(request) {
        const { automation, scope, snapshot } = await find(request as never, 'automationSet');
        const { active, ...change } = request.body;
        const isDefined = Object.keys(change).length > 0;
        const read = isDefined
          ? readDefinition({ ...automation.definition, ...change }, { kinds, snapshot })
          : undefined;
        if (read !== undefined) await checkVariables(read, scope);
        const changed = await automations.change(automation.id, (now) => ({
          ...read,
          // Whoever says what it does, or that it goes on, speaks for it from now on.
          ...((isDefined || active === true) && { owner: ownerOf(request.principal) }),
          ...(active !== undefined && { active }),
          paused: active === true ? undefined : now.paused,
        }));
        if (changed === undefined) throw automationErrors.create('AUTOMATION_NOT_FOUND');
        await record(request, changed, 'UPDATED', (of) =>
          auditText('The automation {{title}} was changed', of),
        );
        wake(changed.id);
        return entityOf(changed);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: 'automations/:automationId',
      permission: 'signedIn',
      summary: 'Delete an automation with its versions and its log',
      async handle(request) {
        const { automation } = await find(request, 'automationSet');
        await automations.remove(automation.id);
        await record(request, automation, 'DELETED', (of) =>
          auditText('The automation {{title}} was deleted', of),
        );
        return { msg: 'success' };
      },
    }),
  ];
}

/** Whose rights an automation runs with, without the session or the token by which they asked. */
export function ownerOf({ credentialId: _, ...owner }: Principal): Owner {
  return owner;
}
