import { createContext, useContext, useLayoutEffect } from 'react';

/** Keeps the surrounding dialog open, until the returned function is called. */
export const HoldOpenContext = createContext<() => () => void>(() => () => undefined);

/** The surrounding dialog cannot be closed while this is busy: the answer must be seen, and a refusal still needs the input. */
export function useHeldOpen(isBusy: boolean): void {
  const hold = useContext(HoldOpenContext);
  useLayoutEffect(() => (isBusy ? hold() : undefined), [isBusy, hold]);
}
