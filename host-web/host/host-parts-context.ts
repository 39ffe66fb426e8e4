import { createContext, useContext } from 'react';
import type { HostParts } from './create-web-host.ts';

/** The host's own parts, for its own components; plugins see `WebHost` alone. */
export const HostPartsContext = createContext<HostParts | undefined>(undefined);

export function useHostParts(): HostParts {
  const parts = useContext(HostPartsContext);
  if (parts === undefined)
    throw new Error('This component belongs to the host; draw it inside <HostProvider>.');
  return parts;
}
