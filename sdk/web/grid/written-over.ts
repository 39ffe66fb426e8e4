import type { CellValue } from '../../shared/index.ts';
import type { EditStep, RowData } from '../rows/index.ts';
import { editedTextOf, type GridColumn, shownText } from './grid-column.ts';
import type { GridEditing, GridState } from './grid-state.ts';

/** So many characters of a text are shown in a message. */
const MOST_SHOWN = 80;

/** What others stored in the edited cell since its editor opened; undefined where the cell is as it was then. */
export interface StoredMeanwhile {
  readonly value: CellValue;
  /** The value as its editor shows it; empty for an empty cell. */
  readonly text: string;
}

/** The text of a cell at a moment, to be held against a later one; undefined while a write from here is on its way to the cell. */
export function storedTextOf(state: GridState, row: RowData, column: GridColumn): string | undefined {
  const isPending = state.edits.of(row.key, column.entity.id)?.kind === 'pending';
  return isPending ? undefined : editedTextOf(state.valueOf(row, column.entity.id), column);
}

/** What others stored in a cell while it is edited here. */
export function storedMeanwhile(state: GridState, editing: GridEditing): StoredMeanwhile | undefined {
  const { column, storedText: before } = editing;
  const now = state.rowNow(editing);
  const text = storedTextOf(state, now, column);
  if (before === undefined || text === undefined || text === before) return undefined;
  return { value: state.valueOf(now, column.entity.id), text };
}

/** The beginning of a text, for a message. */
export function shortened(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

interface WrittenOver {
  readonly column: GridColumn;
  /** What others stored, as its editor shows it. */
  readonly text: string;
  /** The edit by which it is gone. */
  readonly step: EditStep;
  readonly putBack: () => void;
}

/** Tells that something which others stored during an edit is gone, and offers it back. */
export function tellWrittenOver(
  state: GridState,
  { column, text: theirs, step, putBack }: WrittenOver,
): void {
  const { t } = state.context;
  const { title } = column.entity;
  const text = shortened(shownText(theirs, column));
  state.notify({
    text:
      text === ''
        ? t('Somebody else emptied “{{title}}” while you typed; your text is there now.', { title })
        : t('Somebody else changed “{{title}}” to “{{text}}” while you typed; your text is there now.', {
            title,
            text,
          }),
    details: [],
    step,
    action: {
      label: text === '' ? t('Empty it again') : t('Put “{{text}}” back', { text }),
      run: () => {
        state.notify(undefined);
        putBack();
      },
    },
  });
}
