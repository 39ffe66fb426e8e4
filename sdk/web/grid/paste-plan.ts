import type { CopiedBlock, CopiedValue, TextBlock } from './grid-clipboard.ts';
import type { CellRange } from './grid-selection.ts';
import type { ReadCell } from '../columns.ts';
import type { Translate } from '../context.ts';
import type { CellChange, RowData } from '../rows/index.ts';
import { editedTextOf, type GridColumn, meaningOf, readText, whyNotPasted } from './grid-column.ts';

/** The planned effect of pasting a block, which accounts for the whole block. */
export interface PastePlan {
  readonly changes: readonly CellChange[];
  /** Values of the rows to add, in order. */
  readonly appended: readonly Readonly<Record<string, unknown>>[];
  /** Cells of the rows to add whose type writes them itself, after the rows are added. */
  readonly afterwards: readonly Omit<CellChange, 'rowKey'>[];
  /** Texts that their column could not parse; `rowKey` undefined for a row that is yet to be added. */
  readonly rejected: readonly RejectedCell[];
  /** Pasted columns beyond the last column that have no place. */
  readonly columnsCut: number;
  /** Pasted rows beyond the last row that have no place, because rows cannot be added. */
  readonly rowsCut: number;
  /** Read-only cells that stay unchanged. */
  readonly readOnlyCells: number;
  /** The cells that the block covers, to select afterwards; they may include rows to add. */
  readonly covered: CellRange;
}

export interface RejectedCell {
  readonly rowKey: string | undefined;
  readonly index: number;
  readonly columnId: string;
  readonly text: string;
  readonly message: string;
}

export interface PasteTarget {
  readonly columns: readonly GridColumn[];
  readonly rowCount: number;
  readonly rowAt: (index: number) => RowData | undefined;
  /** The values that were copied with the texts of the block. */
  readonly copied?: CopiedBlock['values'];
  readonly mayAppend: boolean;
  /** Why a column refuses a text that it could parse, as a sentence; undefined if it accepts it. */
  readonly whyRefused?: (column: GridColumn, text: string) => string | undefined;
  readonly t: Translate;
}

/**
 * The cells that a block pasted into a selection covers: the selection if it is a whole multiple of the block (a single cell fills
 * it), else the block's own size from the selection's first cell on.
 */
export function coveredRange(block: TextBlock, selected: CellRange): CellRange {
  const height = block.length;
  const width = Math.max(1, ...block.map((row) => row.length));
  const rows = selected.bottom - selected.top + 1;
  const columns = selected.right - selected.left + 1;
  return {
    top: selected.top,
    left: selected.left,
    bottom: rows % height === 0 ? selected.bottom : selected.top + height - 1,
    right: columns % width === 0 ? selected.right : selected.left + width - 1,
  };
}

/** Plans a paste. The existing rows in the covered range must be loaded. */
export function planPaste(block: TextBlock, selected: CellRange, target: PasteTarget): PastePlan {
  const covered = coveredRange(block, selected);
  const right = Math.min(covered.right, target.columns.length - 1);
  const bottom = target.mayAppend ? covered.bottom : Math.min(covered.bottom, target.rowCount - 1);
  const together = readTogether(block, { left: covered.left, right }, target.columns);
  const changes: CellChange[] = [];
  const appended: Record<string, unknown>[] = [];
  const afterwards: Omit<CellChange, 'rowKey'>[] = [];
  const rejected: RejectedCell[] = [];
  let readOnlyCells = 0;
  for (let index = covered.top; index <= bottom; index++) {
    const texts = block[(index - covered.top) % block.length] ?? [];
    const row = index < target.rowCount ? target.rowAt(index) : undefined;
    if (row === undefined && index < target.rowCount)
      throw new Error(`Row ${index} must be loaded before pasting into it`);
    const added: Record<string, unknown> = {};
    for (let place = covered.left; place <= right; place++) {
      const column = target.columns[place];
      const text = texts[(place - covered.left) % blockWidth(block)];
      if (column === undefined || text === undefined) continue;
      if (whyNotPasted(column) !== undefined || row?.readOnly === true) {
        readOnlyCells += 1;
        continue;
      }
      const copied = sameMeaning(
        target.copied?.[(index - covered.top) % block.length]?.[(place - covered.left) % blockWidth(block)],
        column,
      );
      const parsed = readPasted(together.get(column)?.(text) ?? text, column, copied, target);
      if (!parsed.ok) {
        rejected.push({ rowKey: row?.key, index, columnId: column.entity.id, text, message: parsed.message });
      } else if (row === undefined && column.type?.writeCells !== undefined) {
        const { value } = parsed;
        if (value !== null)
          afterwards.push({ index, columnId: column.entity.id, value, before: null, from: copied?.from });
      } else if (row === undefined) {
        added[column.entity.id] = parsed.value;
      } else {
        changes.push({
          rowKey: row.key,
          index,
          columnId: column.entity.id,
          value: parsed.value,
          before: row.values[column.entity.id],
          from: copied?.from,
          // A text written by a program may be parsed differently when a person types it.
          text: column.type?.local?.read === undefined ? text : editedTextOf(parsed.value, column),
        });
      }
    }
    if (row === undefined) appended.push(added);
  }
  return {
    changes,
    appended,
    afterwards,
    rejected,
    readOnlyCells,
    columnsCut: Math.max(0, covered.right - right),
    rowsCut: Math.max(0, covered.bottom - bottom),
    covered: { ...covered, right, bottom },
  };
}

/** Parsers for the texts of each column, if the meaning of a text depends on those above and below it. */
function readTogether(
  block: TextBlock,
  { left, right }: Pick<CellRange, 'left' | 'right'>,
  columns: readonly GridColumn[],
): ReadonlyMap<GridColumn, ((text: string) => string) | undefined> {
  const width = blockWidth(block);
  return new Map(
    columns
      .slice(left, right + 1)
      .map((column, at) => [
        column,
        column.type?.readTogether?.(block.flatMap((row) => row[at % width] ?? [])),
      ]),
  );
}

/** What a cell gets from a pasted text: the copied value, or the text parsed by its column. */
function readPasted(
  text: string,
  column: GridColumn,
  copied: CopiedValue | undefined,
  { whyRefused, t }: PasteTarget,
): ReadCell {
  if (copied !== undefined) return { ok: true, value: copied.value };
  const refused = whyRefused?.(column, text);
  return refused === undefined ? readText(text, column, t) : { ok: false, message: refused };
}

/** The copied value, if the column can store it unchanged. */
function sameMeaning(copied: CopiedValue | null | undefined, column: GridColumn): CopiedValue | undefined {
  return copied?.meaning === undefined || copied.meaning !== meaningOf(column) ? undefined : copied;
}

function blockWidth(block: TextBlock): number {
  return Math.max(1, ...block.map((row) => row.length));
}
