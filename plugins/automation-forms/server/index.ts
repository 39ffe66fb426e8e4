import { submitMark } from '#plugins/shared-views/shared';
import { defineServerPlugin } from '@trellis/sdk/server';
import { formAnswered } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('automationTriggers', {
      ...formAnswered,
      startedBy: ({ change }, { form }) => change.op === 'insert' && change.marks?.[submitMark] === form,
    });
  },
});
