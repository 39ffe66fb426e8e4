import {
  AccessServiceToken,
  reachedTables,
  SchemaStoreToken,
  type AccessScope,
  type ServerPluginContext,
  type TableSchema,
} from '@trellis/sdk/server';
import { hookErrors } from './hook-errors.ts';

/** A table and the caller. */
interface Seen {
  readonly table: Pick<TableSchema, 'id' | 'projectId'>;
  readonly scope: AccessScope;
}

/** Whether a person sees all of a table, and of the rows that its rows are computed from, as a webhook sends them. */
export function createSeesWholeRows(ctx: ServerPluginContext) {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const types = ctx.registry('columnTypes');
  return async ({ table: { id, projectId }, scope }: Seen): Promise<boolean> => {
    const snapshot = await schema.snapshot(access.systemScope(projectId, 'webhooks'));
    const table = snapshot.tables.get(id);
    const all = [id, ...(table === undefined ? [] : reachedTables(table, types, snapshot))];
    return all.every(
      (of) =>
        scope.reaches(of) && scope.readableColumns(of) === 'all' && scope.rowPredicate(of) === undefined,
    );
  };
}

/**
 * A webhook sends whole rows, and its conditions read them whole: a person who sees only a part of them, or of the rows that they
 * are computed from, must not decide where they are sent.
 */
export function createAssertSeesWholeRows(ctx: ServerPluginContext) {
  const seesWholeRows = createSeesWholeRows(ctx);
  /** @throws TrellisError 403 `HOOK_LIMITED` */
  return async (handle: Seen): Promise<void> => {
    if (!(await seesWholeRows(handle))) throw hookErrors.create('HOOK_LIMITED');
  };
}
