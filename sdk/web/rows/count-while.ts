/**
 * How many of the first items of a list meet a condition. If an item meets it, all earlier ones must, too: only a few items are
 * checked.
 */
export function countWhile<Item>(
  items: readonly Item[],
  isTrue: (item: Item, at: number) => boolean,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // Within the list, whatever its items are.
    if (isTrue(items[middle] as Item, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
