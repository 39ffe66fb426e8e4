import { deepestComputed, type ColumnSchema } from '@trellis/sdk/server';
import { TrellisError, type Predicate } from '@trellis/sdk/shared';
import type { CompileContext, Reach } from './compile-context.ts';
import { compilePredicate } from './compile-predicate.ts';
import { hasOneValue, linkedValues } from './computed-columns.ts';

/**
 * The condition that a cell of linked rows is filled: a link leads to a row, whatever its display value, or a list has a value
 * that is not empty. Undefined for other columns, and for cells that cannot be computed.
 */
export function filledCells(context: CompileContext, column: ColumnSchema): Predicate | undefined {
  const filled = filledBy(context.reach, column, 0);
  try {
    if (filled !== undefined) compilePredicate(context, filled);
    return filled;
  } catch (error) {
    if (error instanceof TrellisError) return undefined;
    throw error;
  }
}

function filledBy(reach: Reach, column: ColumnSchema, steps: number): Predicate | undefined {
  if (column.linkId !== undefined) return { kind: 'some', linkId: column.linkId };
  if (steps > deepestComputed || hasOneValue(reach, column)) return undefined;
  const values = linkedValues(reach, column);
  if (values === undefined) return undefined;
  const isEmpty: Predicate = {
    kind: 'call',
    function: 'IS_EMPTY',
    arguments: [{ kind: 'column', columnId: values.of.id }],
  };
  const where = filledBy(reach, values.of, steps + 1) ?? { kind: 'not', item: isEmpty };
  return { kind: 'some', linkId: values.link.id, where };
}
