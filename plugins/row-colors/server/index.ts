import { defineServerPlugin } from '@trellis/sdk/server';
import type { FilterNode, FilterOperator } from '@trellis/sdk/shared';
import { rowColors } from '../shared/index.ts';

export default defineServerPlugin({
  setup(ctx) {
    const operators = ctx.registry('filterOperators');
    ctx.register('viewAdditions', {
      ...rowColors,
      told(kept, isSeen, { isVisitor }) {
        const told = rowColors.told(kept, isSeen);
        if (!isVisitor) return told;
        const known = operators.list();
        return { ...told, rules: told.rules.filter(({ filters }) => isForVisitors(filters, known)) };
      },
    });
  },
});

/** Whether the conditions contain nothing that only members may know, such as picked rows. */
function isForVisitors(filters: readonly FilterNode[], operators: readonly FilterOperator[]): boolean {
  return filters.every((node) => {
    if (node.kind === 'group') return isForVisitors(node.children, operators);
    const { operator: word } = node;
    const operator = operators.find(({ id, aliases }) => id === word || aliases?.includes(word) === true);
    return operator !== undefined && operator.membersOnly !== true;
  });
}
