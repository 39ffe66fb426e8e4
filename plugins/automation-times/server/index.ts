import { AutomationsToken, defineServerPlugin, SchedulesToken } from '@trellis/sdk/server';
import { startDue } from './start-due.ts';
import { timeTrigger } from './trigger.ts';

export default defineServerPlugin({
  setup(ctx) {
    const automations = ctx.get(AutomationsToken);
    const schedules = ctx.get(SchedulesToken);
    ctx.register('automationTriggers', timeTrigger);
    ctx.register('jobs', {
      id: 'automation-times.look',
      every: 15,
      run: () => startDue({ automations, schedules, now: Date.now() }),
    });
  },
});
