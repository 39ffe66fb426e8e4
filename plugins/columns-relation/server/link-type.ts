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

/** Parses a client's link: its tables, its direction, and its actions. */
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

/** The link of a column, while it exists completely. */
export function linkOf(
  column: ColumnSchema | undefined,
  table: TableSchema | undefined,
): LinkSchema | undefined {
  return column?.linkId === undefined ? undefined : table?.links.find(({ id }) => id === column.linkId);
}

/** The actions for linked rows of an existing link; undefined if the options describe a new link, or contain none. */
function actionsIn(meta: Meta): Pick<LinkInput, 'onDelete' | 'onUpdate'> | undefined {
  const given = (meta.link ?? undefined) as Meta | undefined;
  if (given === undefined || !Object.keys(given).every((key) => key === 'onDelete' || key === 'onUpdate'))
    return undefined;
  const [onDelete, onUpdate] = [action(given, 'onDelete'), action(given, 'onUpdate')];
  return { ...(onDelete !== undefined && { onDelete }), ...(onUpdate !== undefined && { onUpdate }) };
}

/** The link with the foreign key: itself, or that of a junction table, whose two keys are alike. */
function heldBy(link: LinkSchema, snapshot: ProjectSnapshot | undefined): LinkSchema {
  const { through } = link;
  const junction = through && snapshot?.tables.get(through.tableId);
  return junction?.links.find(({ kind }) => kind === 'belongsTo') ?? link;
}

function toColOptions(column: ColumnSchema, table: TableSchema, snapshot?: ProjectSnapshot): unknown {
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
    related_key_titles: snapshot?.tables.get(link.toTableId)?.primaryKey.map(({ title }) => title) ?? [],
    fk_child_column_id: isParent ? other : own,
    fk_parent_column_id: isParent ? own : other,
    fk_mm_model_id: link.through?.tableId ?? null,
    fk_mm_child_column_id: link.through?.columnIds[0] ?? null,
    fk_mm_parent_column_id: link.through?.toColumnIds[0] ?? null,
    ur: heldBy(link, snapshot).onUpdate ?? null,
    dr: heldBy(link, snapshot).onDelete ?? null,
    fk_index_name: null,
  };
}

/** Links to one row are sorted and filtered by the row's display column. */
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
    // Clients send the answer's `colOptions` back; only a new link has the ids of its tables.
    if ('parentId' in link || 'childId' in link) return { link };
    const actions = Object.fromEntries(
      (['onDelete', 'onUpdate'] as const).flatMap((key) =>
        (link[key] ?? null) === null ? [] : [[key, link[key]]],
      ),
    );
    return Object.keys(actions).length > 0 ? { link: actions } : {};
  },
  linkActions: actionsIn,
  link: (meta) => readLink((meta.link ?? {}) as Meta),
  resolveOptions({ link, ...meta }, { column }) {
    if (link !== undefined && actionsIn({ link }) === undefined)
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
