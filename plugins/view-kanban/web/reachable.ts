import type { DropPlace } from './use-card-drag.ts';

/**
 * The place of the card that Tab reaches: the card with the last focus; if it was moved away, the nearest card in its stack;
 * otherwise the board's first card. Undefined if the board has no cards.
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
