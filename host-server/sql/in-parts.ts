/** Splits a list into parts of `size` items, the last one with the rest, because a statement is limited to so many. */
export function inParts<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}
