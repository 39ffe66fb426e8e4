import { keysText, useT } from '@trellis/sdk/web';
import type { ComponentType } from 'react';
import type { PaletteState } from './palette-state.ts';

/** Opens the palette by a press, for those who do not know its keys. */
export function createPaletteButton(state: PaletteState): ComponentType {
  return function PaletteButton() {
    const t = useT();
    return (
      <button
        type="button"
        className="palette-button"
        title={t('Search everything')}
        aria-haspopup="dialog"
        onClick={state.open}
      >
        <i className="pi pi-search" aria-hidden="true" />
        <span>{t('Search')}</span>
        <kbd>{keysText('mod+k', t)}</kbd>
      </button>
    );
  };
}
