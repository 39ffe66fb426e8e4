import { useLayoutEffect, useRef, useState } from 'react';

interface Chosen<Value> {
  readonly value: Value;
  /** The page's known server value when the value was accepted; undefined until then. */
  readonly over?: unknown;
}

/**
 * Saves values that a person chooses, one after another, and shows the newest until the server has accepted it and the page has
 * loaded the result: what is loaded meanwhile may be older.
 *
 * @param over the source of the values: another object with each load
 * @param send rejects if the server refuses the value, which is then no longer shown
 * @public
 */
export function useShownUntilRead<Value>(over: unknown, send: (value: Value) => Promise<void>) {
  const [chosen, setChosen] = useState<Chosen<Value>>();
  const last = useRef<Promise<void>>(Promise.resolve());
  const newest = useRef<Chosen<Value>>(undefined);
  const known = useRef(over);
  useLayoutEffect(() => {
    known.current = over;
  });
  const isShown = chosen !== undefined && (!('over' in chosen) || chosen.over === over);

  return {
    /** Undefined if the loaded value is shown. */
    shown: isShown ? chosen.value : undefined,
    /** Rejects as `send` does. */
    save(value: Value): Promise<void> {
      const own: Chosen<Value> = { value };
      newest.current = own;
      setChosen(own);
      const settle = (next: Chosen<Value> | undefined): void => {
        if (newest.current === own) setChosen(next);
      };
      const sent = last.current.then(async () => {
        try {
          await send(value);
          settle({ value, over: known.current });
        } catch (error) {
          settle(undefined);
          throw error;
        }
      });
      last.current = sent.catch(() => undefined);
      return sent;
    },
  };
}
