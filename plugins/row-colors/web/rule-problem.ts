import { optionColors } from '@trellis/sdk/web';
import {
  isUnfinished,
  meetsFilters,
  NotDecided,
  readTextList,
  type ColumnEntity,
  type FilterGround,
  type FilterNode,
} from '@trellis/sdk/shared';
import type { ColorRule } from '../shared/index.ts';

/** Why a rule colours nothing, and what it names that does not exist. */
export type RuleProblem =
  | { readonly kind: 'unfinished' | 'column' | 'operator' | 'undecided' | 'value' }
  | { readonly kind: 'option'; readonly column: string; readonly option: string };

type Condition = Extract<FilterNode, { readonly kind: 'condition' }>;

/** Why a rule colours nothing; undefined for a valid one. A rule whose meaning differs from its text must not colour rows. */
export function problemOfRule(
  { filters }: ColorRule,
  ground: FilterGround,
  columns: readonly ColumnEntity[],
): RuleProblem | undefined {
  const conditions = conditionsIn(filters);
  for (const condition of conditions) {
    const problem = problemOfCondition(condition, ground, columns);
    if (problem !== undefined) return problem;
  }
  if (conditions.every((condition) => isOpen(condition, ground))) return { kind: 'unfinished' };
  try {
    meetsFilters(emptyRow(ground), filters, ground);
    return undefined;
  } catch (error) {
    if (error instanceof NotDecided) return { kind: 'undecided' };
    if (error instanceof RangeError) return { kind: 'value' };
    throw error;
  }
}

/** Whether the page can decide a column's comparison for a row. */
export function canDecide(columnId: string, operator: string, ground: FilterGround): boolean {
  const condition = { kind: 'condition', logicalOp: 'and', columnId, operator, value: '1' } as const;
  try {
    meetsFilters(emptyRow(ground), [condition], ground);
    return true;
  } catch (error) {
    if (error instanceof NotDecided) return false;
    // The value does not suit the column, but another one may.
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/** A row without values, for testing whether a rule can be decided. */
function emptyRow({ columns }: FilterGround) {
  return new Map([...columns].map(([id, { several }]) => [id, several === true ? [null] : null] as const));
}

function problemOfCondition(
  { columnId, operator: word, value }: Condition,
  ground: FilterGround,
  columns: readonly ColumnEntity[],
): RuleProblem | undefined {
  const column = columns.find(({ id }) => id === columnId);
  if (column === undefined) return { kind: 'column' };
  const known = ground.columns.get(columnId);
  if (known === undefined) return { kind: 'undecided' };
  const operator = operatorOf(ground, word);
  if (operator === undefined) return { kind: 'operator' };
  const options = optionColors({ meta: known.context.options });
  if (options.size === 0 || operator.takes === 'words' || operator.arity === 'none') return undefined;
  if (typeof value !== 'string' || value === '' || options.has(value)) return undefined;
  const option = readTextList(value).find((title) => !options.has(title));
  return option === undefined ? undefined : { kind: 'option', column: column.title, option };
}

function isOpen({ operator: word, value }: Condition, ground: FilterGround): boolean {
  const operator = operatorOf(ground, word);
  return operator === undefined || isUnfinished(operator, value);
}

function operatorOf({ operators }: FilterGround, word: string) {
  return operators.find(({ id, aliases }) => id === word || aliases?.includes(word) === true);
}

function conditionsIn(filters: readonly FilterNode[]): readonly Condition[] {
  return filters.flatMap((node) => (node.kind === 'group' ? conditionsIn(node.children) : [node]));
}
