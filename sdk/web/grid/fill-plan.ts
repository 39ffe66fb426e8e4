import type { CellValue } from '../../shared/index.ts';
import { checkCell, type ReadCell } from '../columns.ts';
import type { Translate } from '../context.ts';
import type { CellChange, CellSource, RowData } from '../rows/index.ts';
import { continueValues, type Series } from './fill-series.ts';
import { type GridColumn, meaningOf, readText, textOfValue, whyNotPasted } from './grid-column.ts';
import type { CellPlace, CellRange } from './grid-selection.ts';
import type { PastePlan, RejectedCell } from './paste-plan.ts';

export interface FillTarget {
  readonly tableId: string;
  readonly columns: readonly GridColumn[];
  readonly rowAt: (index: number) => RowData | undefined;
  /** The displayed value of a cell. */
  readonly valueOf: (row: RowData, columnId: string) => CellValue;
  /** Whether an edit of the cell is being written or was refused. */
  readonly isEdited: (row: RowData, columnId: string) => boolean;
  readonly t: Translate;
}

/** A value to continue with, and its column. */
interface Filled {
  readonly value: CellValue;
  readonly from: GridColumn;
  /** The row with the value, if it is repeated. */
  readonly rowKey?: string | undefined;
}

/** The range of a fill that is dragged to a cell: down, up, or to a side, whichever is further. */
export function fillRangeTo(from: CellRange, { row, column }: CellPlace): CellRange {
  const down = row - from.bottom;
  const up = from.top - row;
  const right = column - from.right;
  const left = from.left - column;
  const most = Math.max(down, up, right, left);
  if (most <= 0) return from;
  if (most === down) return { ...from, bottom: row };
  if (most === up) return { ...from, top: row };
  return most === right ? { ...from, right: column } : { ...from, left: column };
}

/** Plans filling `covered` from a part of it. All its rows must be loaded. */
export function planFill(from: CellRange, covered: CellRange, target: FillTarget): PastePlan {
  const filledAt = isVertical(from, covered) ? fillOfColumns(from, target) : fillOfRows(from, target);
  const changes: CellChange[] = [];
  const rejected: RejectedCell[] = [];
  let readOnlyCells = 0;
  for (const { row: index, column: place } of cellsBeside(from, covered)) {
    const row = target.rowAt(index);
    const column = target.columns[place];
    const filled = filledAt({ row: index, column: place });
    if (row === undefined || column === undefined || filled === undefined) continue;
    if (whyNotPasted(column) !== undefined || row.readOnly === true) {
      readOnlyCells += 1;
      continue;
    }
    const columnId = column.entity.id;
    const read = readFilled(filled, column, target.t);
    if (!read.ok) {
      const text = textOfValue(filled.value, filled.from);
      rejected.push({ rowKey: row.key, index, columnId, text, message: read.message });
    } else if (target.isEdited(row, columnId) || !Object.is(read.value, target.valueOf(row, columnId))) {
      const before = row.values[columnId];
      changes.push({
        rowKey: row.key,
        index,
        columnId,
        value: read.value,
        before,
        from: filled.rowKey === undefined ? undefined : sourceOf(filled.from, filled.rowKey, target),
      });
    }
  }
  return {
    changes,
    appended: [],
    afterwards: [],
    rejected,
    readOnlyCells,
    columnsCut: 0,
    rowsCut: 0,
    covered,
  };
}

function isVertical(from: CellRange, covered: CellRange): boolean {
  return covered.top < from.top || covered.bottom > from.bottom;
}

function* cellsBeside(from: CellRange, covered: CellRange): Iterable<CellPlace> {
  for (let row = covered.top; row <= covered.bottom; row++)
    for (let column = covered.left; column <= covered.right; column++)
      if (row < from.top || row > from.bottom || column < from.left || column > from.right)
        yield { row, column };
}

/** Each column continues from its own cells. */
function fillOfColumns(from: CellRange, target: FillTarget): (place: CellPlace) => Filled | undefined {
  const series = new Map<number, Series>();
  return ({ row, column: place }) => {
    const column = target.columns[place];
    if (column === undefined) return undefined;
    const going =
      series.get(place) ??
      seriesOf(
        column,
        numbersTo(from.top, from.bottom).map((index) => valueAt(index, column, target)),
      );
    series.set(place, going);
    const count = from.bottom - from.top + 1;
    const repeated = from.top + ((((row - from.top) % count) + count) % count);
    return { value: going(row - from.top), from: column, rowKey: target.rowAt(repeated)?.key };
  };
}

/** Each row continues from its own cells, as a series if all of them store their values in the same way. */
function fillOfRows(from: CellRange, target: FillTarget): (place: CellPlace) => Filled | undefined {
  const sources = target.columns.slice(from.left, from.right + 1);
  const [first] = sources;
  const alike = sources.every(({ entity }) => entity.storage === first?.entity.storage);
  const series = new Map<number, Series>();
  return ({ row, column: place }) => {
    const count = sources.length;
    const offset = place - from.left;
    const source = sources[((offset % count) + count) % count];
    if (source === undefined || first === undefined) return undefined;
    const rowKey = target.rowAt(row)?.key;
    if (!alike) return { value: valueAt(row, source, target), from: source, rowKey };
    const going =
      series.get(row) ??
      seriesOf(
        first,
        sources.map((column) => valueAt(row, column, target)),
      );
    series.set(row, going);
    return { value: going(offset), from: source, rowKey };
  };
}

/** A foreign key is no number to continue from. */
function seriesOf({ entity }: GridColumn, values: readonly CellValue[]): Series {
  return continueValues(values, entity.uidt === 'ForeignKey' ? 'string' : entity.storage);
}

function valueAt(index: number, column: GridColumn, { rowAt, valueOf }: FillTarget): CellValue {
  const row = rowAt(index);
  if (row === undefined) throw new Error(`Row ${index} must be loaded before filling from it`);
  return valueOf(row, column.entity.id);
}

function sourceOf(
  { entity: { id: columnId } }: GridColumn,
  rowKey: string,
  { tableId }: FillTarget,
): CellSource {
  return { tableId, columnId, rowKey };
}

/** A value of the same type is used unchanged, another type's as its displayed text. */
function readFilled({ value, from }: Filled, column: GridColumn, t: Translate): ReadCell {
  const { entity, type } = column;
  if (from.type !== type || meaningOf(from) !== meaningOf(column) || from.entity.storage !== entity.storage)
    return readText(textOfValue(value, from), column, t);
  return type === undefined ? { ok: true, value } : checkCell(value, entity, type, t);
}

function numbersTo(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
