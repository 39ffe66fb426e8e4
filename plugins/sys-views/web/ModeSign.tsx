import type { ViewEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { modeOf } from './view-modes.ts';

/** The icon of a view that not everybody may change. */
export function ModeSign({ view }: { readonly view: ViewEntity }) {
  const t = useT();
  const mode = modeOf(view);
  if (mode === undefined || mode.value === 'collaborative') return null;
  return <i className={`pi pi-${mode.icon}`} role="img" aria-label={t(mode.label)} title={t(mode.title)} />;
}
