import {
  AuditLogToken,
  defineRoute,
  RouteAnswer,
  SchemaStoreToken,
  VariablesToken,
  type AccessScope,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  type TableSchema,
  auditText,
  type AuditText,
} from '@trellis/sdk/server';
import type { Hook, HookStore } from './hook-store.ts';
import { toHookEntity } from './hook-entities.ts';
import { createCheck, createIsThere } from './channels.ts';
import { hookErrors } from './hook-errors.ts';
import { hookBodySchema, readHook, type HookBody } from './hook-input.ts';
import { createFindHook } from './hook-places.ts';
import { newId, newSigningSecret } from './hook-store.ts';

type NoQuery = Record<string, unknown>;

const meta = '/api/v1/db/meta';
const ofTable = { kind: 'table', param: 'tableId' } as const;
const mostHooks = 100;

/** List, make, change and delete the webhooks of a table. */
export function hookRoutes(
  ctx: ServerPluginContext,
  deps: { readonly hooks: HookStore; readonly resume: (hook: Hook) => Promise<void> },
): readonly RouteDefinition[] {
  const { hooks, resume } = deps;
  const schema = ctx.get(SchemaStoreToken);
  const audit = ctx.get(AuditLogToken);
  const variables = ctx.get(VariablesToken);
  const find = createFindHook(ctx, hooks);
  const isThere = createIsThere(ctx);
  const check = createCheck(ctx);
  const entityOf = (hook: Hook) => toHookEntity(hook, isThere(hook.settings.notification.type));

  /** One that the caller does not see is as one that is not there. */
  function checkView(scope: AccessScope, { views }: TableSchema, { view_id: id }: HookBody): void {
    if (id === undefined || id === null || id === '') return;
    const view = views.find((one) => one.id === id);
    if (view === undefined || !scope.can(view, 'see')) throw hookErrors.create('HOOK_VIEW');
  }

  async function record(
    { principal, ip }: RouteRequest,
    hook: Hook,
    subType: string,
    description: AuditText,
  ) {
    const { projectId, baseId, tableId } = hook;
    await audit.record({ type: 'WEBHOOKS', subType, principal, ip, projectId, baseId, tableId, description });
  }

  return [
    defineRoute({
      method: 'GET',
      path: `${meta}/tables/:tableId/hooks`,
      permission: 'hookList',
      object: ofTable,
      summary: 'List the webhooks of a table',
      handle: async ({ scope, params }) => {
        const table = await schema.table(scope, params.tableId ?? '');
        return { list: (await hooks.ofTables([table.id])).map(entityOf) };
      },
    }),
    defineRoute<Record<string, string>, NoQuery, HookBody>({
      method: 'POST',
      path: `${meta}/tables/:tableId/hooks`,
      permission: 'hookCreate',
      object: ofTable,
      summary: 'Make a webhook of a table',
      schemas: { body: hookBodySchema },
      handle: async (request) => {
        const table = await schema.table(request.scope, request.params.tableId ?? '');
        if ((await hooks.ofTables([table.id])).length >= mostHooks)
          throw hookErrors.create('HOOK_MANY', { most: mostHooks });
        checkView(request.scope, table, request.body);
        const read = readHook(request.body, table, check);
        // Refused where there is no such variable, or whoever makes it may not use them.
        await variables.usedIn(read.settings.notification.payload, request.scope);
        const at = Date.now();
        const hook: Hook = {
          id: newId('hk'),
          projectId: table.projectId,
          baseId: table.baseId,
          tableId: table.id,
          ownerId: request.principal.id,
          ...read,
          secrets: { current: newSigningSecret() },
          filters: [],
          before: [],
          paused: undefined,
          failures: 0,
          retryAt: 0,
          createdAt: at,
          updatedAt: at,
        };
        await hooks.add(hook);
        await record(
          request as RouteRequest,
          hook,
          'CREATED',
          auditText('The webhook {{title}} was made', { title: hook.settings.title }),
        );
        return entityOf(hook);
      },
    }),
    defineRoute<Record<string, string>, NoQuery, HookBody>({
      method: 'PATCH',
      path: `${meta}/hooks/:hookId`,
      permission: 'signedIn',
      summary: 'Change a webhook; one that was paused goes on when it is sent as active',
      schemas: { body: hookBodySchema },
      handle: async (request) => {
        const found = await find(request, 'hookUpdate');
        if (found === undefined) return new RouteAnswer({ body: '' });
        // Refused before anything is written.
        const { notification } = readHook(request.body, found.table, check, found.hook).settings;
        if (JSON.stringify(notification) !== JSON.stringify(found.hook.settings.notification))
          await variables.usedIn(notification.payload, found.scope);
        checkView(found.handle.scope, found.table, request.body);
        const changed = await hooks.change(found.hook.id, (now) => ({
          ...readHook(request.body, found.table, check, now),
          updatedAt: Date.now(),
        }));
        if (changed === undefined) return new RouteAnswer({ body: '' });
        const { title } = changed.settings;
        await record(
          request as RouteRequest,
          changed,
          'UPDATED',
          auditText('The webhook {{title}} was changed', { title }),
        );
        if (changed.paused !== undefined && Boolean(request.body.active)) await resume(changed);
        return entityOf((await hooks.byId(changed.id)) ?? changed);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${meta}/hooks/:hookId`,
      permission: 'signedIn',
      summary: 'Delete a webhook with its log',
      handle: async (request) => {
        const found = await find(request, 'hookDelete');
        if (found === undefined || !(await hooks.remove(found.hook.id))) return 0;
        const { title } = found.hook.settings;
        await record(
          request,
          found.hook,
          'DELETED',
          auditText('The webhook {{title}} was deleted', { title }),
        );
        return 1;
      },
    }),
  ];
}
