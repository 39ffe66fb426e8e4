import type { SqlFragment } from '../../sql/fragment.ts';
import type { Binding } from '../../sql/session.ts';
import type { SqlType } from '../functions/default.ts';
import { parseNativeType } from '../types/default.ts';

/**
 * Types whose values are bound in arrays, and the type of the elements. None of them has a length: PostgreSQL cuts a text that is
 * cast to a length, and refuses one that is too long only where it is stored.
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
  // `character` alone is one character.
  ['character', 'character varying'],
]);

/**
 * Rows as one array for each column, each bound as a text in PostgreSQL's notation of arrays. Undefined where the type of a column
 * is none of the common ones.
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
  // As where values are bound one by one: `undefined`, objects and numbers that are none are mistakes of the caller.
  const isNone = typeof value === 'number' && !Number.isFinite(value);
  if (value === undefined || typeof value === 'object' || isNone)
    throw new TypeError(`An array takes text, numbers, booleans, bytes and null, but not ${typeof value}`);
  return String(value);
}
