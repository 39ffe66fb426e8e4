import { createContext, useContext } from 'react';

/** The host's own parts, for its own components; plugins see only `WebHost`. */
export const PartsContext = createContext<object | undefined>(undefined);

/**
 * Creates the hook that gives a folder's components only the parts which they use.
 *
 * The provider gives all parts in one object, whose type extends that of each slice.
 */
export function createPartsHook<Slice extends object>(): () => Slice {
  return function useParts() {
    const parts = useContext(PartsContext);
    if (parts === undefined)
      throw new Error('This component belongs to the host; draw it inside <HostProvider>.');
    return parts as Slice;
  };
}
