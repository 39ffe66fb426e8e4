import { copyText } from '../ui/copy-text.ts';
import type { GridState, LostText } from './grid-state.ts';

/** The most characters of a text in a message; the whole text can be copied from it. */
const MOST_SHOWN = 200;

/** Reports a typed text whose cell no longer exists, together with those already reported, and offers them for copying. */
export function tellLost(state: GridState, told: LostText): void {
  const { t } = state.context;
  const before = state.getSnapshot().notice?.lost ?? [];
  const last = before.at(-1);
  // A longer version of the last text replaces it.
  const goesOn = last?.reason === told.reason && told.text.startsWith(last.text);
  const lost = [...(goesOn ? before.slice(0, -1) : before), told];
  const said = lost.map(({ reason, text }) => {
    const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
    return t('“{{text}}” was not saved. {{reason}}', { text: shown, reason });
  });
  const [only = ''] = said;
  state.notify({
    text:
      said.length === 1
        ? only
        : t('{{count}} texts were not saved.', { count: said.length, one: '{{count}} text was not saved.' }),
    details: said.length === 1 ? [] : said,
    lost,
    action: { label: t('Copy'), run: () => void copyText(lost.map(({ text }) => text).join('\n')) },
  });
}

/** Reports that a pasted block has no target. Reported texts exist nowhere else, and stay. */
export function tellNoCell(state: GridState): void {
  const text = state.context.t('Nothing was pasted: no cell is selected. Select one and paste again.');
  const { notice } = state.getSnapshot();
  if (notice?.lost === undefined) return state.notify({ text, details: [] });
  state.notify({ ...notice, text, details: notice.details.length === 0 ? [notice.text] : notice.details });
}
