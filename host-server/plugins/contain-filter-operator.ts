import { isExpected, type BudgetSubject } from '@trellis/core';
import { NotDecided, type FilterOperator, type Predicate } from '@trellis/sdk/shared';
import { queryErrors } from '../query/query-errors.ts';
import type { PluginErrors } from '../runtime/tokens.ts';

const leaves: ReadonlySet<unknown> = new Set<Predicate['kind']>([
  'always',
  'compare',
  'in',
  'between',
  'like',
  'contains',
  'isNull',
  'some',
  'call',
]);

/**
 * Wraps an operator for all callers. An answer that is no condition, or an error, is charged to its plugin, and the query is
 * refused with 500 `FILTER_OPERATOR_FAILED`. A `RangeError`, by which the operator refuses a value, and a `NotDecided` from what
 * it asks are passed on.
 */
export function containFilterOperator(
  operator: FilterOperator,
  subject: BudgetSubject,
  errors: PluginErrors,
): FilterOperator {
  function contained<Input>(build: (input: Input) => Predicate) {
    return (input: Input): Predicate => {
      try {
        const condition = build(input);
        assertCondition(condition);
        return condition;
      } catch (error) {
        if (isExpected(error) || error instanceof RangeError || error instanceof NotDecided) throw error;
        errors.charge(subject, error);
        throw queryErrors.create('FILTER_OPERATOR_FAILED', { operator: operator.label }, error);
      }
    };
  }

  const build = operator.build.bind(operator);
  const buildLinked = operator.buildLinked?.bind(operator);
  // An operator may be an instance of a class, whose methods are inherited.
  return Object.assign(Object.create(Object.getPrototypeOf(operator) as object) as FilterOperator, operator, {
    build: contained(build),
    ...(buildLinked && { buildLinked: contained(buildLinked) }),
  });
}

/** @throws TypeError for a value that is no condition, or contains a part that is none */
function assertCondition(condition: unknown): void {
  const { kind, item, items }: { kind?: unknown; item?: unknown; items?: unknown } = Object(condition);
  if (kind === 'not') return assertCondition(item);
  if ((kind === 'and' || kind === 'or') && Array.isArray(items)) return items.forEach(assertCondition);
  if (leaves.has(kind)) return;
  const shown = (JSON.stringify(condition) ?? String(condition)).slice(0, 60);
  throw new TypeError(`'build' gave ${shown}; it answers a condition, such as { kind: 'isNull', item }`);
}
