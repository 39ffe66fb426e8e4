/**
 * Reads a query string: repeated keys and `key[]=` make arrays, `nested[Title][limit]=1` makes objects, everything else is
 * text. The objects have no prototype, and a key can name nothing on one.
 */
export function parseQuery(text: string): Record<string, unknown> {
  const query = emptyObject();
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > 1000) break;
    place(query, pathOf(name), value);
  }
  return query;
}

function emptyObject(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** `a[b][c]` as `a`, `b`, `c`; a closing `[]` is dropped, since repetition alone makes an array. */
function pathOf(name: string): readonly string[] {
  const first = name.indexOf('[');
  if (first <= 0 || !name.endsWith(']')) return [name];
  const inner = name.slice(first + 1, -1).split('][');
  return [name.slice(0, first), ...inner].filter((part, index) => index === 0 || part !== '').slice(0, 4);
}

function place(query: Record<string, unknown>, path: readonly string[], value: string): void {
  let at = query;
  for (const part of path.slice(0, -1)) {
    const next = at[part];
    const inner =
      typeof next === 'object' && next !== null && !Array.isArray(next)
        ? (next as Record<string, unknown>)
        : emptyObject();
    at[part] = inner;
    at = inner;
  }
  const last = path.at(-1) ?? '';
  const known = at[last];
  at[last] =
    known === undefined ? value : Array.isArray(known) ? [...(known as unknown[]), value] : [known, value];
}
