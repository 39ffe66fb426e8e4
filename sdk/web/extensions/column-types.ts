import type { ComponentType } from 'react';
import type {
  CellValue,
  ColumnEntity,
  ColumnTypeDefinition,
  FilterColumn,
  ProjectEntity,
  Row,
  RowKey,
  TableEntity,
} from '../../shared/index.ts';
import type { ApiRequest } from '../api.ts';
import type { ReadCell } from '../columns.ts';
import type { Translate } from '../context.ts';
import type { LocalTexts } from '../local-numbers.ts';
import type { CellChange, CellFailure, RowValues, StepPreparation } from '../rows/index.ts';
import type { VisitedView } from '../visited-view.ts';

/**
 * What a cell is drawn from. It is drawn often and while rows scroll, so it must be cheap.
 *
 * In a grid with tall rows the cell has the CSS variables `--tr-cell-height` (pixels that it may fill), `--tr-cell-lines` (lines of text that
 * fit) and `--tr-cell-wrap` (`wrap`, for `flex-wrap` of what stands side by side); elsewhere they are not set. A text of the class `tr-cell`
 * wraps by itself.
 *
 * @public
 */
export interface CellProps<Value = CellValue, Options = Record<string, unknown>> {
  readonly value: Value | null;
  readonly row: Row | undefined;
  /** Names the row; undefined where it is not stored yet, and outside of grids. */
  readonly rowKey?: RowKey;
  readonly column: ColumnEntity;
  readonly options: Options;
  readonly selected: boolean;
  /** Writes the cell at once, for cells that are their own editor (stars, a checkbox); undefined where it is read-only. */
  onChange?(this: void, value: Value | null): void;
  /**
   * Opens the type's `WholeEditor` over the cell. The grid keeps it with its row, whatever happens to the cell, and writes what it
   * held when the person leaves. Undefined where the type has none or the cell is read-only, and outside of grids.
   */
  openWhole?(this: void): void;
}

/** What the cover of a card is drawn from. @public */
export interface CoverProps<Value = CellValue> {
  readonly value: Value;
  readonly column: ColumnEntity;
  /** Whether a picture fills the cover, or is shown whole. */
  readonly fit: 'cover' | 'contain';
}

/** What the value of a filter on a column is edited by, whatever its operator. @public */
export interface ColumnFilterProps {
  readonly column: ColumnEntity;
  /** As it is saved; an empty text for none yet. */
  readonly value: CellValue;
  readonly readOnly: boolean;
  /** Which of several values it is: "From". */
  readonly label?: string;
  /** Filters at once; call it when the value is whole. */
  onChange(this: void, value: CellValue): void;
}

/** What an editor holds so far: a value, or a text that the column type has yet to read. @public */
export type EditorDraft<Value = CellValue> =
  { readonly kind: 'value'; readonly value: Value | null } | { readonly kind: 'text'; readonly text: string };

/**
 * What the editor of one cell is given.
 *
 * It says what it holds with `onChange`, and ends with `onCommit` or `onCancel`. When a person goes elsewhere without either,
 * whoever draws the editor commits what `onChange` said last: a text that cannot be read stays where it was typed, marked with
 * the reason. So an editor need not watch its own focus.
 * @public
 */
export interface EditorProps<Value = CellValue, Options = Record<string, unknown>> {
  readonly value: Value | null;
  /**
   * The text to begin with in place of the value: what was typed to open the editor, or what was refused of this cell before and is
   * to be corrected. Whoever draws the editor holds it as if `onChange` had said it, so leaving it unchanged writes it.
   */
  readonly initialText?: string;
  /** What was dropped on the cell, or pasted into it, to open the editor: it is added to the value. */
  readonly initialFiles?: readonly File[];
  readonly column: ColumnEntity;
  readonly options: Options;
  /** Undefined where the editor stands beside no table, such as in the preview of an import; so are the next two. */
  readonly project?: ProjectEntity;
  readonly table?: TableEntity;
  readonly columns?: readonly ColumnEntity[];
  /** The row that the cell belongs to, as it is shown; undefined in a filter. */
  readonly row?: Row;
  readonly autoFocus: boolean;
  onChange(this: void, draft: EditorDraft<Value>): void;
  /** Takes the value; `move` says which cell is selected next, none when it is absent. */
  onCommit(this: void, value: Value | null, move?: 'down' | 'up' | 'right' | 'left'): void;
  onCancel(this: void): void;
  /**
   * Says why the editor is not to be left yet, such as an upload under way, and with undefined that it may be: a form is not saved until
   * then, asks before it is left, and gives the editor what others store in `value` in place of a new editor. Undefined where nobody waits.
   */
  onBusy?(this: void, reason: string | undefined): void;
  /**
   * Writes the cell after the editor has gone, for what was on its way then, such as an upload. `make` is given what the cell holds by
   * now, undefined where its row is not loaded any more. Undefined where nothing can be written afterwards.
   */
  onLate?(this: void, make: (now: Value | null | undefined) => Value | null): void;
}

/** Edits what the column's `meta` holds for its type. @public */
export interface OptionsPanelProps<Options = Record<string, unknown>> {
  readonly options: Options;
  readonly project?: ProjectEntity;
  readonly table?: TableEntity;
  /** The columns of the table. */
  readonly columns?: readonly ColumnEntity[];
  /** Undefined for a column that is yet to be made. */
  readonly column?: ColumnEntity;
  onChange(this: void, options: Options): void;
}

/** A cell that somebody opens. @public */
export interface OpenedCell {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly column: ColumnEntity;
  readonly rowKey: RowKey;
  /** By titles. */
  readonly row: Row;
  /** What was typed on the cell to open it; only where its type has `opensTyped`. */
  readonly typedText?: string | undefined;
  /** What was pasted into the cell and not taken. */
  readonly refusedText?: string | undefined;
  /** Takes that text and its mark away, once the cell was written; until then both stay with the cell. */
  onRefusedDone?(this: void): void;
}

/** A field of the row panel that a column type draws by itself. @public */
export interface FieldProps extends OpenedCell {
  readonly value: CellValue;
  /** Why the row cannot be changed, in words; undefined where it can. */
  readonly readOnlyReason: string | undefined;
}

/** What a form is given to ask for a cell of a row that is not there yet. @public */
export interface AnswerProps {
  /** Undefined where a stranger answers. */
  readonly project?: ProjectEntity | undefined;
  readonly column: ColumnEntity;
  readonly value: CellValue;
  /** The id of the element that names it. */
  readonly labelledBy: string;
  onChange(this: void, value: CellValue): void;
}

/** What an answer is read by that an address fills in. @public */
export interface AddressedAnswer {
  /** Undefined where a stranger answers. */
  readonly project?: ProjectEntity | undefined;
  readonly visit: VisitedView | undefined;
  readonly column: ColumnEntity;
  readonly t: Translate;
  request<T>(this: void, request: ApiRequest): Promise<T>;
}

/** How the address of a form fills in answers. @public */
export interface AddressedAnswers {
  /** Reads what an address says, which may name a column several times. A rejection means that it could not be asked. */
  read(this: void, texts: readonly string[], of: AddressedAnswer): Promise<ReadCell>;
  /** What an address says for an answer. */
  write(this: void, value: CellValue): readonly string[];
}

/** Where a row itself keeps the answers of a column, such as a link's in a foreign key. @public */
export interface KeptAnswers {
  /** The ids of the columns that keep them: a new row is asked for these through the column, which is needed where one of them is. */
  columnsOf(this: void, column: ColumnEntity): readonly string[];
  /** What those columns get for an answer, by their ids; undefined where `writeCells` takes it once the row is there. */
  valuesOf(
    this: void,
    value: CellValue,
    of: Pick<WrittenCells, 'project' | 'column' | 'request'>,
  ): Promise<RowValues | undefined>;
}

/** Cells of one column that are pasted into, filled or emptied. @public */
export interface WrittenCells {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly column: ColumnEntity;
  /** `value` is what `parse` makes of a text, or the value of a cell with the same meaning. */
  readonly changes: readonly CellChange[];
  readonly t: Translate;
  /** Reads. */
  request<T>(this: void, request: ApiRequest): Promise<T>;
  /** Sends a write; all of a step are taken back together. */
  perform<T>(this: void, request: ApiRequest): Promise<T>;
}

/** A cell that somebody changed, by what it held when they began. @public */
export interface ChangedCell {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly column: ColumnEntity;
  readonly rowKey: RowKey;
  readonly value: unknown;
  readonly before: unknown;
}

/** What a column made of texts that are about to be pasted into it. @public */
export interface AdoptedTexts {
  /** The texts that are not taken, and why: the end of a sentence that begins with the column's title. */
  readonly refused: ReadonlyMap<string, string>;
  /** What was changed for the others, so that it is taken back with the paste. Undefined where nothing was. */
  readonly made?: StepPreparation | undefined;
}

/** Rows that somebody is about to delete. @public */
export interface RowsToDelete {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly column: ColumnEntity;
  readonly rowKeys: readonly RowKey[];
  readonly t: Translate;
  request<T>(this: void, request: ApiRequest): Promise<T>;
}

/** A column type as the browser knows it. @public */
export type WebColumnType<
  Value extends CellValue = CellValue,
  Options = Record<string, unknown>,
> = ColumnTypeDefinition<Value, Options> & {
  readonly Cell?: ComponentType<CellProps<Value, Options>>;
  /** Draws the first picture of a value as the cover of a card, nothing where it has none. Only such columns are offered as covers. */
  readonly Cover?: ComponentType<CoverProps<Value>>;
  /**
   * A hook: the words for values of a column where no cell can be drawn, such as in a menu, for a type whose texts are no names (people by their
   * addresses). What calls it is drawn anew where the column gets another type.
   */
  useNames?(this: void, column: ColumnEntity): (value: Value | null) => string;
  /** How people of the page's language write and type its values; where left out, as `format` and `parse` do. */
  readonly local?: LocalTexts<Value, Options>;
  /** `text`: the grid's own text editor edits `format(value)` and reads it back with `parse`, or as `local` says. */
  readonly Editor: 'text' | 'longText' | ComponentType<EditorProps<Value, Options>>;
  /** What its texts are, where that is something that phones have a keyboard for and browsers fill in for people. */
  readonly entry?: 'email' | 'tel' | 'url';
  /** Edits a value where there is room and no grid: in forms, in the row panel, as a default value. Default: `Editor`. */
  readonly FormEditor?: ComponentType<EditorProps<Value, Options>>;
  /** Edits in a panel of its own what `Editor` shows a part of; a cell opens it with `openWhole`. */
  readonly WholeEditor?: ComponentType<EditorProps<Value, Options>>;
  /** The editor of a column with these options, where it is another than `Editor`. Asked often, so it must be cheap. */
  editorFor?(this: void, options: Options): WebColumnType<Value, Options>['Editor'];
  /** Edits the options; without it they are edited by a form made of their schema. */
  readonly OptionsPanel?: ComponentType<OptionsPanelProps<Options>>;
  /** True when forms and the row panel show the cell above the editor: it draws what its text does not show, and may write through `onChange`. */
  readonly cellEdits?: boolean;
  /**
   * For types whose cells are not written as values but in a place of their own: opens it in place of an editor (Enter, a double click).
   * Such cells are kept when others are pasted, filled or emptied, unless the type has `writeCells`.
   */
  open?(this: void, cell: OpenedCell): void;
  /** Whether a text that is typed on a cell opens it too, as `typedText`: for places where rows are looked for. */
  readonly opensTyped?: boolean;
  /**
   * For the same types: writes cells of a column that are pasted into, filled or emptied, and gives those that were refused. A rejection
   * means that none was written.
   */
  writeCells?(this: void, cells: WrittenCells): Promise<readonly CellFailure[]>;
  /**
   * For types of whose values several people change parts at the same time, such as lists of files: the call that makes this change
   * alone, so that those of others stay. Asked for a single cell; undefined where its value is to be written whole.
   */
  cellRequest?(this: void, cell: ChangedCell): ApiRequest | undefined;
  /**
   * For types with `writeCells`: asks for what a new row is to hold. `writeCells` takes the value once the row is there, and the calls for whoever
   * has a link take it with the row. Without it, neither forms nor the panel of a new row ask for the column.
   */
  readonly Answer?: ComponentType<AnswerProps>;
  /** For types with an `Answer`: where the row itself keeps it, so that it is there as soon as the row is. */
  readonly keptAnswers?: KeptAnswers;
  /** For types with an `Answer`: how the address of a form fills it in. The answers of other types are texts, which `parse` reads. */
  readonly addressed?: AddressedAnswers;
  /**
   * What the values of a column stand for, where texts do not say all of it: cells that are pasted or filled from one with the same meaning
   * take its value, others its text.
   */
  meaningOf?(this: void, column: ColumnEntity): string | undefined;
  /**
   * Of a type whose cells hold linked rows: what tells their keys, by which the page compares them with rows that somebody picked. Undefined
   * where the cells of the column do not say.
   */
  linkedKeysOf?(this: void, column: ColumnEntity): FilterColumn['linkedKeys'];
  /**
   * Called before texts are pasted into a column, with the different ones: makes room for those that the column does not know, where
   * the person may change it (options of a list). A rejection refuses all of them.
   */
  adopt?(
    this: void,
    texts: readonly string[],
    into: Pick<OpenedCell, 'project' | 'table' | 'column'>,
  ): Promise<AdoptedTexts>;
  /** What the row panel shows for the field in place of an editor. */
  readonly Field?: ComponentType<FieldProps>;
  /** Edits what filters with a list of values name, in place of what the operator brings. */
  readonly FilterInput?: ComponentType<ColumnFilterProps>;
  /** Whether rows can be sorted by a column; where left out, by every one. */
  isSortable?(this: void, column: ColumnEntity, table: TableEntity): boolean;
  /** The name that a new column with these options gets when nobody types one; undefined: the label of the type. */
  titleOf?(this: void, options: Options): string | undefined;
  /**
   * Options that a new column begins with beside the defaults, by who makes it: such as the currency of their country. `texts` are those
   * that the column is made for, where it is made for some.
   */
  newOptions?(this: void, texts?: readonly string[]): Partial<Options>;
  /**
   * What a new column with these options still lacks: a sentence that says what to choose, shown in place of adding it. Undefined where
   * it can be added.
   */
  lackOf?(this: void, options: Options): string | undefined;
  /** What a person should know before rows are deleted that have cells in a column: a sentence, where there is something. */
  warnOfDeletion?(this: void, rows: RowsToDelete): Promise<string | undefined>;
  /** What a person should know before a column of this type gets another one, beside what becomes of its values: a sentence. */
  readonly leavingNotice?: string;
  /** True when files that are dropped on a cell, or pasted into it, open its editor with them (`initialFiles`). */
  readonly takesFiles?: boolean;
  /**
   * Milliseconds for which the server keeps what a value stands for while no row has it, by who entered it; without limit where left
   * out. Older drafts of such values are not offered again.
   */
  readonly keptUnsaved?: Readonly<Record<'member' | 'stranger', number>>;
  readonly align?: 'start' | 'center' | 'end';
  /** True when values stay covered until somebody asks: only the type's own cell and editor show them, no heading. */
  readonly isCovered?: boolean;
  /** The value that Space or Enter on a selected cell makes of this one (a checkbox). */
  toggle?(value: Value | null): Value | null;
};

/** Names a column type's web half and infers its value and options. @public */
export function defineWebColumnType<Value extends CellValue, Options = Record<string, unknown>>(
  type: WebColumnType<Value, Options>,
): WebColumnType {
  // The registry holds types of every value; each one is only ever given values of its own column.
  return type as unknown as WebColumnType;
}
