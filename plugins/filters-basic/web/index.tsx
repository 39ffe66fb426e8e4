import { defineWebPlugin } from '@trellis/sdk/web';
import { filterOperators } from '../shared/index.ts';
import { emptiness } from './emptiness.ts';
import { DistanceInput, PeriodInput } from './PeriodInput.tsx';
import './filters-basic.css';

/** The editors for values that are not values of their column. */
const inputs: Readonly<Record<string, typeof PeriodInput>> = {
  within: PeriodInput,
  older: DistanceInput,
  later: DistanceInput,
};

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const operator of filterOperators) {
      const ValueInput = inputs[operator.id];
      ctx.register('filterOperators', {
        ...operator,
        ...emptiness[operator.id],
        ...(ValueInput && { ValueInput }),
      });
    }
  },
});
