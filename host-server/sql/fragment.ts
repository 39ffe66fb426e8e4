import type { Knex } from 'knex';
import type { Binding } from './session.ts';

/** A piece of SQL with its bindings. Its text comes from this folder and from quoted identifiers, never from values. */
export interface SqlFragment {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** Puts fragments together: sql`lower(${name})`. */
export function sql(texts: TemplateStringsArray, ...parts: readonly SqlFragment[]): SqlFragment {
  let whole = '';
  // Bulk writes bind tens of thousands of values in one part: it is handed on, not copied.
  let bindings: readonly Binding[] = [];
  for (const [index, text] of texts.entries()) {
    const part = parts[index];
    whole += part === undefined ? text : text + part.sql;
    if (part === undefined || part.bindings.length === 0) continue;
    bindings = bindings.length === 0 ? part.bindings : bindings.concat(part.bindings);
  }
  return { sql: whole, bindings };
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
  return {
    sql: parts.map((part) => part.sql).join(separator),
    bindings: parts.flatMap((part) => part.bindings),
  };
}

export function toRaw(knex: Knex, fragment: SqlFragment): Knex.Raw {
  return knex.raw(fragment.sql, fragment.bindings as Knex.RawBinding[]);
}
