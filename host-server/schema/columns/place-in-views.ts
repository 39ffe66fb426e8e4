import type { Unit } from '../../sql/unit.ts';
import { newId } from '../../runtime/ids.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { isShownAtFirst } from '../../metadata/models/column-rules.ts';
import { models } from '../../metadata/models/models.ts';

/** A column goes to the end of every view of its table that has no place for it. */
export async function placeInViews(
  unit: Unit,
  row: ColumnRow,
  visible: boolean = isShownAtFirst(row),
): Promise<void> {
  const { ViewModel, ViewColumnModel } = await models();
  const views = await ViewModel.query(unit.knex)
    .where({ table_id: row.table_id })
    .withGraphFetched('columns');
  const lacking = views.filter(({ columns = [] }) => !columns.some((place) => place.column_id === row.id));
  const now = Date.now();
  const places = lacking.map(({ id, columns = [] }) => ({
    id: newId('viewColumn'),
    project_id: row.project_id,
    view_id: id,
    column_id: row.id,
    visible,
    width: null,
    meta: null,
    sort_order: Math.max(0, ...columns.map((column) => column.sort_order)) + 1,
    created_at: now,
    updated_at: now,
  }));
  await ViewColumnModel.insertMany(unit, places);
}
