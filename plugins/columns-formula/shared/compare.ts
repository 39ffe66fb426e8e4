import { asMoment, kindWords, operand, unfit } from './fit.ts';
import type { BinaryOperator } from './parse.ts';
import type { Span } from './problems.ts';
import { compare, isNull, isTime, not, order, type Typed } from './typed.ts';

const comparisons = { '=': 'eq', '!=': 'neq', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' } as const;

/** A comparison operator. */
export type ComparisonSign = keyof typeof comparisons;

export function isComparison(operator: BinaryOperator): operator is ComparisonSign {
  return operator in comparisons;
}

/** The result of a comparison of two values; a comparison with a missing value is missing, except `= NULL`. */
export function compared(span: Span, operator: ComparisonSign, left: Typed, right: Typed): Typed {
  const isSame = operator === '=' || operator === '!=';
  const blank = isSame ? [left, right].find(({ kind }) => kind === 'nothing') : undefined;
  if (blank !== undefined) {
    const other = blank === left ? right : left;
    const missing = isNull(other.expression);
    const predicate = operator === '=' ? missing : not(missing);
    return {
      start: span.start,
      end: span.end,
      kind: 'boolean',
      predicate,
      expression: { kind: 'test', predicate },
      run: (row) => (other.run(row) === null) === (operator === '='),
    };
  }
  const [a, b] = comparable(left, right, operator);
  const predicate = compare(comparisons[operator], a.expression, b.expression);
  return {
    start: span.start,
    end: span.end,
    kind: 'boolean',
    predicate,
    expression: { kind: 'test', predicate },
    run(row) {
      const found = order(a.run(row), b.run(row));
      return found === null ? null : holds(operator, found);
    },
  };
}

function holds(operator: ComparisonSign, found: number): boolean {
  switch (operator) {
    case '=':
      return found === 0;
    case '!=':
      return found !== 0;
    case '<':
      return found < 0;
    case '<=':
      return found <= 0;
    case '>':
      return found > 0;
    case '>=':
      return found >= 0;
  }
}

/** Two values made comparable: of one kind, or a date and a quoted one. */
function comparable(left: Typed, right: Typed, operator: string): readonly [Typed, Typed] {
  if (left.kind === 'nothing' || left.kind === 'any') return [left, right];
  if (right.kind === 'nothing' || right.kind === 'any' || left.kind === right.kind) return [left, right];
  if (isTime(left.kind) && isTime(right.kind)) return [left, right];
  if (isTime(left.kind) && right.kind === 'text') return [left, asMoment(right, operand(operator))];
  if (isTime(right.kind) && left.kind === 'text') return [asMoment(left, operand(operator)), right];
  throw unfit(right, kindWords[left.kind], operand(operator));
}
