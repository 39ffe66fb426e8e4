import {
  AuditLogToken,
  auditText,
  defineRoute,
  keptPrincipal,
  SchemaStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { VersionEntity } from '../shared/index.ts';
import { automationErrors } from './automation-errors.ts';
import { fewestSteps } from './automation-routes.ts';
import type { AutomationStore } from './automation-store.ts';
import { createCheckSaved } from './check-saved.ts';
import { createChannelSecrets } from './channel-secrets.ts';
import { readDefinition } from './definition-input.ts';
import { toAutomationEntity } from './entities.ts';
import type { Kinds } from './kinds.ts';
import { ofAutomation, requireAutomation } from './places.ts';
import type { TellPage } from './tell-page.ts';
import type { Watches } from './watches.ts';

const path = 'automations/:automationId/versions';

/** Lists the versions of an automation, and restores one. */
export function versionRoutes(
  ctx: ServerPluginContext,
  deps: {
    readonly automations: AutomationStore;
    readonly kinds: Kinds;
    readonly watches: Watches;
    readonly tellPage: TellPage;
  },
): readonly RouteDefinition[] {
  const { automations, kinds, watches, tellPage } = deps;
  const schema = ctx.get(SchemaStoreToken);
  const audit = ctx.get(AuditLogToken);
  const checkSaved = createCheckSaved(ctx, kinds);
  const secrets = createChannelSecrets(ctx, kinds);
  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'automationList',
      object: ofAutomation,
      summary: 'List the versions of an automation, the newest first',
      async handle(request): Promise<{ readonly list: readonly VersionEntity[] }> {
        const { automation } = requireAutomation(request);
        const list = (await automations.versions(automation.id)).map(
          ({ version, definition, author, createdAt }) => ({
            version,
            ...secrets.masked(definition),
            author,
            created_at: new Date(createdAt).toISOString(),
          }),
        );
        return { list };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:version/restore`,
      permission: 'automationSet',
      object: ofAutomation,
      summary: 'Set an automation to what one of its versions says; that is a new version',
      async handle(request) {
        const { automation, scope } = requireAutomation(request);
        const versions = await automations.versions(automation.id);
        const found = versions.find(({ version }) => String(version) === request.params.version);
        if (found === undefined) throw automationErrors.create('AUTOMATION_VERSION_NOT_FOUND');
        const read = readDefinition(found.definition, {
          kinds,
          snapshot: await schema.snapshot(scope),
          fewest: fewestSteps(automation.active),
        });
        await checkSaved(read, scope);
        const changed = await automations.change(automation.id, () => ({
          ...read,
          owner: keptPrincipal(request.principal),
        }));
        if (changed === undefined) throw automationErrors.create('AUTOMATION_NOT_FOUND');
        const { projectId, tableId, definition } = changed;
        tellPage(projectId);
        const { principal, ip } = request;
        const { title } = definition;
        await audit.record({
          type: 'AUTOMATIONS',
          subType: 'UPDATED',
          principal,
          ip,
          projectId,
          tableId,
          description: auditText('The automation {{title}} was set to its version {{version}}', {
            title,
            version: String(found.version),
          }),
        });
        const shown = { ...(await watches.begin(changed)), definition: secrets.masked(definition) };
        return toAutomationEntity(shown, { plan: kinds.timePlan(definition) });
      },
    }),
  ];
}
