/** The list with one of its items replaced, or removed. */
export function replaced<Item>(items: readonly Item[], at: number, next: Item | undefined): readonly Item[] {
  return items.toSpliced(at, 1, ...(next === undefined ? [] : [next]));
}
