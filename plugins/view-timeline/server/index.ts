import { defineServerPlugin, viewTypePermissions, viewTypeRoutes } from '@trellis/sdk/server';
import { timelineView } from '../shared/index.ts';
import { timelineProperties, toTimelineEntity, toTimelineOptions } from './timeline-entity.ts';
import { checkTimeline } from './timeline-rules.ts';

const name = 'a timeline view';

export default defineServerPlugin({
  setup(ctx) {
    const create = {
      id: 'timelineViewCreate',
      label: `Create ${name}`,
      roles: [],
      scope: 'project',
    } as const;
    ctx.register('permissions', create);
    for (const permission of viewTypePermissions(timelineView.id, name))
      ctx.register('permissions', permission);
    ctx.register('viewTypes', { ...timelineView, willSave: checkTimeline(ctx.registry('columnTypes')) });
    ctx.routes(
      ...viewTypeRoutes(ctx, {
        type: timelineView.id,
        plural: 'timelines',
        name,
        properties: timelineProperties,
        toEntity: toTimelineEntity,
        toOptions: toTimelineOptions,
      }),
    );
  },
});
