import type { Knex } from 'knex';
import type { Binding } from './session.ts';

/** A piece of SQL with its bindings. Its text comes from this folder and from quoted identifiers, never from values. */
export interface SqlFragment {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** Facts about an assembled fragment. */
interface Facts {
  readonly bindings: number;
  readonly depth: number;
  /** The parts from which its bindings are collected on demand. */
  readonly parts?: readonly SqlFragment[];
}

const known = new WeakMap<SqlFragment, Facts>();
const none: readonly Binding[] = [];

/** The size of a fragment. It is counted while fragments are assembled, so reading it costs nothing. */
export interface FragmentSize {
  readonly length: number;
  readonly bindings: number;
  /** The deepest nesting of fragments. */
  readonly depth: number;
}

export function sizeOf(fragment: SqlFragment): FragmentSize {
  const { bindings = fragment.bindings.length, depth = 0 } = known.get(fragment) ?? {};
  return { length: fragment.sql.length, bindings, depth };
}

/** Assembles fragments: sql`lower(${name})`. */
export function sql(texts: TemplateStringsArray, ...parts: readonly SqlFragment[]): SqlFragment {
  let whole = '';
  for (const [index, text] of texts.entries()) {
    const part = parts[index];
    whole += part === undefined ? text : text + part.sql;
  }
  return assembled(whole, parts);
}

/** Bindings of several parts are copied once, on demand, and not at each level; those of a single part are reused. */
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

/** Constant SQL text; a question mark in it must be written `\?`. */
export function text(fixed: string): SqlFragment {
  return { sql: fixed, bindings: [] };
}

export function joined(parts: readonly SqlFragment[], separator: string): SqlFragment {
  return assembled(parts.map((part) => part.sql).join(separator), parts);
}

export function toRaw(knex: Knex, fragment: SqlFragment): Knex.Raw {
  return knex.raw(fragment.sql, fragment.bindings as Knex.RawBinding[]);
}
