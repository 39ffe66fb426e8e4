import { defineServerPlugin, viewTypePermissions, viewTypeRoutes } from '@trellis/sdk/server';
import { calendarView } from '../shared/index.ts';
import { calendarProperties, toCalendarEntity, toCalendarOptions } from './calendar-entity.ts';
import { checkCalendar } from './calendar-rules.ts';

const name = 'a calendar view';

export default defineServerPlugin({
  setup(ctx) {
    const create = {
      id: 'calendarViewCreate',
      label: `Create ${name}`,
      roles: [],
      scope: 'project',
    } as const;
    ctx.register('permissions', create);
    for (const permission of viewTypePermissions(calendarView.id, name))
      ctx.register('permissions', permission);
    ctx.register('viewTypes', { ...calendarView, willSave: checkCalendar(ctx.registry('columnTypes')) });
    ctx.routes(
      ...viewTypeRoutes(ctx, {
        type: calendarView.id,
        plural: 'calendars',
        name,
        properties: calendarProperties,
        toEntity: toCalendarEntity,
        toOptions: toCalendarOptions,
      }),
    );
  },
});
