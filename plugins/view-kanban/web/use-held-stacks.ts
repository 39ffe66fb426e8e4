import { useEffect, useEffectEvent, useState } from 'react';
import type { Stack } from './stack-list.ts';

/** A stack and its place when a name was typed in it. */
interface HeldStack {
  readonly stack: Stack;
  readonly index: number;
}

/**
 * Stacks that contain the name of a row that is not added yet: they stay as they are until it is, even if others rearrange the
 * board.
 */
interface HeldStacks {
  /** By stack id. */
  readonly held: ReadonlyMap<string, HeldStack>;
  hold(this: void, stack: Stack, index: number): void;
  free(this: void, stackId: string): void;
}

/** @param onHolding called with whether there are any */
export function useHeldStacks(onHolding: (isHolding: boolean) => void): HeldStacks {
  const [held, setHeld] = useState<ReadonlyMap<string, HeldStack>>(new Map());
  const isHolding = held.size > 0;
  const tell = useEffectEvent((isNow: boolean) => onHolding(isNow));
  useEffect(() => {
    if (!isHolding) return;
    tell(true);
    return () => tell(false);
  }, [isHolding]);
  return {
    held,
    hold: (stack, index) => setHeld((before) => new Map(before).set(stack.id, { stack, index })),
    free: (stackId) => setHeld((before) => new Map([...before].filter(([id]) => id !== stackId))),
  };
}

/**
 * The shown stacks, with held stacks that no longer exist at their former places, so that a person who types there loses nothing.
 */
export function withHeld(
  visible: readonly Stack[],
  stacks: readonly Stack[],
  held: ReadonlyMap<string, HeldStack>,
): readonly Stack[] {
  const gone = [...held.values()]
    .filter(({ stack }) => !stacks.some(({ id }) => id === stack.id))
    .toSorted((one, other) => one.index - other.index);
  return gone.reduce((drawn, { stack, index }) => drawn.toSpliced(index, 0, stack), visible);
}
