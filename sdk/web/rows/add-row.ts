import type { CellValue, ColumnEntity } from '../../shared/index.ts';
import { ApiError } from '../api.ts';
import type { CellChange } from './cell-changes.ts';
import type { EditStep } from './edit-step.ts';
import type { RowValues } from './row-codec.ts';
import type { RowPlace } from './row-place.ts';
import type { AddedRow } from './row-additions.ts';
import { writeCells, type WriteCellsOf } from './write-cells.ts';

interface Answered {
  readonly column: ColumnEntity;
  readonly value: CellValue;
}

/**
 * Adds a row with a person's answers. Answers that are no plain values, such as links, are written with the row if possible, and
 * right after it otherwise; all of it is one step. A row that did not get all of them is deleted again.
 *
 * @throws ApiError whose parameter `column` names the refused answer
 * @public
 */
export async function addRow(of: WriteCellsOf, answers: RowValues, place?: RowPlace): Promise<AddedRow> {
  const { rows, table, t } = of;
  const step: EditStep = { kind: 'add', count: 1 };
  const { values, later } = await sortedAnswers(of, answers);
  const added = await rows.insert(values, place, step);
  const [first] = later;
  if (first === undefined) return added;
  const { key: rowKey, values: made } = added.row;
  const keys = (table.columns ?? []).filter(({ pk }) => pk);
  const isNamed = keys.length > 0 && keys.every(({ id }) => (made[id] ?? null) !== null);
  const changes = later.map(({ column, value }): CellChange => ({
    rowKey,
    index: 0,
    columnId: column.id,
    value,
    before: null,
  }));
  const [failure] = isNamed
    ? await writeCells(of, changes, step)
    : [{ columnId: first.column.id, message: t('The row has no key by which it could be linked.') }];
  if (failure === undefined) return added;
  // The reason for the refusal matters more than that the row could not be deleted: the row is visible.
  await rows.undo('undo', step).catch(() => false);
  const refused = later.find(({ column }) => column.id === failure.columnId) ?? first;
  throw new ApiError(400, failure.message, 'ANSWER_REFUSED', { column: refused.column.title });
}

/** The values of the new row, and what is written once it exists. */
async function sortedAnswers({ project, table, api, typeOf }: WriteCellsOf, answers: RowValues) {
  const values = new Map(Object.entries(answers));
  const later: Answered[] = [];
  for (const column of table.columns ?? []) {
    const type = typeOf(column.uidt);
    if (type?.Answer === undefined || type.writeCells === undefined || !values.has(column.id)) continue;
    const value = (values.get(column.id) ?? null) as CellValue;
    values.delete(column.id);
    if (value === null) continue;
    const kept = await type.keptAnswers?.valuesOf(value, {
      project,
      column,
      request: (request) => api.request(request),
    });
    if (kept === undefined) later.push({ column, value });
    else for (const [id, own] of Object.entries(kept)) values.set(id, own);
  }
  return { values: Object.fromEntries(values), later };
}
