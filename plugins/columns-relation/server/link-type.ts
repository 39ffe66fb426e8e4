import type {
  ColumnSchema,
  ColumnTypeServerPart,
  LinkAction,
  LinkInput,
  LinkSchema,
  ProjectSnapshot,
  TableSchema,
} from '@trellis/sdk/server';
import { linkActions, linkToAnotherRecord } from '../shared/index.ts';
import { relationErrors } from './relation-errors.ts';

type Meta = Readonly<Record<string, unknown>>;

const kinds: ReadonlyMap<unknown, LinkSchema['kind']> = new Map([
  ['hm', 'hasMany'],
  ['bt', 'belongsTo'],
  ['mm', 'manyToMany'],
]);
const shortNames = { hasMany: 'hm', belongsTo: 'bt', manyToMany: 'mm' } as const;
const definition = [
  'parentId',
  'childId',
  'type',
  'virtual',
  'onDelete',
  'onUpdate',
  'inverseTitle',
] as const;

function text(of: Meta, property: string): string {
  const value = of[property];
  if (typeof value !== 'string' || value === '')
    throw relationErrors.create('PROPERTY_MISSING', { property });
  return value;
}

function action(of: Meta, property: 'onDelete' | 'onUpdate'): LinkAction | undefined {
  const value = of[property] ?? undefined;
  if (value === undefined) return undefined;
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (!linkActions.some((known) => known === word))
    throw relationErrors.create('LINK_ACTION_UNKNOWN', { property });
  return word as LinkAction;
}

/** The link that a client describes: which tables, which way, and what the database is to do. */
function readLink(of: Meta): LinkInput {
  const [parentId, childId] = [text(of, 'parentId'), text(of, 'childId')];
  const kind = kinds.get(text(of, 'type').toLowerCase());
  if (kind === undefined) throw relationErrors.create('LINK_KIND_UNKNOWN');
  const inverseTitle = of.inverseTitle;
  return {
    kind,
    parentId,
    childId,
    virtual: of.virtual === true || of.virtual === 1,
    onDelete: action(of, 'onDelete'),
    onUpdate: action(of, 'onUpdate'),
    ...(typeof inverseTitle === 'string' && inverseTitle !== '' && { inverseTitle }),
  };
}

/** The link that a column shows, while all of it is there. */
export function linkOf(
  column: ColumnSchema | undefined,
  table: TableSchema | undefined,
): LinkSchema | undefined {
  return column?.linkId === undefined ? undefined : table?.links.find(({ id }) => id === column.linkId);
}

function toColOptions(column: ColumnSchema, table: TableSchema): unknown {
  const link = linkOf(column, table);
  const stamps = { created_at: column.createdAt, updated_at: column.updatedAt };
  const shared = { id: column.linkId ?? null, fk_column_id: column.id, deleted: null, ...stamps };
  if (link === undefined)
    return { ...shared, type: null, error: 'What this column links to is no longer there.' };
  const [own, other] = [link.columnIds[0] ?? null, link.toColumnIds[0] ?? null];
  const isParent = link.kind === 'hasMany';
  return {
    ...shared,
    virtual: link.constraint === undefined && link.through === undefined ? true : null,
    ref_db_alias: null,
    type: shortNames[link.kind],
    db_type: null,
    fk_related_model_id: link.toTableId,
    fk_child_column_id: isParent ? other : own,
    fk_parent_column_id: isParent ? own : other,
    fk_mm_model_id: link.through?.tableId ?? null,
    fk_mm_child_column_id: link.through?.columnIds[0] ?? null,
    fk_mm_parent_column_id: link.through?.toColumnIds[0] ?? null,
    ur: link.onUpdate ?? null,
    dr: link.onDelete ?? null,
    fk_index_name: null,
  };
}

/** Sorts and filters of a link to one row go by what names that row. */
export function nameExpression(column: ColumnSchema, snapshot: ProjectSnapshot) {
  const link = linkOf(column, snapshot.tables.get(column.tableId));
  const display = link && snapshot.tables.get(link.toTableId)?.displayColumn;
  if (link?.kind !== 'belongsTo' || display === undefined) return undefined;
  return {
    kind: 'related',
    linkId: link.id,
    aggregate: 'first',
    of: { kind: 'column', columnId: display.id },
  } as const;
}

const server: ColumnTypeServerPart = {
  bodyKeys: definition,
  fromColOptions(colOptions) {
    const given = colOptions as Meta;
    const link = Object.fromEntries(definition.flatMap((key) => (key in given ? [[key, given[key]]] : [])));
    // Clients send the answer's `colOptions` back; a link is described by the ids of its tables.
    return 'parentId' in link || 'childId' in link ? { link } : {};
  },
  link: (meta) => readLink((meta.link ?? {}) as Meta),
  resolveOptions(meta, { column }) {
    if (meta.link !== undefined)
      throw relationErrors.create('DEFINITION_FIXED', { type: linkToAnotherRecord.id });
    return { ...column?.meta, ...meta };
  },
  toColOptions,
  compute: nameExpression,
  linked(column, snapshot) {
    const link = linkOf(column, snapshot.tables.get(column.tableId));
    return link && { linkId: link.id };
  },
};

export const linkType = { ...linkToAnotherRecord, server };
