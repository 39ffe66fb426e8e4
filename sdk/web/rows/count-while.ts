/**
 * How many of the first things of a list a question is true of. It must be true of those before each that it is true of: it is asked
 * of a few of them alone.
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
