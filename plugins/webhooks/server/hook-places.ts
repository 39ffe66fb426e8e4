import {
  defineObjectHome,
  SchemaStoreToken,
  type AccessScope,
  type ObjectHome,
  type RouteRequest,
  type ServerPluginContext,
  type TableHandle,
  type TableSchema,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { hookErrors } from './hook-errors.ts';
import type { Hook, HookStore } from './hook-store.ts';

/** For routes whose paths name a webhook. */
export const ofHook = { kind: 'kept', home: 'hook', param: 'hookId' } as const;

/** Finds webhooks by id. */
export function hookHome(hooks: Pick<HookStore, 'byId'>): ObjectHome {
  return defineObjectHome<Hook>({
    id: ofHook.home,
    async find(id) {
      const hook = await hooks.byId(id);
      return hook && { projectId: hook.projectId, tableId: hook.tableId, object: hook };
    },
  });
}

/** A webhook and its table, for a caller with the required permission. */
export interface FoundHook {
  readonly hook: Hook;
  readonly scope: AccessScope;
  readonly table: TableSchema;
  readonly handle: TableHandle;
}

/** Opens the table of a webhook. Undefined if the caller must not know of its project or table. */
export function createOpenHook(ctx: ServerPluginContext) {
  const schema = ctx.get(SchemaStoreToken);
  /** @throws TrellisError 403 for a member without the permission */
  return async (hook: Hook, scope: AccessScope, permission: string): Promise<FoundHook | undefined> => {
    // The caller is no member of the project.
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

/** The webhook in a path; undefined if there is none for the caller. */
export function hookIn({
  kept,
  scope,
  table: handle,
}: Pick<RouteRequest, 'kept' | 'scope' | 'table'>): FoundHook | undefined {
  if (kept === undefined || handle === undefined) return undefined;
  return { hook: kept as Hook, scope, table: handle.table, handle };
}

/** The same. @throws TrellisError 404 */
export function requireHook(request: Pick<RouteRequest, 'kept' | 'scope' | 'table'>): FoundHook {
  const found = hookIn(request);
  if (found === undefined) throw hookErrors.create('HOOK_NOT_FOUND');
  return found;
}
