import { defineServerPlugin } from '@trellis/sdk/server';
import { waitByChance } from './wait-by-chance.ts';

export default defineServerPlugin({
  setup: (ctx) => void ctx.register('automationSteps', waitByChance),
});
