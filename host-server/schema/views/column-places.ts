import type { ColumnSchema, TableSchema, ViewColumnDraft, ViewDraft, ViewSchema } from '@trellis/sdk/server';
import type { Unit } from '../../sql/unit.ts';
import { rowOrderType } from '../../metadata/models/column-rules.ts';
import { models } from '../../metadata/models/models.ts';
import { newId } from '../../runtime/ids.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { Found, Stamps } from './view-access.ts';
import { isSameJson } from './view-rules.ts';

/** A view before and after a change. */
export interface DraftChange {
  readonly before: ViewDraft;
  readonly after: ViewDraft;
}

/** The place of a column that nobody has arranged yet. */
export const newPlace = { show: true, width: undefined, options: {} };

/** The columns as they are in this transaction, including one that was added a moment ago. */
export async function presentColumns(unit: Unit, table: TableSchema): Promise<readonly ColumnSchema[]> {
  const { ColumnModel, TableModel, toColumn } = await models();
  const isThere = await TableModel.query(unit.knex).findById(table.id).whereNull('parked_at').select('id');
  if (isThere === undefined) throw schemaErrors.create('TABLE_NOT_FOUND');
  const rows = await ColumnModel.query(unit.knex)
    .where({ table_id: table.id })
    .whereNull('parked_at')
    .whereNot({ uidt: rowOrderType })
    .orderBy(['sort_order', 'id']);
  return rows.map(toColumn);
}

/**
 * A place for every column: as in the copied view; else all but system columns are shown, and keys and foreign keys are as in the
 * default view.
 */
export function newPlaces(
  columns: readonly ColumnSchema[],
  of: {
    readonly table: TableSchema;
    readonly source: ViewSchema | undefined;
    readonly withSystem: boolean;
    /** The new view's type. It copies the options of a view of the same type. */
    readonly type: string;
  },
): readonly ViewColumnDraft[] {
  return columns.map((column, index) => {
    const copied = of.source?.columns.find(({ columnId }) => columnId === column.id);
    return {
      columnId: column.id,
      show: copied?.show ?? (of.withSystem || !isPlumbing(column) || isShownByDefault(column, of.table)),
      width: copied?.width,
      order: copied?.order ?? index + 1,
      options: (of.source?.type === of.type ? copied?.meta : undefined) ?? {},
    };
  });
}

/** Whether a column is a system column or holds a foreign key; people see the link instead. */
function isPlumbing({ system, type }: ColumnSchema): boolean {
  return system || type === 'ForeignKey';
}

function isShownByDefault(column: ColumnSchema, { defaultView }: TableSchema): boolean {
  if (!column.primaryKey && column.type !== 'ForeignKey') return false;
  return defaultView?.columns.find(({ columnId }) => columnId === column.id)?.show ?? false;
}

/** Options as they are stored; null if there are none. */
export function orNull(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  return Object.keys(options).length === 0 ? null : options;
}

/** The place as a row of the metadata, without the id of its view. */
export function toRow({ columnId, show, order, width, options }: ViewColumnDraft) {
  return {
    column_id: columnId,
    visible: show,
    sort_order: order,
    width: width ?? null,
    meta: orNull(options),
  };
}

/** Stores changed options of a view and changed places of its columns. */
export async function writeDraft(
  unit: Unit,
  stamps: Stamps,
  { table, view }: Found,
  { before, after }: DraftChange,
): Promise<void> {
  const { ViewColumnModel, ViewModel } = await models();
  const { updated_at } = stamps;
  if (!isSameJson(before.options, after.options))
    await ViewModel.query(unit.knex)
      .findById(view.id)
      .patch({ meta: orNull(after.options), updated_at });
  const places = new Map(before.columns.map((column) => [column.columnId, column]));
  for (const column of after.columns) {
    const known = places.get(column.columnId);
    if (known === undefined) {
      await ViewColumnModel.query(unit.knex).insert({
        ...toRow(column),
        id: newId('viewColumn'),
        project_id: table.projectId,
        view_id: view.id,
        ...stamps,
      });
      continue;
    }
    const [row, stored] = [toRow(column), toRow(known)];
    const changed = Object.entries(row).filter(
      ([name, value]) => !isSameJson(value, stored[name as keyof typeof stored]),
    );
    if (changed.length === 0) continue;
    await ViewColumnModel.query(unit.knex)
      .where({ view_id: view.id, column_id: column.columnId })
      .patch({ ...Object.fromEntries(changed), updated_at });
  }
}
