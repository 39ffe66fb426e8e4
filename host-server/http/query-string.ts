import { httpErrors } from './http-errors.ts';

const mostParameters = 1000;
/** `a[b][c][d]`. */
const deepest = 4;

function refuse(problem: string): never {
  throw httpErrors.create('QUERY_UNREADABLE', { problem });
}

/**
 * Reads a query string: repeated keys and `key[]=` make arrays, `nested[Title][limit]=1` makes objects, everything else is
 * text. The objects have no prototype, and a key can name nothing on one.
 *
 * Nothing is left out: a condition that got lost would turn "some rows" into "all rows".
 *
 * @throws TrellisError 400 `QUERY_UNREADABLE` for more than 1,000 parameters, keys nested deeper than four levels, a key that is
 * text and object at once, and bytes that are not UTF-8.
 */
export function parseQuery(text: string): Record<string, unknown> {
  const query = emptyObject();
  if (text === '') return query;
  let count = 0;
  let replaced = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > mostParameters) refuse(`it has more than ${mostParameters} parameters`);
    replaced += replacementsIn(name) + replacementsIn(value);
    place(query, pathOf(name), value);
  }
  // Bytes that are no UTF-8 would arrive as replacement characters, so they are refused.
  if (replaced !== (text.match(/%EF%BF%BD|\uFFFD/gi)?.length ?? 0)) refuse('it is not valid UTF-8');
  return query;
}

function replacementsIn(text: string): number {
  return text.includes('\uFFFD') ? text.split('\uFFFD').length - 1 : 0;
}

function emptyObject(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** `a[b][c]` as `a`, `b`, `c`; a closing `[]` is dropped, since repetition alone makes an array. */
function pathOf(name: string): readonly string[] {
  const first = name.indexOf('[');
  if (first <= 0 || !name.endsWith(']')) return [name];
  const inner = name.slice(first + 1, -1).split('][');
  const path = [name.slice(0, first), ...inner.filter((part) => part !== '')];
  if (path.length > deepest) refuse(`a key is nested deeper than ${deepest} levels`);
  return path;
}

function place(query: Record<string, unknown>, path: readonly string[], value: string): void {
  let at = query;
  for (const part of path.slice(0, -1)) {
    at[part] ??= emptyObject();
    const next = at[part];
    if (typeof next !== 'object' || Array.isArray(next)) refuseMixed(path);
    at = next as Record<string, unknown>;
  }
  const last = path.at(-1) ?? '';
  const known = at[last];
  if (known === undefined) at[last] = value;
  else if (Array.isArray(known)) known.push(value);
  else if (typeof known === 'string') at[last] = [known, value];
  else refuseMixed(path);
}

function refuseMixed([key = '']: readonly string[]): never {
  refuse(`'${key.slice(0, 60)}' is a text and a group of values at once`);
}
