import {
  AuditLogToken,
  defineRoute,
  keptPrincipal,
  OperationsToken,
  replacesSchema,
  requireRevision,
  OutboxToken,
  SchemaStoreToken,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  auditText,
  type AuditText,
} from '@trellis/sdk/server';
import {
  mostSteps,
  type AutomationDefinition,
  type AutomationEntity,
  type KindsEntity,
} from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';
import type { Automation, AutomationStore } from './automation-store.ts';
import { createCheckSaved } from './check-saved.ts';
import { createChannelSecrets } from './channel-secrets.ts';
import { definitionSchema, readDefinition, type ReadDefinition } from './definition-input.ts';
import { automationRevision, toAutomationEntity } from './entities.ts';
import { newId } from './ids.ts';
import type { Kinds } from './kinds.ts';
import { ofAutomation, requireAutomation } from './places.ts';
import type { RunStore } from './run-store.ts';
import type { TellPage } from './tell-page.ts';
import type { Watches } from './watches.ts';

type NoQuery = Record<string, unknown>;
type Body = AutomationDefinition & { readonly active?: boolean };
type Change = Partial<Body> & { readonly replaces?: string | null };

const ofProject = { kind: 'project', param: 'projectId' } as const;
const mostAutomations = 200;

/** List, create, change and delete the automations of a project. */
export function automationRoutes(
  ctx: ServerPluginContext,
  deps: {
    readonly automations: AutomationStore;
    readonly runs: RunStore;
    readonly kinds: Kinds;
    readonly watches: Watches;
    readonly tellPage: TellPage;
    readonly wake: (automationId: string) => void;
    /** Starts deleting the runs of deleted automations. */
    readonly forgetRuns: (automationIds: readonly string[]) => void;
  },
): readonly RouteDefinition[] {
  const { automations, runs, kinds, watches, tellPage, wake, forgetRuns } = deps;
  const outbox = ctx.get(OutboxToken);
  const schema = ctx.get(SchemaStoreToken);
  const operations = ctx.get(OperationsToken);
  const audit = ctx.get(AuditLogToken);
  const checkSaved = createCheckSaved(ctx, kinds);
  const secrets = createChannelSecrets(ctx, kinds);

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
    return entityWith(automation, await runs.summaries(automation.projectId));
  }

  function entityWith(
    automation: Automation,
    { last, failures, waiting, stuck }: Awaited<ReturnType<RunStore['summaries']>>,
  ): AutomationEntity {
    const { id } = automation;
    const shown = { ...automation, definition: secrets.masked(automation.definition) };
    return toAutomationEntity(shown, {
      plan: kinds.timePlan(automation.definition),
      last: last.get(id),
      failures: failures.get(id),
      waiting: waiting.get(id),
      stuck: stuck.get(id),
    });
  }

  /** Stores a new automation of the caller. @throws TrellisError 400 `AUTOMATION_MANY` */
  async function make(
    request: Pick<RouteRequest, 'scope' | 'principal' | 'ip'>,
    read: ReadDefinition,
    active: boolean,
  ): Promise<AutomationEntity> {
    const { scope, principal } = request;
    const projectId = scope.projectId ?? '';
    if ((await automations.ofProject(projectId)).length >= mostAutomations)
      throw automationErrors.create('AUTOMATION_MANY', { most: mostAutomations });
    const at = Date.now();
    const automation: Automation = {
      id: newId('au'),
      projectId,
      owner: keptPrincipal(principal),
      active,
      paused: undefined,
      dropped: 0,
      version: 1,
      ...read,
      logPlace: await outbox.end(),
      createdAt: at,
      updatedAt: at,
      since: at,
      resumedAt: 0,
    };
    await automations.add(automation);
    await record(request, automation, 'CREATED', (of) => auditText('The automation {{title}} was made', of));
    return entityOf(await watches.begin(automation));
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
      path: 'tables/:tableId/acts/:act',
      permission: 'automationSet',
      object: { kind: 'table', param: 'tableId' },
      summary: 'List what an operation of buttons can work with on rows of a table',
      async handle({ scope, params }) {
        const { tableId = '', act = '' } = params;
        const { scope: own } = await schema.open(scope, tableId);
        return { list: await operations.choices(act, own, tableId) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'projects/:projectId/automations',
      permission: 'automationList',
      object: ofProject,
      summary: 'List the automations of a project, each with its last run',
      async handle({ scope }): Promise<{ readonly list: readonly AutomationEntity[] }> {
        const projectId = scope.projectId ?? '';
        const summaries = await runs.summaries(projectId);
        const list = await automations.ofProject(projectId);
        return { list: list.map((automation) => entityWith(automation, summaries)) };
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
        const { scope, body } = request;
        const steps = secrets.unmasked(body.steps, []);
        const given: AutomationDefinition = { ...body, steps, conditions: body.conditions ?? [] };
        const snapshot = await schema.snapshot(scope);
        const active = body.active ?? true;
        const read = readDefinition(given, { kinds, snapshot, fewest: fewestSteps(active) });
        await checkSaved(read, scope);
        return make(request, read, active);
      },
    }),
    defineRoute<Record<string, string>, NoQuery, { readonly title: string }>({
      method: 'POST',
      path: 'automations/:automationId/duplicate',
      permission: 'automationSet',
      object: ofAutomation,
      summary:
        'Make a copy of an automation, which is switched off: with the rights of whoever makes it, a log of its own, and secrets that are new',
      schemas: {
        body: {
          type: 'object',
          required: ['title'],
          properties: { title: { type: 'string', maxLength: 1000 } },
        },
      },
      unknownKeys: 'refuse',
      async handle(request) {
        const { automation, scope } = requireAutomation(request);
        const { definition, projectId } = automation;
        const copy = { ...kinds.copied(definition, projectId), title: request.body.title };
        const snapshot = await schema.snapshot(scope);
        const read = readDefinition(copy, { kinds, snapshot, kept: definition, fewest: fewestSteps(false) });
        await checkSaved(read, scope, automation);
        return make(request, read, false);
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'automations/:automationId',
      permission: 'automationList',
      object: ofAutomation,
      summary: 'Read an automation',
      handle: async (request) => entityOf(requireAutomation(request).automation),
    }),
    defineRoute<Record<string, string>, NoQuery, Change>({
      method: 'PATCH',
      path: 'automations/:automationId',
      permission: 'automationSet',
      object: ofAutomation,
      summary:
        'Change an automation: another definition is another version; one that was paused goes on when it is sent as active',
      schemas: {
        body: {
          ...definitionSchema,
          properties: { ...definitionSchema.properties, replaces: replacesSchema },
        },
      },
      unknownKeys: 'refuse',
      async handle(request) {
        const { automation, scope } = requireAutomation(request);
        const snapshot = await schema.snapshot(scope);
        const { active, replaces, ...change } = request.body;
        const isDefined = Object.keys(change).length > 0;
        const readOn = ({ definition, active: isOn }: Automation) => {
          const { steps: given } = change;
          const steps = given === undefined ? definition.steps : secrets.unmasked(given, definition.steps);
          return readDefinition(
            { ...definition, ...change, steps },
            { kinds, snapshot, kept: definition, fewest: fewestSteps(active ?? isOn) },
          );
        };
        if (isDefined) await checkSaved(readOn(automation), scope, automation);
        // Merged into the current automation: somebody else may have changed another part meanwhile.
        const changed = await automations.change(automation.id, (now) => {
          requireRevision(replaces, automationRevision(now));
          if (!isDefined && active === true && now.definition.steps.length === 0)
            throw automationErrors.create('AUTOMATION_STEPS', { most: mostSteps });
          return {
            ...(isDefined && readOn(now)),
            // The person who changes or resumes it becomes its owner.
            ...((isDefined || active === true) && { owner: keptPrincipal(request.principal) }),
            ...(active !== undefined && { active }),
            paused: active === true ? undefined : now.paused,
          };
        });
        if (changed === undefined) throw automationErrors.create('AUTOMATION_NOT_FOUND');
        await record(request, changed, 'UPDATED', (of) =>
          auditText('The automation {{title}} was changed', of),
        );
        wake(changed.id);
        return entityOf(await watches.begin(changed));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: 'automations/:automationId',
      permission: 'automationSet',
      object: ofAutomation,
      summary: 'Delete an automation with its versions and its log',
      async handle(request) {
        const { automation } = requireAutomation(request);
        await automations.remove(automation.id);
        forgetRuns([automation.id]);
        await record(request, automation, 'DELETED', (of) =>
          auditText('The automation {{title}} was deleted', of),
        );
        return { msg: 'success' };
      },
    }),
  ];
}

/** An automation that is off may have no steps yet. */
export function fewestSteps(active: boolean): 0 | 1 {
  return active ? 1 : 0;
}
