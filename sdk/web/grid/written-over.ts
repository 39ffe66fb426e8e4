import type { CellValue } from '../../shared/index.ts';
import type { EditStep, RowData } from '../rows/index.ts';
import { editedTextOf, type GridColumn, shownText } from './grid-column.ts';
import type { GridEditing, GridState } from './grid-state.ts';

/** The most characters of a text in a message. */
const MOST_SHOWN = 80;

/** What others stored in the edited cell since its editor opened; undefined if the cell is unchanged. */
export interface StoredMeanwhile {
  readonly value: CellValue;
  /** The value in its editor's form; empty for an empty cell. */
  readonly text: string;
}

/** The text of a cell at a moment, for a later comparison; undefined while this page is writing to the cell. */
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

/** The start of a text, for a message. */
export function shortened(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

interface WrittenOver {
  readonly column: GridColumn;
  /** What others stored, in its editor's form. */
  readonly text: string;
  /** The edit that replaced it. */
  readonly step: EditStep;
  readonly putBack: () => void;
}

/** Reports that an edit replaced what others had stored meanwhile, and offers to restore it. */
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
