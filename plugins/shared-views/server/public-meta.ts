import {
  toColumnEntity,
  toTableSummary,
  toViewColumnEntity,
  toViewEntity,
  type ColumnSchema,
  type TableSchema,
  type ViewSchema,
} from '@trellis/sdk/server';
import {
  joinedOptions,
  mayNamePeople,
  partedOptions,
  toldAdditions,
  type ColumnEntity,
  type TableEntity,
  type ViewEntity,
} from '@trellis/sdk/shared';
import type { Visit } from './visits.ts';
import { linkedTable, visibleColumns } from './visible-columns.ts';

/**
 * What a visitor is told of the view and of its table: nothing names a column, a view or a filter that the visitor does not see, and no
 * formula is told, since it may name some.
 */
export function publicMeta(visit: Visit): Readonly<Record<string, unknown>> {
  const { handle, view, link, type } = visit;
  const { table, snapshot } = handle;
  const visible = visibleColumns(visit);
  const shown = new Set(visible);
  const isShown = (id: string) => visible.some((column) => column.id === id);
  const columns = [...visible, ...table.primaryKey.filter((column) => !shown.has(column))];
  const ids = new Set(columns.map(({ id }) => id));
  const { own, additions } = partedOptions(view.meta ?? {});
  const isSeen = (id: string) => ids.has(id);
  const options = joinedOptions({
    own: type.sharing?.publicOptions?.(own, isSeen) ?? own,
    additions: toldAdditions(additions, visit.viewAdditions, isSeen),
  });
  const related = visible.flatMap((column) => linkedTable(snapshot, table, column) ?? []);
  const toEntity = (of: TableSchema, told: readonly ColumnSchema[]) => tableEntity(visit, of, told);
  return {
    ...toldView(view, table),
    meta: JSON.stringify(toldOf(link.meta)),
    uuid: link.uuid,
    filter: { is_group: true, children: [], logical_op: 'AND' },
    sorts: [],
    view: { fk_view_id: view.id, uuid: link.uuid, title: view.title, meta: options },
    columns: view.columns
      .filter(({ columnId }) => ids.has(columnId))
      .map(({ meta: kept, ...column }) => {
        const meta = kept && (type.sharing?.publicColumnOptions?.(kept, isShown) ?? kept);
        return toViewColumnEntity({ ...column, meta }, table);
      }),
    model: {
      ...toEntity(table, columns),
      views: [{ ...toldView(view, table), uuid: link.uuid, meta: options }],
    },
    client: 'sqlite3',
    relatedMetas: Object.fromEntries(related.map((to) => [to.id, toEntity(to, linkedNames(to, visit))])),
  };
}

/** A view without what its people say of it among themselves. */
const toldView = (view: ViewSchema, table: TableSchema): ViewEntity => ({
  ...toViewEntity(view, table),
  description: null,
  group_id: null,
  icon: null,
});

/** What a link keeps, without the sites that may show it inside theirs. */
const toldOf = ({ embedSites: _embedSites, ...told }: Visit['link']['meta']) => told;

/** The columns by which a row of a linked table is named. */
export function linkedNames(to: TableSchema, { types }: Visit): readonly ColumnSchema[] {
  const columns = new Set([...to.primaryKey, ...(to.displayColumn ? [to.displayColumn] : [])]);
  return [...columns].filter(({ type }) => !mayNamePeople(types.get(type)));
}

function tableEntity(visit: Visit, table: TableSchema, kept: readonly ColumnSchema[]): TableEntity {
  const columns = kept.map((column) => columnEntity(visit, column, table));
  return {
    ...toTableSummary(table),
    columns,
    columnsById: Object.fromEntries(columns.map((column) => [column.id, column])),
  };
}

/** Options of a column that is computed name what it is computed from. */
function columnEntity({ types, handle }: Visit, column: ColumnSchema, table: TableSchema): ColumnEntity {
  const type = types.get(column.type);
  const isComputed = column.columnName === '' && column.linkId === undefined;
  const entity = toColumnEntity(column, table, isComputed ? undefined : type, handle.snapshot);
  const plain = { ...entity, colOptions: undefined };
  if (!isComputed && column.linkId === undefined) return entity;
  if (isComputed) return { ...plain, meta: null, ...resultOf(types, column, table, handle) };
  const to = table.links.find(({ id }) => id === column.linkId);
  return {
    ...plain,
    meta: null,
    ...(to && { colOptions: { type: kinds[to.kind], fk_related_model_id: to.toTableId } }),
  };
}

/** By what cells of a computed column are drawn: the type of its values, and of their look what names no other column. */
function resultOf(
  types: Visit['types'],
  column: ColumnSchema,
  table: TableSchema,
  { snapshot }: Visit['handle'],
): { readonly colOptions?: object } {
  const told = types.get(column.type)?.server?.toColOptions?.(column, table, snapshot);
  const result = typeof told === 'object' && told !== null && 'result' in told ? told.result : undefined;
  if (typeof result === 'string') return { colOptions: { result } };
  if (typeof result !== 'object' || result === null || !('uidt' in result) || !('storage' in result))
    return {};
  const { uidt, storage } = result;
  // The options of a column that is computed itself name what it is made of.
  const look = storage !== 'virtual' && 'meta' in result ? result.meta : {};
  return { colOptions: { result: { uidt, storage, meta: look } } };
}

const kinds = { hasMany: 'hm', manyToMany: 'mm', belongsTo: 'bt' } as const;
