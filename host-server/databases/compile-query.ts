import type { Query } from '../sql/unit.ts';
import type { Binding, SessionStatement } from '../sql/session.ts';

/** Turns a builder into SQL with `?` placeholders and checked bindings. */
export function compileQuery(query: Query): SessionStatement {
  if (!('toSQL' in query)) return { ...query, bindings: checkBindings(query.bindings) };
  const compiled = query.toSQL();
  if (Array.isArray(compiled)) {
    throw new TypeError('A query must be one statement; run the statements one by one');
  }
  return { sql: compiled.sql, bindings: checkBindings(compiled.bindings) };
}

/** Refuses values that a driver would convert silently: objects, arrays, dates, NaN, undefined. */
export function checkBindings(bindings: readonly unknown[] | undefined): readonly Binding[] {
  if (bindings === undefined || areBindings(bindings)) return bindings ?? [];
  const index = bindings.findIndex((value) => !isBinding(value));
  throw new TypeError(
    `Binding ${index + 1} is ${describe(bindings[index])}; bind text, finite numbers, booleans, null or bytes ` +
      '(JSON and dates as text)',
  );
}

function areBindings(values: readonly unknown[]): values is readonly Binding[] {
  return values.every(isBinding);
}

function isBinding(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'bigint':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    default:
      return value === null || value instanceof Uint8Array;
  }
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return typeof value;
  return value.constructor?.name ?? 'an object';
}

/**
 * Writes the placeholders in a driver's form: `?` becomes `placeholder(index, value)`, `\?` becomes a plain `?`. The question marks
 * of quoted identifiers are already escaped here.
 */
export function placeBindings(
  sql: string,
  bindings: readonly Binding[],
  placeholder: (index: number, value: Binding) => string,
): string {
  let index = 0;
  const placed = sql.replace(/\\?\?/g, (mark) => {
    if (mark !== '?') return '?';
    const value = bindings[index];
    if (value === undefined) throw new TypeError('The statement has more placeholders than bindings');
    index += 1;
    return placeholder(index - 1, value);
  });
  if (index < bindings.length) throw new TypeError('The statement has fewer placeholders than bindings');
  return placed;
}

/** The text with `$1`, `$2`... as placeholders, and their number; `\?` becomes a plain `?`. */
export function numberPlaceholders(sql: string): { readonly text: string; readonly count: number } {
  let count = 0;
  const text = sql.replace(/\\?\?/g, (mark) => {
    if (mark !== '?') return '?';
    count += 1;
    return `$${count}`;
  });
  return { text, count };
}

const LEADING = /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))+/;

/** A statement without leading comments, spaces and semicolons, so that its first word shows its kind. */
export function fromFirstWord(sql: string): string {
  return sql.replace(LEADING, '');
}
