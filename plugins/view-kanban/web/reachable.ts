import type { DropPlace } from './use-card-drag.ts';

/**
 * The place of the card that Tab comes to: the one that had the focus last, the one nearest to it in its stack where that card went
 * elsewhere, or else the first card of the board. Undefined on a board without cards.
 */
export function reachable(
  current: DropPlace | undefined,
  stacks: readonly { readonly id: string; readonly count: number }[],
): DropPlace | undefined {
  const withCards = stacks.filter(({ count }) => count > 0);
  const held = withCards.find(({ id }) => id === current?.stackId);
  if (current !== undefined && held !== undefined)
    return { stackId: held.id, index: Math.min(current.index, held.count - 1) };
  const [first] = withCards;
  return first && { stackId: first.id, index: 0 };
}
