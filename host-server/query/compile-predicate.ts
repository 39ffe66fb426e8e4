import type { Comparison, Predicate } from '@trellis/sdk/shared';
import { isText, likePattern } from '../dialects/functions/default.ts';
import { inParts } from '../sql/in-parts.ts';
import { joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { aligned, compileExpression } from './compile-expression.ts';
import { seeingAll, type CompileContext } from './compile-context.ts';
import { summing } from './expression-limits.ts';
import { compileSome } from './compile-related.ts';
import { queryErrors } from './query-errors.ts';

const ordered: Readonly<Record<Exclude<Comparison, 'eq' | 'neq'>, '<' | '<=' | '>' | '>='>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

const missing = text('null');

/** The most characters of the conditions of one statement: there may be hundreds, and each may be as long as the longest formula. */
const longest = 1_000_000;

/**
 * Turns a condition into SQL through the dialect. Values are bound; names come from the metadata.
 *
 * @throws TrellisError as `compileExpression` does.
 */
export function compilePredicate(context: CompileContext, predicate: Predicate): SqlFragment {
  const { functions } = context.dialect;
  switch (predicate.kind) {
    case 'always':
      return text(predicate.value ? '1 = 1' : '1 = 0');
    case 'and':
    case 'or': {
      const items = compileAll(context, predicate.items);
      if (items.length === 0) return text(predicate.kind === 'and' ? '1 = 1' : '1 = 0');
      return together(items, predicate.kind === 'and' ? ' and ' : ' or ');
    }
    case 'not':
      return sql`not (${compilePredicate(context, predicate.item)})`;
    case 'compare': {
      const { type, items } = aligned(context, [predicate.left, predicate.right]);
      const [left = missing, right = missing] = items.map((item) => item.sql);
      if (predicate.comparison === 'eq') return sql`(${functions.equals(type, left, right)})`;
      if (predicate.comparison === 'neq') return sql`(not (${functions.equals(type, left, right)}))`;
      return sql`(${functions.compare(type, ordered[predicate.comparison], left, right)})`;
    }
    case 'in': {
      const { type, items } = aligned(context, [predicate.item, ...predicate.values]);
      const [item = missing, ...choices] = items.map((one) => one.sql);
      return sql`(${functions.oneOf(type, item, choices)})`;
    }
    case 'between': {
      const { type, items } = aligned(context, [predicate.item, predicate.low, predicate.high]);
      const [item = missing, low = missing, high = missing] = items.map((one) => one.sql);
      return sql`(${functions.compare(type, '>=', item, low)} and ${functions.compare(type, '<=', item, high)})`;
    }
    case 'like':
    case 'contains': {
      const item = compileExpression(context, predicate.item);
      const searched = isText(item.type) ? item.sql : functions.asText(item.type, item.sql);
      const pattern =
        predicate.kind === 'like' ? escapeLike(predicate.pattern) : likePattern('contains', predicate.text);
      return sql`(${functions.like(searched, pattern)})`;
    }
    case 'isNull':
      return sql`(${compileExpression(context, predicate.item).sql} is null)`;
    case 'some':
      return compileSome(context, predicate);
    case 'call': {
      const made = compileExpression(context, predicate);
      if (made.type.kind !== 'boolean')
        throw queryErrors.create('CONDITION_EXPECTED', { function: predicate.function });
      return functions.holds(made.sql);
    }
    // Predicates of plugins are not checked at run time. Leaving an unknown condition out would let every row through.
    default:
      throw new TypeError(
        `There is no kind of condition '${String((predicate as { kind?: unknown }).kind)}'.`,
      );
  }
}

/** @throws TrellisError 400 `EXPRESSION_TOO_LARGE` as soon as the conditions together are too long. */
function compileAll(context: CompileContext, items: readonly Predicate[]): readonly SqlFragment[] {
  // Conditions may take half of the statement's bindings; the other half is left for the rest of the statement.
  const bindings = context.dialect.limits.parametersPerStatement / 2;
  const add = summing({ length: longest, bindings });
  return items.map((item) => {
    const one = compilePredicate(context, item);
    add(one);
    return one;
  });
}

/** Most items of one chain of `and` or `or`: SQLite counts each item as a level, and takes 1,000 levels. */
const mostTogether = 10;

function together(items: readonly SqlFragment[], by: ' and ' | ' or '): SqlFragment {
  return items.length <= mostTogether
    ? sql`(${joined(items, by)})`
    : together(
        inParts(items, Math.max(mostTogether, Math.ceil(items.length / mostTogether))).map((part) =>
          together(part, by),
        ),
        by,
      );
}

/** The condition that makes rows visible to the caller. It does not depend on the caller's other rights. */
export function compileRule(context: CompileContext, rule: Predicate): SqlFragment {
  return compilePredicate(seeingAll(context), rule);
}

/** `%` is the one wildcard of the product; `!` escapes in every dialect's `like`. */
function escapeLike(pattern: string): string {
  return pattern.replace(/[!_]/g, '!$&');
}
