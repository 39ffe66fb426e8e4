/** The arrangement of one stack; absent properties have their defaults. */
export type StackPlace = {
  /** The id of an option, an address of a person, or `uncategorized`. */
  readonly id: string;
  readonly collapsed?: boolean;
  readonly hidden?: boolean;
};

/** The stacks of one column in their order. A view keeps those of each column that it was stacked by. */
export type StackArrangement = {
  readonly columnId: string;
  readonly stacks: readonly StackPlace[];
};

/** The stack of the rows with an empty cell. */
export const uncategorized = 'uncategorized';

/**
 * The stacks in the order of the view: the arranged ones that still exist, then the others. The stack of empty cells is at
 * `withoutPlace` if it is not arranged.
 */
export function arrangedStacks<Stack extends { readonly id: string }>(
  stacks: readonly Stack[],
  places: readonly StackPlace[],
  withoutPlace: 'first' | 'last' = 'first',
): readonly (Stack & StackPlace)[] {
  const known = new Map(stacks.map((stack) => [stack.id, stack]));
  const placed = places.flatMap((place) => {
    const stack = known.get(place.id);
    return stack === undefined ? [] : [{ ...stack, ...place }];
  });
  const ids = new Set(placed.map(({ id }) => id));
  const others = stacks.filter(({ id }) => !ids.has(id));
  const empty = others.filter(({ id }) => id === uncategorized);
  const rest = [...placed, ...others.filter(({ id }) => id !== uncategorized)];
  return withoutPlace === 'first' ? [...empty, ...rest] : [...rest, ...empty];
}
