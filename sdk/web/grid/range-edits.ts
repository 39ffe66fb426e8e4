import type { CopiedBlock, CopiedValue } from './grid-clipboard.ts';
import { HeldColumns } from './held-columns.ts';
import { HeldRows } from './held-rows.ts';
import { MAX_ROWS_AT_ONCE, whyNotCleared } from './grid-context.ts';
import { tellNoCell } from './tell-lost.ts';
import type { GridModel } from './grid-model.ts';
import { planFill } from './fill-plan.ts';
import { type CellRange, rangeOf, sameRange } from './grid-selection.ts';
import type { CellChange, EditStep, FailedEdit, RowData, StepPreparation } from '../rows/index.ts';
import { together } from '../rows/step-preparation.ts';
import { widenForPaste } from './widen-for-paste.ts';
import { adoptTexts } from './adopt-texts.ts';
import { type GridColumn, meaningOf, readText } from './grid-column.ts';
import { SelectedPlace } from './selected-place.ts';
import { pasteReport } from './paste-report.ts';
import { coveredRange, type PastePlan, planPaste, type RejectedCell } from './paste-plan.ts';

/**
 * The texts of the selected cells; undefined while rows of the range are not loaded. They are then loaded and the user is asked to
 * copy again, since a browser allows writing to its clipboard only during the key press.
 */
export function copyRange(model: GridModel): CopiedBlock | undefined {
  const range = selectedRange(model);
  if (range === undefined) return undefined;
  const { source, columns, table, t } = model.state.context;
  if (model.state.rowsLoaded(range.top, range.bottom) && range.bottom - range.top < MAX_ROWS_AT_ONCE) {
    const copied = columns.slice(range.left, range.right + 1);
    const rows = rowsOf(range).map((index) => source.rowAt(index));
    const valueOf = (row: RowData | undefined, column: GridColumn): CopiedValue | null => {
      const { id: columnId } = column.entity;
      const meaning = meaningOf(column);
      if (row === undefined || meaning === undefined || model.state.edits.of(row.key, columnId)) return null;
      const from = { tableId: table.id, columnId, rowKey: row.key };
      return { meaning, value: model.state.valueOf(row, columnId), from };
    };
    return {
      texts: rows.map((row) =>
        copied.map((column) => (row === undefined ? '' : model.state.textOf(row, column))),
      ),
      values: rows.map((row) => copied.map((column) => valueOf(row, column))),
    };
  }
  void model.state.withRows(range.top, range.bottom, () =>
    model.state.notify({ text: t('The rows are loaded now. Copy again to take them.'), details: [] }),
  );
  return undefined;
}

/** Empties the selected cells, except read-only ones; a cell that needs a value says so. */
export async function clearRange(model: GridModel): Promise<void> {
  const range = selectedRange(model);
  if (range === undefined) return;
  await withSelected(model, range, (held) => {
    const { columns, t } = model.state.context;
    const empties = new Map(columns.map((column) => [column.entity.id, readText('', column, t)]));
    const cleared = editableCells(model, held, ({ entity }) => {
      const empty = empties.get(entity.id);
      return empty?.ok === true ? empty.value : null;
    });
    const step: EditStep = { kind: 'clear', count: cleared.length };
    const kept: RejectedCell[] = [];
    const written = cleared.filter(({ rowKey, columnId, index }) => {
      const empty = empties.get(columnId);
      if (empty?.ok === false) kept.push({ rowKey, columnId, index, text: '', message: empty.message });
      return empty?.ok === true;
    });
    markRejected(model, kept, step);
    void writeAndTell(model, { ...nothingCut, changes: written, rejected: kept }, step);
  });
}

/** Loads the rows of a range and acts on its cells, wherever they are by then; shows a message if they changed. */
async function withSelected(
  model: GridModel,
  range: CellRange,
  act: (held: CellRange) => void,
): Promise<void> {
  const columns = new HeldColumns(model.state, range.left, range.right);
  await new HeldRows(model.state, range.top, range.bottom).find((top) => {
    const { left } = columns;
    if (top === undefined || left === undefined) return tellMoved(model);
    act({ top, left, bottom: range.bottom + top - range.top, right: range.right + left - range.left });
  });
}

function tellMoved({ state }: GridModel): void {
  const text = state.context.t('Nothing was changed: the selected cells are others by now. Try again.');
  state.notify({ text, details: [] });
}

/** Fills the selection from its first row; a single row is filled from the one above. */
export async function fillDown(model: GridModel): Promise<void> {
  const range = selectedRange(model);
  if (range === undefined) return;
  const top = range.top === range.bottom ? range.top - 1 : range.top;
  if (top >= 0) await fillCells(model, { ...range, top, bottom: top }, { ...range, top });
}

/** Fills the selection from its first column. */
export async function fillToEnd(model: GridModel): Promise<void> {
  const range = selectedRange(model);
  if (range !== undefined) await fillCells(model, { ...range, right: range.left }, range);
}

/** Continues the cells of one range in a larger one: with their series if they have one, else by repeating them. */
export async function fillCells(model: GridModel, from: CellRange, covered: CellRange): Promise<void> {
  const { edits } = model.state;
  if (sameRange(from, covered) || refusesWrites(model)) return;
  const place = new SelectedPlace(model.state, () => covered);
  let plan: PastePlan | undefined;
  await withSelected(model, covered, (held) => {
    const down = held.top - covered.top;
    const along = held.left - covered.left;
    const source: CellRange = {
      top: from.top + down,
      bottom: from.bottom + down,
      left: from.left + along,
      right: from.right + along,
    };
    const { context } = model.state;
    plan = planFill(source, held, {
      tableId: context.table.id,
      columns: context.columns,
      rowAt: (index) => context.source.rowAt(index),
      valueOf: (row, columnId) => model.state.valueOf(row, columnId),
      isEdited: (row, columnId) => edits.of(row.key, columnId) !== undefined,
      t: context.t,
    });
  });
  if (plan !== undefined) await carryOut(model, { plan, kind: 'fill' }, place);
}

/**
 * Pastes a block into the currently selected cells, adds rows for what extends past the last one, and reports what found no place.
 * Further pastes wait: each is planned with the results of the previous one.
 */
export async function pasteBlock(model: GridModel, pasted: CopiedBlock): Promise<void> {
  if (pasted.texts.length === 0 || refusesWrites(model)) return;
  const { state, pastes } = model;
  const place = new SelectedPlace(state, (selected) => coveredRange(pasted.texts, selected));
  if (place.now === undefined) return tellNoCell(state);
  state.set({ pasting: state.getSnapshot().pasting + 1 });
  try {
    await pastes.run(() => pasteAll(model, pasted, place));
  } finally {
    state.set({ pasting: state.getSnapshot().pasting - 1 });
  }
}

async function pasteAll(model: GridModel, pasted: CopiedBlock, place: SelectedPlace): Promise<void> {
  const selected = place.now;
  if (selected === undefined) return tellChanged(model);
  const widened = await widenForPaste(model.state, pasted, coveredRange(pasted.texts, selected));
  // The block only contained titles, which are now those of the columns.
  if (widened === undefined || widened.block.texts.length === 0) return;
  const { plan, adopted } = await planWhereSelected(model, widened.block, place);
  const made = together([widened.made, adopted].filter((each) => each !== undefined));
  if (plan === undefined) await made?.undo();
  else await carryOut(model, { plan, kind: 'paste', made }, place);
}

/** The plan of a paste, and what columns adopted for it. Without a plan nothing is pasted, and the person was told why. */
interface PlannedPaste {
  readonly plan?: PastePlan | undefined;
  readonly adopted?: StepPreparation | undefined;
}

async function planWhereSelected(
  model: GridModel,
  { texts: block, values: copied }: CopiedBlock,
  place: SelectedPlace,
): Promise<PlannedPaste> {
  const { context } = model.state;
  const range = place.now;
  if (range === undefined) {
    tellChanged(model);
    return {};
  }
  const { source } = context;
  const rowCount = source.count ?? source.atLeast;
  const covered = coveredRange(block, range);
  const lastExisting = Math.min(covered.bottom, rowCount - 1);
  if (covered.bottom - covered.top >= MAX_ROWS_AT_ONCE) {
    const n = covered.bottom - covered.top + 1;
    const text = context.t('At most {{max}} rows at a time; {{n}} are selected.', {
      max: MAX_ROWS_AT_ONCE,
      n,
    });
    model.state.notify({ text, details: [] });
    return {};
  }
  let held: HeldRows | undefined;
  await new HeldRows(model.state, covered.top, lastExisting).find((top) => {
    if (top === undefined) tellMoved(model);
    else held = new HeldRows(model.state, top, top + lastExisting - covered.top);
  });
  if (held === undefined) return {};
  const { count } = held;
  const { whyRefused, made: adopted } = await adoptTexts(context, block, covered);
  let plan: PastePlan | undefined;
  // Others may have moved the rows meanwhile: the block goes to those that were selected.
  await held.find((top) => {
    if (top === undefined) return tellChanged(model);
    plan = planPaste(
      block,
      { ...range, top, bottom: range.bottom + top - range.top },
      {
        columns: context.columns,
        // A row that somebody added below is not one of those.
        rowCount: top + count,
        rowAt: (index) => source.rowAt(index),
        copied,
        mayAppend: context.handlers.onPasteRows !== undefined,
        whyRefused,
        t: context.t,
      },
    );
  });
  return { plan, adopted };
}

function tellChanged({ state }: GridModel): void {
  const text = state.context.t('Nothing was pasted: the selected cells have changed. Paste again.');
  state.notify({ text, details: [] });
}

/** For a fill, which has no texts without a place. */
const nothingCut = { columnsCut: 0, rowsCut: 0, readOnlyCells: 0 };

interface PlannedStep {
  readonly plan: PastePlan;
  readonly kind: 'paste' | 'fill';
  /** The changes made for it before. */
  readonly made?: StepPreparation | undefined;
}

/** Writes what was planned as one step, which is undone as one. */
async function carryOut(
  model: GridModel,
  { plan, kind, made }: PlannedStep,
  place: SelectedPlace,
): Promise<void> {
  const added =
    plan.afterwards.length + plan.appended.reduce((sum, values) => sum + Object.keys(values).length, 0);
  const step: EditStep = { kind, count: plan.changes.length + plan.rejected.length + added };
  if (made !== undefined) model.state.context.handlers.onStepPrepared?.(step, made);
  markRejected(model, plan.rejected, step);
  const { top, bottom, left, right } = plan.covered;
  const lastExisting = model.state.context.rowCount - 1;
  // If the person has moved on or is typing, the selection stays.
  const isThere = place.isSelected;
  if (isThere && top <= lastExisting)
    model.selectInPlace({
      active: { row: top, column: left },
      head: { row: Math.min(bottom, lastExisting), column: right },
    });
  void writeAndTell(model, plan, step);
  if (plan.appended.length > 0) await appendRows(model, plan, step, isThere);
}

/** Writes cells and reports what was refused: known problems at once, the server's refusals later. */
async function writeAndTell(
  model: GridModel,
  plan: Omit<PastePlan, 'appended' | 'afterwards' | 'covered'>,
  step: EditStep,
): Promise<void> {
  const tell = (rejected: readonly RejectedCell[]): void =>
    model.state.notify(pasteReport(model.state.context, { ...plan, rejected }, step));
  tell(plan.rejected);
  const refused = await model.writer.write(plan.changes, step);
  if (refused.length > 0) tell([...plan.rejected, ...withPlaces(refused, plan.changes)]);
}

/** The refused cells with their row indexes. */
function withPlaces(refused: readonly FailedEdit[], changes: readonly CellChange[]): readonly RejectedCell[] {
  const indices = new Map(changes.map(({ rowKey, index }) => [rowKey, index]));
  return refused.map((cell) => ({ ...cell, index: indices.get(cell.rowKey) ?? 0 }));
}

function markRejected(model: GridModel, cells: readonly RejectedCell[], step: EditStep): void {
  const known = cells.flatMap((cell) =>
    cell.rowKey === undefined ? [] : [{ ...cell, rowKey: cell.rowKey }],
  );
  model.state.edits.fail(known, step);
}

async function appendRows(
  model: GridModel,
  plan: PastePlan,
  step: EditStep,
  isThere: boolean,
): Promise<void> {
  const { handlers, t } = model.state.context;
  const firstNew = plan.covered.bottom - plan.appended.length + 1;
  const before = model.state.getSnapshot().selection;
  const wasAtEnd = model.state.isAtEnd;
  try {
    const keys = (await handlers.onPasteRows?.(plan.appended, step)) ?? [];
    const afterwards = plan.afterwards.flatMap((change): CellChange[] => {
      const rowKey = keys[change.index - firstNew];
      return rowKey === undefined ? [] : [{ ...change, rowKey }];
    });
    if (afterwards.length > 0)
      void writeAndTell(model, { ...nothingCut, changes: afterwards, rejected: plan.rejected }, step);
    const ofNewRows = plan.rejected.filter(({ rowKey }) => rowKey === undefined);
    markRejected(
      model,
      ofNewRows.map((cell) => ({ ...cell, rowKey: keys[cell.index - firstNew] })),
      step,
    );
    const { selection } = model.state.getSnapshot();
    const stays = isThere && (wasAtEnd ? model.state.isAtEnd : selection === before);
    if (stays) await selectAppended(model, plan.covered, { firstNew, keys });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const details = plan.appended.map((values) => Object.values(values).map(String).join(' | '));
    model.state.notify({ text: t('Nothing was pasted: {{reason}}', { reason }), details });
  }
}

/** Selects the pasted range including the added rows, if they are adjacent. */
async function selectAppended(
  model: GridModel,
  { top, bottom, left, right }: CellRange,
  { firstNew, keys }: { readonly firstNew: number; readonly keys: readonly string[] },
): Promise<void> {
  const { source } = model.state.context;
  if (keys.length === 0 || (source.count ?? 0) <= bottom) return;
  await source.load(firstNew, bottom + 1);
  const isThere = keys.every((key, at) => source.rowAt(firstNew + at)?.key === key);
  if (isThere)
    model.selectInPlace({ active: { row: top, column: left }, head: { row: bottom, column: right } });
}

function editableCells(
  model: GridModel,
  range: CellRange,
  valueFor: (column: GridColumn) => unknown,
): CellChange[] {
  const { context } = model.state;
  return rowsOf(range).flatMap((index) => {
    const row = context.source.rowAt(index);
    if (row === undefined) return [];
    return context.columns.slice(range.left, range.right + 1).flatMap((column): CellChange[] => {
      if (whyNotCleared(context, column, row) !== undefined) return [];
      const value = valueFor(column);
      const before = row.values[column.entity.id];
      const unchanged =
        Object.is(value, before) && model.state.edits.of(row.key, column.entity.id) === undefined;
      return unchanged ? [] : [{ rowKey: row.key, index, columnId: column.entity.id, value, before }];
    });
  });
}

/** Shows a message if writing is not allowed. */
function refusesWrites(model: GridModel): boolean {
  const { readOnly, handlers, t } = model.state.context;
  const refuses = readOnly || handlers.onCommitCells === undefined;
  if (refuses) model.state.notify({ text: t('This table is read-only for you.'), details: [] });
  return refuses;
}

/** The selected cells; none for the line that starts a new row. */
function selectedRange({ state }: GridModel): CellRange | undefined {
  const { selection } = state.getSnapshot();
  return state.isAtEnd || selection === undefined ? undefined : rangeOf(selection);
}

function rowsOf(range: CellRange): number[] {
  return Array.from({ length: range.bottom - range.top + 1 }, (_, at) => range.top + at);
}
