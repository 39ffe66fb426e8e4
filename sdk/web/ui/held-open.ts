import { createContext, useContext, useLayoutEffect } from 'react';

/** Holds open what is drawn around, until the returned function is called. */
export const HoldOpenContext = createContext<() => () => void>(() => () => undefined);

/** Nothing closes the dialog around this while it is busy: the answer must be seen, and what was typed is still needed when it is a refusal. */
export function useHeldOpen(isBusy: boolean): void {
  const hold = useContext(HoldOpenContext);
  useLayoutEffect(() => (isBusy ? hold() : undefined), [isBusy, hold]);
}
