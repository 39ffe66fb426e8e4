import { defineServerPlugin } from '@trellis/sdk/server';
import { taskNotices } from '../shared/notices.ts';
import { tellOfEnds } from './tell-ended.ts';
import { taskRoutes } from './task-routes.ts';

export default defineServerPlugin({
  setup(ctx) {
    for (const kind of taskNotices) ctx.register('noticeKinds', kind);
    tellOfEnds(ctx);
    ctx.routes(...taskRoutes(ctx));
  },
});
