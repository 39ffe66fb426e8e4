/**
 * Whether a JSON value nests deeper than `limit` levels of lists and objects. Walks without recursion, so that no value exhausts the
 * stack.
 * @public
 */
export function nestsDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter((item) => typeof item === 'object' && item !== null);
    if (containers.length > 0 && depth >= limit) return true;
    level = containers.flatMap((item) => Object.values(item as object));
  }
  return false;
}
