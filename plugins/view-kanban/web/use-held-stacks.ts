import { useEffect, useEffectEvent, useState } from 'react';

/** Stacks with a name in them that no row has yet: they stay as they are until it has one, whoever arranges the board meanwhile. */
interface HeldStacks {
  readonly held: ReadonlySet<string>;
  hold(this: void, stackId: string): void;
  free(this: void, stackId: string): void;
}

/** @param onHolding hears whether there are any */
export function useHeldStacks(onHolding: (isHolding: boolean) => void): HeldStacks {
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set());
  const isHolding = held.size > 0;
  const tell = useEffectEvent((isNow: boolean) => onHolding(isNow));
  useEffect(() => {
    if (!isHolding) return;
    tell(true);
    return () => tell(false);
  }, [isHolding]);
  return {
    held,
    hold: (stackId) => setHeld((before) => new Set(before).add(stackId)),
    free: (stackId) => setHeld((before) => new Set([...before].filter((id) => id !== stackId))),
  };
}
