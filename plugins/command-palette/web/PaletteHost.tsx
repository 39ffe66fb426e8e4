import { useSyncExternalStore, type ComponentType } from 'react';
import type { PaletteState } from './palette-state.ts';

interface PaletteProps {
  readonly onClose: () => void;
}

/** Draws the palette while it is open. */
export function createPaletteHost(state: PaletteState, Palette: ComponentType<PaletteProps>): ComponentType {
  return function PaletteHost() {
    const isOpen = useSyncExternalStore(state.subscribe, state.isOpen);
    return isOpen ? <Palette onClose={state.close} /> : null;
  };
}
