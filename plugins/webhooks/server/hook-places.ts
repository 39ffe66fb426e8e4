import {
  AccessServiceToken,
  SchemaStoreToken,
  type AccessScope,
  type RouteRequest,
  type ServerPluginContext,
  type TableHandle,
  type TableSchema,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import type { Hook, HookStore } from './hook-store.ts';

/** A webhook and its table, for somebody who may do what they ask for. */
export interface FoundHook {
  readonly hook: Hook;
  readonly scope: AccessScope;
  readonly table: TableSchema;
  readonly handle: TableHandle;
}

/** Opens the table of a webhook. Undefined for one of a project or a table that the caller may not know of. */
export function createOpenHook(ctx: ServerPluginContext) {
  const schema = ctx.get(SchemaStoreToken);
  /** @throws TrellisError 403 for a member without the permission */
  return async (hook: Hook, scope: AccessScope, permission: string): Promise<FoundHook | undefined> => {
    // Somebody who is not in the project.
    if (!scope.may('tableGet')) return undefined;
    try {
      const handle = await schema.open(scope, hook.tableId);
      handle.scope.require(permission);
      return { hook, scope, table: handle.table, handle };
    } catch (error) {
      if (error instanceof TrellisError && error.status === 404) return undefined;
      throw error;
    }
  };
}

/** Finds webhooks by the ids in paths. Undefined for one of a project or a table that the caller may not know of. */
export function createFindHook(ctx: ServerPluginContext, hooks: HookStore) {
  const access = ctx.get(AccessServiceToken);
  const open = createOpenHook(ctx);
  /** @throws TrellisError 403 for a member without the permission */
  return async (
    { params, principal, id: requestId }: Pick<RouteRequest, 'params' | 'principal' | 'id'>,
    permission: string,
  ): Promise<FoundHook | undefined> => {
    const hook = await hooks.byId(params.hookId ?? '');
    if (hook === undefined) return undefined;
    try {
      return await open(hook, await access.scopeFor(principal, hook.projectId, requestId), permission);
    } catch (error) {
      if (error instanceof TrellisError && error.status === 404) return undefined;
      throw error;
    }
  };
}
