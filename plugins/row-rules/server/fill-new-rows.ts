import type { RowHookContext, RowInput, ServerPluginContext, TableSchema } from '@trellis/sdk/server';
import type { CellValue, FilterNode } from '@trellis/sdk/shared';
import type { RuleStore } from './rule-store.ts';

type Condition = Extract<FilterNode, { readonly kind: 'condition' }>;

/** Comparisons that a cell with the compared value meets. */
const metByValue: readonly string[] = ['eq', 'is', 'in', 'anyof', 'allof'];

/**
 * Fills empty cells of new rows with the values that the rules for their author require, so that an empty row added in a grid is
 * visible to its author. Only an unambiguous value is filled in: a single one that is consistent with all conditions of the rule.
 */
export function createFillNewRows(ctx: ServerPluginContext, rules: RuleStore) {
  const types = ctx.registry('columnTypes');
  const operators = ctx.registry('filterOperators');

  function valueFor({ operator: id, value }: Condition, type: string, { scope }: RowHookContext): CellValue {
    const operator = operators.get(id);
    if (operator === undefined || value === undefined || !metByValue.includes(id)) return null;
    const read = types.get(type)?.server?.filterValue?.(value, scope.principal, operator) ?? value;
    const parts = Array.isArray(read) ? (read as readonly CellValue[]) : [read];
    const [only = null] = parts;
    const isOne =
      parts.length === 1 && !(operator.arity === 'list' && typeof only === 'string' && only.includes(','));
    return isOne && only !== '' ? only : null;
  }

  function askedBy(filters: readonly FilterNode[], table: TableSchema, context: RowHookContext) {
    const isPlain = filters.every(
      ({ logicalOp }, index) => logicalOp === 'and' || (index === 0 && logicalOp === 'or'),
    );
    return (isPlain ? filters : []).flatMap((node) => {
      if (node.kind === 'group') return [];
      const column = table.columnById.get(node.columnId);
      if (column === undefined || column.columnName === '' || column.generated) return [];
      const value = valueFor(node, column.type, context);
      return value === null ? [] : [[column.title, value] as const];
    });
  }

  return async (inputs: readonly RowInput[], context: RowHookContext): Promise<readonly RowInput[]> => {
    const { scope, table, origin } = context;
    if (origin === 'undo' || scope.rowPredicate(table.id) === undefined) return inputs;
    const own = (await rules.list(scope.projectId ?? '')).filter(
      ({ tableId, role }) => tableId === table.id && scope.seenAs.includes(role),
    );
    const asked = own.flatMap(({ filters }) => askedBy(filters, table, context));
    return inputs.map((input) => {
      const missing = asked.filter(([title]) => input[title] === undefined || input[title] === null);
      return missing.length === 0 ? input : { ...input, ...Object.fromEntries(missing) };
    });
  };
}
