import {
  toColumnEntity,
  toldAsked,
  toTableSummary,
  toViewColumnEntity,
  toViewEntity,
  type ColumnSchema,
  type SchemaStore,
  type TableSchema,
} from '@trellis/sdk/server';
import { mayNamePeople, type ColumnEntity, type TableEntity } from '@trellis/sdk/shared';
import { linkErrors } from './link-errors.ts';
import type { Visit } from './visits.ts';
import { linkedTable, visibleColumns } from './visible-columns.ts';

/**
 * What a visitor may know about the view and its table: no hidden column, view or filter, and no formulas, since they may name
 * some.
 */
export async function publicMeta(
  visit: Visit,
  schema: Pick<SchemaStore, 'table'>,
): Promise<Readonly<Record<string, unknown>>> {
  const { handle, link } = visit;
  const { table, snapshot, scope } = handle;
  const { views } = await schema.table(scope, table.id);
  const view = views.find(({ id }) => id === visit.view.id);
  if (view === undefined) throw linkErrors.create('SHARED_VIEW_NOT_FOUND');
  const visible = visibleColumns(visit);
  const shown = new Set(visible);
  const columns = [...visible, ...table.primaryKey.filter((column) => !shown.has(column))];
  const { options, hiddenIds } = shownOptions(visit, view.meta ?? {});
  const naming = { ...visit, hiddenIds: new Set(hiddenIds) };
  // Without notes that are meant for members.
  const entity = { ...toViewEntity(view, table), description: null, group_id: null, icon: null };
  const related = visible.flatMap((column) => linkedTable(snapshot, table, column) ?? []);
  const toEntity = (of: TableSchema, told: readonly ColumnSchema[]) => tableEntity(naming, of, told);
  return {
    ...entity,
    meta: JSON.stringify(toldOf(link.meta)),
    uuid: link.uuid,
    filter: { is_group: true, children: [], logical_op: 'AND' },
    sorts: [],
    view: { fk_view_id: view.id, uuid: link.uuid, title: view.title, meta: options },
    columns: view.columns.map((column) => toViewColumnEntity(column, table)),
    model: {
      ...toEntity(table, columns),
      views: [{ ...entity, uuid: link.uuid, meta: options }],
    },
    client: 'sqlite3',
    relatedMetas: Object.fromEntries(related.map((to) => [to.id, toEntity(to, linkedNames(to, visit))])),
  };
}

/** The view's options, without hidden select options. */
function shownOptions(
  { type }: Visit,
  options: Meta,
): { readonly options: Meta; readonly hiddenIds: readonly string[] } {
  return type.sharing?.withoutHidden?.(options) ?? { options, hiddenIds: [] };
}

/** The link's options, without the sites that may show it in a frame. */
const toldOf = ({ embedSites: _embedSites, ...told }: Visit['link']['meta']) => told;

/** The columns that name a row of a linked table. */
export function linkedNames(to: TableSchema, { types }: Visit): readonly ColumnSchema[] {
  const columns = new Set([...to.primaryKey, ...(to.displayColumn ? [to.displayColumn] : [])]);
  return [...columns].filter(({ type }) => !mayNamePeople(types.get(type)));
}

type Meta = Readonly<Record<string, unknown>>;

/** What a visitor sees, and the ids of hidden select options. */
interface Naming extends Pick<Visit, 'types' | 'handle'> {
  readonly hiddenIds: ReadonlySet<string>;
}

/** A column's options, or the display options of its values, without hidden select options. */
function withoutHidden<Kept>(meta: Kept, hiddenIds: ReadonlySet<string>): Kept {
  const { options } = (meta ?? {}) as { readonly options?: unknown };
  if (hiddenIds.size === 0 || !Array.isArray(options)) return meta;
  const shown = (options as readonly { readonly id?: unknown }[]).filter(
    ({ id }) => !hiddenIds.has(String(id)),
  );
  return { ...meta, options: shown };
}

function tableEntity(visit: Naming, table: TableSchema, kept: readonly ColumnSchema[]): TableEntity {
  const columns = kept.map((column) => columnEntity(visit, column, table));
  return {
    ...toTableSummary(table),
    columns,
    columnsById: Object.fromEntries(columns.map((column) => [column.id, column])),
  };
}

/** The options of a computed column name its source columns. */
function columnEntity(
  { types, handle, hiddenIds }: Naming,
  kept: ColumnSchema,
  table: TableSchema,
): ColumnEntity {
  const meta = withoutHidden(kept.meta, hiddenIds);
  const column = meta === kept.meta ? kept : { ...kept, meta };
  const type = types.get(column.type);
  const isComputed = column.columnName === '' && column.linkId === undefined;
  const entity = toColumnEntity(column, table, isComputed ? undefined : type, handle.snapshot);
  const plain = { ...entity, colOptions: undefined };
  if (!isComputed && column.linkId === undefined) return entity;
  if (isComputed)
    return {
      ...plain,
      meta: null,
      ...resultOf({ types, handle, hiddenIds }, column, table),
      ...toldAsked(column, { types, snapshot: handle.snapshot }),
    };
  const to = table.links.find(({ id }) => id === column.linkId);
  return {
    ...plain,
    meta: null,
    ...(to && { colOptions: { type: kinds[to.kind], fk_related_model_id: to.toTableId } }),
  };
}

/** How cells of a computed column are drawn: the type of its values, and those display options that name no other column. */
function resultOf(
  { types, handle: { snapshot }, hiddenIds }: Naming,
  column: ColumnSchema,
  table: TableSchema,
): { readonly colOptions?: object } {
  const told = types.get(column.type)?.server?.toColOptions?.(column, table, snapshot);
  const result = typeof told === 'object' && told !== null && 'result' in told ? told.result : undefined;
  if (typeof result === 'string') return { colOptions: { result } };
  if (typeof result !== 'object' || result === null || !('uidt' in result) || !('storage' in result))
    return {};
  const { uidt, storage } = result;
  // The options of a computed column name its source columns.
  const look = storage !== 'virtual' && 'meta' in result ? withoutHidden(result.meta, hiddenIds) : {};
  return { colOptions: { result: { uidt, storage, meta: look } } };
}

const kinds = { hasMany: 'hm', manyToMany: 'mm', belongsTo: 'bt' } as const;
