import { useEffect, useEffectEvent, useState } from 'react';
import type { Stack } from './stack-list.ts';

/** A stack as it was when a name was typed in it, and where it stood. */
interface HeldStack {
  readonly stack: Stack;
  readonly index: number;
}

/** Stacks with a name in them that no row has yet: they stay as they are until it has one, whoever arranges the board meanwhile. */
interface HeldStacks {
  /** By their ids. */
  readonly held: ReadonlyMap<string, HeldStack>;
  hold(this: void, stack: Stack, index: number): void;
  free(this: void, stackId: string): void;
}

/** @param onHolding hears whether there are any */
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

/** Those that are drawn, with the held ones that are no more: they stand where they stood, so that nothing is taken from whoever types there. */
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
