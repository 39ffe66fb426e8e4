import { createContext, useContext } from 'react';

/** The host's own parts, for its own components; plugins see `WebHost` alone. */
export const PartsContext = createContext<object | undefined>(undefined);

/**
 * Makes the hook that gives a folder's components the parts which they use, and no others.
 *
 * The roof gives all parts in one object, whose type extends that of each slice.
 */
export function createPartsHook<Slice extends object>(): () => Slice {
  return function useParts() {
    const parts = useContext(PartsContext);
    if (parts === undefined)
      throw new Error('This component belongs to the host; draw it inside <HostProvider>.');
    return parts as Slice;
  };
}
