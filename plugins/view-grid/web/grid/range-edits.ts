import type { TextBlock } from './grid-clipboard.ts';
import { MAX_ROWS_AT_ONCE, whyNotEditable } from './grid-context.ts';
import type { GridModel } from './grid-model.ts';
import { type CellRange, rangeOf } from './grid-selection.ts';
import type { GridCellChange, GridColumn } from './grid-types.ts';
import { coveredRange, type PastePlan, planPaste } from './paste-plan.ts';

/**
 * The texts of the selected cells; undefined while rows of the range are not loaded. Then they are fetched and the user
 * is told to copy again, since a browser lets us write to its clipboard only while the key is pressed.
 */
export function copyRange(model: GridModel): TextBlock | undefined {
  const range = selectedRange(model);
  if (range === undefined) return undefined;
  const { source, columns, t } = model.context;
  if (model.rowsLoaded(range.top, range.bottom) && range.bottom - range.top < MAX_ROWS_AT_ONCE) {
    return rowsOf(range).map((index) =>
      columns.slice(range.left, range.right + 1).map((column) => {
        const row = source.rowAt(index);
        return row === undefined ? '' : model.textOf(row, column);
      }),
    );
  }
  void model.withRows(range.top, range.bottom, () =>
    model.notify({ text: t('The rows are loaded now. Copy again to take them.'), details: [] }),
  );
  return undefined;
}

/** Empties the selected cells. Read-only ones are left alone; where a value is needed, the cell says so. */
export async function clearRange(model: GridModel): Promise<void> {
  const range = selectedRange(model);
  if (range === undefined) return;
  await model.withRows(range.top, range.bottom, () => {
    const cleared = editableCells(model, range, ({ type }) => {
      const empty = type.fromText('');
      return empty.ok ? empty.value : null;
    });
    const refusals = new Map(
      model.context.columns.flatMap(({ id, type }) => {
        const empty = type.fromText('');
        return empty.ok ? [] : [[id, empty.message] as const];
      }),
    );
    for (const { rowKey, columnId } of cleared) {
      const message = refusals.get(columnId);
      if (message !== undefined) model.edits.fail(rowKey, columnId, '', message);
    }
    void model.write(cleared.filter(({ columnId }) => !refusals.has(columnId)));
  });
}

/** Copies the first row of the selection into the others. */
export async function fillDown(model: GridModel): Promise<void> {
  const range = selectedRange(model);
  if (range === undefined || range.top === range.bottom) return;
  await model.withRows(range.top, range.bottom, () => {
    const first = model.context.source.rowAt(range.top);
    if (first === undefined) return;
    const changes = editableCells(model, { ...range, top: range.top + 1 }, (column) =>
      model.valueOf(first, column.id),
    );
    void model.write(changes);
  });
}

/** Pastes a block into the selection, adds rows for what reaches past the last one, and reports what found no place. */
export async function pasteBlock(model: GridModel, block: TextBlock): Promise<void> {
  const { context } = model;
  const intoEmptyTable = context.source.count === 0 && context.columns.length > 0;
  const range = intoEmptyTable ? { top: 0, bottom: 0, left: 0, right: 0 } : selectedRange(model);
  if (range === undefined || block.length === 0) return;
  if (context.readOnly || context.handlers.onCommitCells === undefined) {
    return model.notify({ text: context.t('This table is read-only for you.'), details: [] });
  }
  const { source } = context;
  const rowCount = source.count ?? source.atLeast;
  const covered = coveredRange(block, range);
  const lastExisting = Math.min(covered.bottom, rowCount - 1);
  if (covered.bottom - covered.top >= MAX_ROWS_AT_ONCE) {
    const n = covered.bottom - covered.top + 1;
    return model.notify({
      text: context.t('At most {{max}} rows at a time; {{n}} are selected.', { max: MAX_ROWS_AT_ONCE, n }),
      details: [],
    });
  }
  let plan: PastePlan | undefined;
  await model.withRows(covered.top, lastExisting, () => {
    plan = planPaste(block, range, {
      columns: context.columns,
      rowCount,
      rowAt: (index) => source.rowAt(index),
      mayAppend: context.handlers.onPasteRows !== undefined,
    });
  });
  if (plan !== undefined) await carryOut(model, plan);
}

async function carryOut(model: GridModel, plan: PastePlan): Promise<void> {
  for (const cell of plan.rejected) {
    if (cell.rowKey !== undefined) model.edits.fail(cell.rowKey, cell.columnId, cell.text, cell.message);
  }
  const { top, bottom, left, right } = plan.covered;
  model.selectInPlace({
    active: { row: top, column: left },
    head: { row: Math.min(bottom, model.context.rowCount - 1), column: right },
  });
  report(model, plan);
  const writing = model.write(plan.changes);
  if (plan.appended.length > 0) await appendRows(model, plan);
  await writing;
}

async function appendRows(model: GridModel, plan: PastePlan): Promise<void> {
  const { handlers, t } = model.context;
  const firstNew = plan.covered.bottom - plan.appended.length + 1;
  try {
    const keys = (await handlers.onPasteRows?.(plan.appended)) ?? [];
    for (const cell of plan.rejected) {
      const key = cell.rowKey === undefined ? keys[cell.index - firstNew] : undefined;
      if (key !== undefined) model.edits.fail(key, cell.columnId, cell.text, cell.message);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const details = plan.appended.map((values) => Object.values(values).map(String).join(' | '));
    model.notify({ text: t('Nothing was pasted: {{reason}}', { reason }), details });
  }
}

/** So many cells are named one by one; all of them are marked where they stand. */
const MOST_DETAILS = 100;

/** Tells what of a paste did not become a value; says nothing when all of it did. */
function report(model: GridModel, plan: PastePlan): void {
  const { t, columns } = model.context;
  const parts: string[] = [];
  if (plan.rejected.length > 0)
    parts.push(
      t('{{n}} cells could not be read; they are marked and keep the pasted text.', {
        n: plan.rejected.length,
      }),
    );
  if (plan.columnsCut > 0)
    parts.push(
      t('{{n}} pasted columns had no place beyond the last column and were left out.', {
        n: plan.columnsCut,
      }),
    );
  if (plan.rowsCut > 0)
    parts.push(
      t('{{n}} pasted rows had no place beyond the last row and were left out.', { n: plan.rowsCut }),
    );
  if (plan.readOnlyCells > 0)
    parts.push(t('{{n}} cells are read-only and were kept.', { n: plan.readOnlyCells }));
  if (parts.length === 0) return;
  const titles = new Map(columns.map((column) => [column.id, column.title]));
  const details = plan.rejected.slice(0, MOST_DETAILS).map(({ index, columnId, text, message }) =>
    t('{{title}}, row {{n}}: “{{text}}”. {{message}}', {
      title: titles.get(columnId) ?? columnId,
      n: index + 1,
      text,
      message,
    }),
  );
  model.notify({ text: parts.join(' '), details });
}

function editableCells(
  model: GridModel,
  range: CellRange,
  valueFor: (column: GridColumn) => unknown,
): GridCellChange[] {
  const { context } = model;
  return rowsOf(range).flatMap((index) => {
    const row = context.source.rowAt(index);
    if (row === undefined) return [];
    return context.columns.slice(range.left, range.right + 1).flatMap((column): GridCellChange[] => {
      if (whyNotEditable(context, column, row) !== undefined) return [];
      const value = valueFor(column);
      const before = row.values[column.id];
      const unchanged = Object.is(value, before) && model.edits.of(row.key, column.id) === undefined;
      return unchanged ? [] : [{ rowKey: row.key, index, columnId: column.id, value, before }];
    });
  });
}

function selectedRange(model: GridModel): CellRange | undefined {
  const { selection } = model.getState();
  return selection === undefined ? undefined : rangeOf(selection);
}

function rowsOf(range: CellRange): number[] {
  return Array.from({ length: range.bottom - range.top + 1 }, (_, at) => range.top + at);
}
