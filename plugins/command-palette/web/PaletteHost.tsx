import { useOpenRequest, type OpenRequests } from '@trellis/sdk/web';
import type { ComponentType } from 'react';

interface PaletteProps {
  readonly onClose: () => void;
}

/** Draws the palette while it is open. */
export function createPaletteHost(
  state: OpenRequests<true>,
  Palette: ComponentType<PaletteProps>,
): ComponentType {
  return function PaletteHost() {
    const isOpen = useOpenRequest(state) === true;
    return isOpen ? <Palette onClose={state.close} /> : null;
  };
}
