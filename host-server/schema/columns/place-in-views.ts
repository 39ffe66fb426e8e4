import type { RegistryView } from '@trellis/core';
import type { OpenViews, ViewType } from '@trellis/sdk/server';
import type { Unit } from '../../sql/unit.ts';
import { newId } from '../../runtime/ids.ts';
import { toColumn, type ColumnRow } from '../../metadata/models/column-model.ts';
import { isShownAtFirst, isSystemColumn } from '../../metadata/models/column-rules.ts';
import { models } from '../../metadata/models/models.ts';

export interface PlaceInViewsDependencies {
  readonly viewTypes: RegistryView<ViewType>;
  readonly openViews: RegistryView<OpenViews>;
}

interface Placing {
  /** False for a column that no view shows by itself. */
  readonly visible?: boolean;
  /** The view that the column was added from. */
  readonly viewId?: string | undefined;
}

/** Adds a column at the end of every view of its table that has no place for it. */
export type PlaceInViews = (unit: Unit, row: ColumnRow, placing?: Placing) => Promise<void>;

/**
 * Every column that is made, found or restored gets its places in views here. It starts hidden in views that strangers see, in
 * views whose type says so, and in views that show a choice of fields, since nobody chose yet who may see it.
 */
export function createPlaceInViews({ viewTypes, openViews }: PlaceInViewsDependencies): PlaceInViews {
  async function openIn(unit: Unit, tableId: string): Promise<ReadonlySet<string>> {
    const open = new Set<string>();
    for (const { ofTable } of openViews.list())
      for (const { view_id } of await unit.all<{ view_id: string }>(ofTable(tableId).select('view_id')))
        open.add(view_id);
    return open;
  }

  return async function placeInViews(unit, row, { visible = isShownAtFirst(row), viewId } = {}) {
    const { ColumnModel, ViewModel, ViewColumnModel } = await models();
    const views = await ViewModel.query(unit.knex)
      .where({ table_id: row.table_id })
      .withGraphFetched('columns');
    const lacking = views.filter(({ columns = [] }) => !columns.some((place) => place.column_id === row.id));
    if (lacking.length === 0) return;
    const others = await ColumnModel.query(unit.knex)
      .where({ table_id: row.table_id })
      .whereNull('parked_at');
    const fields = new Set(others.filter((other) => !isSystemColumn(other)).map(({ id }) => id));
    const open = await openIn(unit, row.table_id);
    const column = toColumn(row);
    const now = Date.now();
    const places = lacking.map(({ id, type, columns = [] }) => {
      const hides = columns.some((place) => !place.visible && fields.has(place.column_id));
      const starts = () =>
        viewTypes.get(type)?.showsNewColumn?.(column) ?? (!open.has(id) && (!hides || id === viewId));
      return {
        id: newId('viewColumn'),
        project_id: row.project_id,
        view_id: id,
        column_id: row.id,
        visible: visible && starts(),
        width: null,
        meta: null,
        sort_order: Math.max(0, ...columns.map((place) => place.sort_order)) + 1,
        created_at: now,
        updated_at: now,
      };
    });
    await ViewColumnModel.insertMany(unit, places);
  };
}
