import { isDeepStrictEqual } from 'node:util';
import {
  defineRoute,
  requireRevision,
  RouteAnswer,
  OutboxToken,
  SchemaStoreToken,
  VariablesToken,
  type AccessScope,
  type Principal,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  type TableHandle,
  type TableSchema,
  auditText,
} from '@trellis/sdk/server';
import type { Hook, HookPatch, HookStore } from './hook-store.ts';
import type { HookEntity } from '../shared/index.ts';
import { failuresOf } from './failing-hooks.ts';
import { hookRevision, partOf, toHookEntity, toWholeHookEntity, type HookStanding } from './hook-entities.ts';
import { createChannelSettings, createIsThere } from './channels.ts';
import { createCheckTarget } from './check-target.ts';
import { hookErrors } from './hook-errors.ts';
import {
  hookBodySchema,
  readConditions,
  readHook,
  withNewIds,
  type HookBody,
  type HookInput,
} from './hook-input.ts';
import { hookIn, ofHook, requireHook, type FoundHook } from './hook-places.ts';
import { newId, newSigningSecret } from './hook-store.ts';
import { createRecord } from './record.ts';
import { createAssertSeesWholeRows } from './sees-whole-rows.ts';
import { createCheckConditions } from './set-conditions.ts';

type NoQuery = Record<string, unknown>;

const meta = '/api/v1/db/meta';
const ofTable = { kind: 'table', param: 'tableId' } as const;
const mostHooks = 100;
/** The keys of a call that only stops a webhook. */
const stopKeys = new Set(['active', 'replaces']);

/** List, make, change and delete the webhooks of a table. */
export function hookRoutes(
  ctx: ServerPluginContext,
  deps: {
    readonly hooks: HookStore;
    readonly resume: (hook: Hook, by: Principal) => Promise<void>;
    /** Begins to forget the deliveries of webhooks that are gone. */
    readonly forgetDeliveries: (hookIds: readonly string[]) => void;
  },
): readonly RouteDefinition[] {
  const { hooks, resume, forgetDeliveries } = deps;
  const outbox = ctx.get(OutboxToken);
  const schema = ctx.get(SchemaStoreToken);
  const record = createRecord(ctx);
  const variables = ctx.get(VariablesToken);
  const isThere = createIsThere(ctx);
  const channels = createChannelSettings(ctx);
  const checkTarget = createCheckTarget(ctx);
  const checkConditions = createCheckConditions(ctx);
  const assertSeesWholeRows = createAssertSeesWholeRows(ctx);

  /** What is known of webhooks beside what people set. */
  async function standings(list: readonly Hook[]): Promise<(hook: Hook) => HookStanding> {
    const going = list.filter(({ active, paused }) => active && paused === undefined);
    const failures = await failuresOf(ctx.db, going);
    return ({ id, settings }) => ({
      masked: channels.masked,
      isThere: isThere(settings.notification.type),
      failure: failures.get(id),
    });
  }

  async function entityOf(hook: Hook): Promise<HookEntity> {
    return toHookEntity(hook, (await standings([hook]))(hook));
  }

  /** A view that the caller does not see is answered like a missing one. */
  function checkView(
    scope: AccessScope,
    { views }: TableSchema,
    { view_id: id }: Pick<HookBody, 'view_id'>,
  ): void {
    if (id === undefined || id === null || id === '') return;
    const view = views.find((one) => one.id === id);
    if (view === undefined || !scope.can(view, 'see')) throw hookErrors.create('HOOK_VIEW');
  }

  /** The conditions of a body, after they were checked. */
  async function conditionsIn(
    { conditions }: HookBody,
    of: Pick<FoundHook, 'handle' | 'scope'> & Partial<Pick<FoundHook, 'hook'>>,
  ): Promise<Partial<Pick<Hook, 'filters' | 'before'>>> {
    const read: Partial<Record<'filters' | 'before', Hook['filters']>> = {};
    for (const when of ['after', 'before'] as const) {
      const given = conditions?.[when];
      if (given === undefined || given === null) continue;
      const filters = readConditions(given, of.hook);
      await checkConditions(of, when, filters);
      read[partOf[when]] = filters;
    }
    return read;
  }

  /** Whether the caller may make another webhook of a table. */
  async function assertRoom(handle: TableHandle): Promise<void> {
    await assertSeesWholeRows(handle);
    if ((await hooks.ofTables([handle.table.id])).length >= mostHooks)
      throw hookErrors.create('HOOK_MANY', { most: mostHooks });
  }

  /** Refuses a receiver that nobody may call, and variables that are not there or not the author's to use. */
  async function assertMaySend({ settings: { notification } }: HookInput, scope: AccessScope): Promise<void> {
    await checkTarget(notification);
    await variables.usedIn(notification.payload, scope);
  }

  /** Makes a webhook of the caller's. */
  async function make(
    request: Pick<RouteRequest, 'principal'> & Parameters<typeof record>[0],
    { table }: TableHandle,
    set: HookInput & Partial<Pick<Hook, 'filters' | 'before'>>,
  ): Promise<HookEntity> {
    const at = Date.now();
    const hook: Hook = {
      id: newId('hk'),
      projectId: table.projectId,
      baseId: table.baseId,
      tableId: table.id,
      owner: request.principal,
      secrets: { current: newSigningSecret() },
      filters: [],
      before: [],
      ...set,
      paused: undefined,
      dropped: 0,
      failures: 0,
      retryAt: 0,
      logPlace: await outbox.end(),
      createdAt: at,
      updatedAt: at,
    };
    await hooks.add(hook);
    const { title } = hook.settings;
    await record(request, hook, 'CREATED', auditText('The webhook {{title}} was made', { title }));
    return entityOf(hook);
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
        const list = await hooks.ofTables([table.id]);
        const standingOf = await standings(list);
        return { list: list.map((hook) => toHookEntity(hook, standingOf(hook))) };
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
        const handle = await schema.open(request.scope, request.params.tableId ?? '');
        const { table } = handle;
        await assertRoom(handle);
        checkView(request.scope, table, request.body);
        const read = readHook(request.body, table, channels);
        await assertMaySend(read, request.scope);
        const conditions = await conditionsIn(request.body, { handle, scope: request.scope });
        return make(request, handle, { ...read, ...conditions });
      },
    }),
    defineRoute<Record<string, string>, NoQuery, { readonly title: string }>({
      method: 'POST',
      path: `${meta}/hooks/:hookId/duplicate`,
      permission: 'hookCreate',
      object: ofHook,
      summary:
        'Make a copy of a webhook, which is switched off: with the rights of whoever makes it, a log of its own, and a secret that is new',
      schemas: {
        body: {
          type: 'object',
          required: ['title'],
          properties: { title: { type: 'string', maxLength: 1000 } },
        },
      },
      unknownKeys: 'refuse',
      handle: async (request) => {
        const { hook, handle, scope, table } = requireHook(request);
        await assertRoom(handle);
        const { title } = request.body;
        const read = readHook({ title, active: false }, table, channels, hook);
        checkView(handle.scope, table, read.settings);
        await assertMaySend(read, scope);
        const conditions = { filters: withNewIds(hook.filters), before: withNewIds(hook.before) };
        await checkConditions({ handle, scope }, 'after', conditions.filters);
        await checkConditions({ handle, scope }, 'before', conditions.before);
        return make(request, handle, { ...read, ...conditions });
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${meta}/hooks/:hookId`,
      permission: 'hookList',
      object: ofHook,
      summary: 'Read a webhook with its conditions',
      handle: async (request) => {
        const { hook, table } = requireHook(request);
        return toWholeHookEntity(hook, { table, ...(await standings([hook]))(hook) });
      },
    }),
    defineRoute<Record<string, string>, NoQuery, HookBody>({
      method: 'PATCH',
      path: `${meta}/hooks/:hookId`,
      permission: 'hookUpdate',
      object: ofHook,
      summary: 'Change a webhook; one that was paused goes on when it is sent as active',
      schemas: { body: hookBodySchema },
      handle: async (request) => {
        const found = hookIn(request);
        if (found === undefined) return ofNobody(request.body);
        // Refused before anything is written. People who find a webhook that goes wrong may stop it, whatever it sends.
        const isStop =
          request.body.active === false && Object.keys(request.body).every((key) => stopKeys.has(key));
        if (!isStop) await assertSeesWholeRows(found.handle);
        const { notification } = readHook(request.body, found.table, channels, found.hook).settings;
        if (JSON.stringify(notification) !== JSON.stringify(found.hook.settings.notification)) {
          await checkTarget(notification);
          await variables.usedIn(notification.payload, found.scope);
        }
        checkView(found.handle.scope, found.table, request.body);
        const conditions = await conditionsIn(request.body, found);
        const changed = await hooks.change(found.hook.id, (now) => {
          requireRevision(request.body.replaces, hookRevision(now));
          const next = {
            ...readHook(request.body, found.table, channels, now),
            ...conditions,
            updatedAt: Date.now(),
          };
          return { ...next, ...(tellsOtherwise(now, next) && { owner: request.principal }) };
        });
        if (changed === undefined) return ofNobody(request.body);
        const { title } = changed.settings;
        await record(request, changed, 'UPDATED', auditText('The webhook {{title}} was changed', { title }));
        // While its channel is off, events keep waiting, and dropped ones are still counted.
        const wasStill =
          changed.paused !== undefined ||
          (changed.dropped > 0 && isThere(changed.settings.notification.type));
        if (wasStill && Boolean(request.body.active)) await resume(changed, request.principal);
        return entityOf((await hooks.byId(changed.id)) ?? changed);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${meta}/hooks/:hookId`,
      permission: 'hookDelete',
      object: ofHook,
      summary: 'Delete a webhook with its log',
      handle: async (request) => {
        const found = hookIn(request);
        if (found === undefined || !(await hooks.remove(found.hook.id))) return 0;
        forgetDeliveries([found.hook.id]);
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

/**
 * Whether a change makes a webhook send something else, or to somebody else. The author of such a change then becomes the owner,
 * since the former owner cannot answer for it.
 */
function tellsOtherwise(before: Hook, next: HookPatch): boolean {
  const named = { title: '', description: '' };
  const told = ({ operation, settings, filters, before: first }: Hook) => [
    operation,
    { ...settings, ...named },
    filters,
    first,
  ];
  return !isDeepStrictEqual(told({ ...before, ...next }), told(before));
}

/**
 * What a change of a webhook that is not there answers: nothing, as clients of the v1 API expect it.
 *
 * @throws TrellisError `HOOK_NOT_FOUND` for a caller who says over what it was made, and is not to believe that it is kept
 */
function ofNobody({ replaces }: HookBody): RouteAnswer {
  if (replaces !== undefined) throw hookErrors.create('HOOK_NOT_FOUND');
  return new RouteAnswer({ body: '' });
}
