import { keysText, useT, type OpenRequests } from '@trellis/sdk/web';
import type { ComponentType } from 'react';

/** Opens the palette, for people who do not know its keys. */
export function createPaletteButton(state: OpenRequests<true>): ComponentType {
  return function PaletteButton() {
    const t = useT();
    return (
      <button
        type="button"
        className="palette-button"
        title={t('Search everything')}
        aria-haspopup="dialog"
        onClick={() => state.open(true)}
      >
        <i className="pi pi-search" aria-hidden="true" />
        <span>{t('Search')}</span>
        <kbd>{keysText('mod+k', t)}</kbd>
      </button>
    );
  };
}
