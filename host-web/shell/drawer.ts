import { createContext, useContext } from 'react';

/** Opens the side bar if it is a drawer; undefined in a layout without one. */
export const DrawerContext = createContext<(() => void) | undefined>(undefined);

export function useOpenDrawer(): (() => void) | undefined {
  return useContext(DrawerContext);
}
