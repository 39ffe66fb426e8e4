import {
  RowStoreToken,
  SchemaStoreToken,
  type AccessScope,
  type FilterHome,
  type FilterInput,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors, type FilterEntity } from '@trellis/sdk/shared';
import type { Condition, Watch, WatchStore } from './watch-store.ts';

const errors = defineErrors({
  WATCH_MISSING: { status: 404, message: 'This watch is not there (any more).' },
});

/** Lets the conditions of watches be read and changed by their ids, as the filters of views are. */
export function watchHome(ctx: ServerPluginContext, watches: WatchStore): FilterHome {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  /** A watch with its table, which is there for the scope. */
  async function find(scope: AccessScope, id: string) {
    const watch = await watches.find(id);
    return watch?.projectId === scope.projectId
      ? watch && { watch, table: await schema.open(scope, watch.tableId) }
      : undefined;
  }

  /** A watch is changed by whoever made it alone. */
  async function findOwn(scope: AccessScope, id: string) {
    const found = await find(scope, id);
    if (found?.watch.accountId !== scope.principal.id) throw errors.create('WATCH_MISSING');
    return found;
  }

  return {
    id: 'acme-watch',
    projectOf: async (id) => (await watches.find(id))?.projectId,
    async read(scope, id) {
      const found = await find(scope, id);
      return found && toEntity(found.watch, found.table.table.baseId);
    },
    async update(scope, id, patch) {
      const { watch, table } = await findOwn(scope, id);
      const filter = patched(watch.filter, patch);
      // What no filter can be is refused where rows are asked by it.
      await rows.count(table, { filters: [filter] });
      await watches.setFilter(id, filter);
    },
    async remove(scope, id) {
      const { watch } = await findOwn(scope, id);
      await watches.end({ id: watch.id });
    },
  };
}

function patched(filter: Condition, patch: Partial<FilterInput>): Condition {
  const { columnId = filter.columnId, operator = filter.operator, value = filter.value } = patch;
  return { ...filter, columnId, operator, value };
}

function toEntity({ id, projectId, filter }: Watch, baseId: string): FilterEntity {
  return {
    id,
    base_id: baseId,
    project_id: projectId,
    fk_view_id: null,
    fk_hook_id: null,
    fk_column_id: filter.columnId,
    fk_parent_id: null,
    logical_op: filter.logicalOp,
    comparison_op: filter.operator,
    value: filter.value ?? null,
    is_group: null,
    order: 1,
    // It keeps no times.
    created_at: '',
    updated_at: '',
  };
}
