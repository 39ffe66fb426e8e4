import type { Knex } from 'knex';
import type { Binding } from './session.ts';

/** A piece of SQL with its bindings. Its text comes from this folder and from quoted identifiers, never from values. */
export interface SqlFragment {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** What is known of a fragment that was put together. */
interface Facts {
  readonly bindings: number;
  readonly depth: number;
  /** What its bindings are read from when they are asked for. */
  readonly parts?: readonly SqlFragment[];
}

const known = new WeakMap<SqlFragment, Facts>();
const none: readonly Binding[] = [];

/** How large a fragment is. It is counted as fragments are put together, so asking costs nothing. */
export interface FragmentSize {
  readonly length: number;
  readonly bindings: number;
  /** How many fragments stand within each other at the most. */
  readonly depth: number;
}

export function sizeOf(fragment: SqlFragment): FragmentSize {
  const { bindings = fragment.bindings.length, depth = 0 } = known.get(fragment) ?? {};
  return { length: fragment.sql.length, bindings, depth };
}

/** Puts fragments together: sql`lower(${name})`. */
export function sql(texts: TemplateStringsArray, ...parts: readonly SqlFragment[]): SqlFragment {
  let whole = '';
  for (const [index, text] of texts.entries()) {
    const part = parts[index];
    whole += part === undefined ? text : text + part.sql;
  }
  return assembled(whole, parts);
}

/** Bindings of several parts are copied once, when they are asked for, and not at each level; those of one part are handed on. */
function assembled(whole: string, parts: readonly SqlFragment[]): SqlFragment {
  let [bindings, depth] = [0, 0];
  const binding: SqlFragment[] = [];
  for (const part of parts) {
    const size = known.get(part);
    const own = size?.bindings ?? part.bindings.length;
    depth = Math.max(depth, size?.depth ?? 0);
    if (own === 0) continue;
    bindings += own;
    binding.push(part);
  }
  const [only] = binding;
  const isLazy = only !== undefined && (binding.length > 1 || known.get(only)?.parts !== undefined);
  const made = isLazy ? lazy(whole, binding) : { sql: whole, bindings: only?.bindings ?? none };
  known.set(made, { bindings, depth: depth + 1, ...(isLazy && { parts: binding }) });
  return made;
}

function lazy(whole: string, parts: readonly SqlFragment[]): SqlFragment {
  let all: readonly Binding[] | undefined;
  return {
    sql: whole,
    get bindings() {
      all ??= bindingsOf(parts);
      return all;
    },
  };
}

function bindingsOf(parts: readonly SqlFragment[]): readonly Binding[] {
  const all: Binding[] = [];
  const open = parts.toReversed();
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const inside = known.get(part)?.parts;
    if (inside === undefined) for (const binding of part.bindings) all.push(binding);
    else for (const one of inside.toReversed()) open.push(one);
  }
  return all;
}

/** A bound value. */
export function bound(value: Binding): SqlFragment {
  return { sql: '?', bindings: [value] };
}

/** SQL text of ours; a question mark in it must be written `\?`. */
export function text(fixed: string): SqlFragment {
  return { sql: fixed, bindings: [] };
}

export function joined(parts: readonly SqlFragment[], separator: string): SqlFragment {
  return assembled(parts.map((part) => part.sql).join(separator), parts);
}

export function toRaw(knex: Knex, fragment: SqlFragment): Knex.Raw {
  return knex.raw(fragment.sql, fragment.bindings as Knex.RawBinding[]);
}
