import type { SqlFragment } from '../../sql/fragment.ts';
import type { Binding } from '../../sql/session.ts';
import type { SqlType } from '../functions/default.ts';
import { parseNativeType } from '../types/default.ts';

/**
 * Types whose values are bound in arrays, with the type of the elements. None has a length: a cast to a type with a length
 * truncates a text, whereas storing a text that is too long fails.
 */
const ELEMENTS: ReadonlyMap<string, string> = new Map([
  ...[
    'smallint',
    'integer',
    'bigint',
    'boolean',
    'numeric',
    'real',
    'double precision',
    'character varying',
    'text',
    'date',
    'timestamp without time zone',
    'timestamp with time zone',
    'time without time zone',
    'json',
    'jsonb',
    'uuid',
    'bytea',
  ].map((name) => [name, name] as const),
  // `character` without a length is one character.
  ['character', 'character varying'],
]);

/**
 * Rows as one array per column, each bound as a text in PostgreSQL's array notation. Undefined when a column's type is none of
 * the common ones.
 */
export function arraysOf(
  types: readonly SqlType[],
  rows: readonly (readonly Binding[])[],
): readonly SqlFragment[] | undefined {
  const elements = types.map(({ native = '' }) => ELEMENTS.get(parseNativeType(native).name));
  if (!elements.every((element) => element !== undefined)) return undefined;
  return elements.map((element, place) => ({ sql: `?::${element}[]`, bindings: [arrayText(rows, place)] }));
}

function arrayText(rows: readonly (readonly Binding[])[], place: number): string {
  let text = '';
  for (const row of rows) text += `${text === '' ? '{' : ','}${elementText(row[place])}`;
  return `${text}}`;
}

function elementText(value: Binding | undefined): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  // As with values that are bound one by one: `undefined`, objects and NaN are errors of the caller.
  const isNone = typeof value === 'number' && !Number.isFinite(value);
  if (value === undefined || typeof value === 'object' || isNone)
    throw new TypeError(`An array takes text, numbers, booleans, bytes and null, but not ${typeof value}`);
  return String(value);
}
