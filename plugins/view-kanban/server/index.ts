import { defineServerPlugin, viewTypePermissions, viewTypeRoutes } from '@trellis/sdk/server';
import { kanbanView } from '../shared/index.ts';
import { kanbanProperties, toKanbanEntity, toKanbanOptions } from './kanban-entity.ts';
import { assertStacksNothing, checkKanban } from './kanban-rules.ts';

const name = 'a kanban view';

export default defineServerPlugin({
  setup(ctx) {
    for (const permission of viewTypePermissions(kanbanView.id, name))
      ctx.register('permissions', permission);
    ctx.register('viewTypes', { ...kanbanView, willSave: checkKanban(ctx.registry('columnTypes')) });
    ctx.tap('columns.willDelete', ({ table, columnId }) => assertStacksNothing(table, columnId));
    ctx.routes(
      ...viewTypeRoutes(ctx, {
        type: kanbanView.id,
        plural: 'kanbans',
        name,
        properties: kanbanProperties,
        toEntity: toKanbanEntity,
        toOptions: toKanbanOptions,
      }),
    );
  },
});
