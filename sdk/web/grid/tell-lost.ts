import { copyText } from '../ui/copy-text.ts';
import type { GridState } from './grid-state.ts';

/** So many characters of a text are shown in a message; all of them can be copied from it. */
const MOST_SHOWN = 200;

/** Tells of a text that was typed and has no cell any more, and offers it to be copied. */
export function tellLost(
  state: GridState,
  { reason, text }: { readonly reason: string; readonly text: string },
): void {
  const { t } = state.context;
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  state.notify({
    text: t('“{{text}}” was not saved. {{reason}}', { text: shown, reason }),
    details: [],
    action: { label: t('Copy'), run: () => void copyText(text) },
  });
}
