/** A longer value of a parameter leads nowhere. */
const LONGEST_VALUE = 2000;

/** The item at a path, and the values of the path's parameters. */
export interface PathMatch<T> {
  readonly value: T;
  readonly params: Record<string, string>;
}

interface Leaf<T> {
  readonly value: T;
  /** The names of the parameters on the way, in order; that of `*` is `*`. */
  readonly names: readonly string[];
}

interface Branch<T> {
  readonly named: Map<string, Branch<T>>;
  any?: Branch<T>;
  rest?: Leaf<T>;
  leaf?: Leaf<T>;
}

/**
 * Finds by a path what was added at `/users/:id` or `/files/*`. A parameter is one whole segment, `*` at the end is all that is left.
 * At each segment a text goes before a parameter and that before `*`. A slash at the end of a path means nothing.
 */
export class PathTree<T> {
  readonly #root: Branch<T> = { named: new Map() };

  /** A path that is taken leads to the new value. @throws Error for a path that is written in another way. */
  add(path: string, value: T): void {
    const names: string[] = [];
    let branch = this.#root;
    const segments = segmentsOf(path);
    for (const [index, segment] of segments.entries()) {
      if (segment === '*' && index === segments.length - 1) {
        branch.rest = { value, names: [...names, '*'] };
        return;
      }
      const [, name] = /^:(\w+)$/.exec(segment) ?? [];
      if (name === undefined && /[:*]/.test(segment)) {
        throw new Error(
          `The path '${path}' cannot be served: a parameter is a whole part of it, as in '/users/:id', and '*' its last one.`,
        );
      }
      if (name !== undefined) names.push(name);
      branch = name === undefined ? namedBranch(branch, segment) : (branch.any ??= { named: new Map() });
    }
    branch.leaf = { value, names };
  }

  find(path: string): PathMatch<T> | undefined {
    const segments = decodedSegments(path);
    const values: string[] = [];
    const leaf = segments && leafAt(this.#root, segments, 0, values);
    return leaf && { value: leaf.value, params: paramsOf(leaf.names, values) };
  }
}

/** Without a prototype: a parameter may be called as something that objects have. */
function paramsOf(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params = Object.create(null) as Record<string, string>;
  for (let index = 0; index < names.length; index += 1) params[names[index] ?? ''] = values[index] ?? '';
  return params;
}

function namedBranch<T>(branch: Branch<T>, segment: string): Branch<T> {
  const known = branch.named.get(segment);
  if (known !== undefined) return known;
  const made: Branch<T> = { named: new Map() };
  branch.named.set(segment, made);
  return made;
}

/** What the segments lead to from here on; the values of the parameters are left in `values`. */
function leafAt<T>(
  branch: Branch<T>,
  segments: readonly string[],
  index: number,
  values: string[],
): Leaf<T> | undefined {
  const segment = segments[index];
  if (segment === undefined) return branch.leaf;
  const named = branch.named.get(segment);
  const found = named && leafAt(named, segments, index + 1, values);
  if (found !== undefined) return found;
  if (branch.any !== undefined && segment.length <= LONGEST_VALUE) {
    values.push(segment);
    const under = leafAt(branch.any, segments, index + 1, values);
    if (under !== undefined) return under;
    values.pop();
  }
  if (branch.rest !== undefined) values.push(segments.slice(index).join('/'));
  return branch.rest;
}

function segmentsOf(path: string): readonly string[] {
  return (path.length > 1 && path.endsWith('/') ? path.slice(1, -1) : path.slice(1)).split('/');
}

/** Undefined where the escapes are no valid UTF-8. */
function decodedSegments(path: string): readonly string[] | undefined {
  const segments = segmentsOf(path);
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
