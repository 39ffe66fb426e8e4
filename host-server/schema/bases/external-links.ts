import type { LinkAction, LinkSchema } from '@trellis/sdk/server';
import type {
  IntrospectedForeignKey,
  IntrospectedSchema,
  IntrospectedTable,
} from '../../dialects/introspection/default.ts';
import { newId } from '../../runtime/ids.ts';
import type { LinkRow } from '../../metadata/models/link-model.ts';
import type { TableRows } from '../table-rows.ts';

/** A table as the metadata stores it. */
export interface LinkedTable extends Pick<TableRows, 'table' | 'columns'> {
  /** Whether the table is added to the metadata together with its links. */
  readonly isNew?: boolean;
}

/** A table in the metadata, with the schema that the database reports. */
interface Known {
  readonly found: IntrospectedTable;
  readonly rows: LinkedTable;
}

/** One end of a link: columns of a table. */
interface End {
  readonly rows: LinkedTable;
  readonly columnIds: readonly string[];
}

/** A foreign key whose columns are all in the metadata. */
interface KnownKey {
  readonly key: IntrospectedForeignKey;
  readonly from: End;
  readonly to: End;
}

const actions: ReadonlySet<string> = new Set<LinkAction>([
  'no action',
  'restrict',
  'cascade',
  'set null',
  'set default',
]);

/**
 * The links of an existing database: both sides of each foreign key, and both sides of each junction table. A foreign key to a
 * table or column that the metadata lacks is left out.
 */
export function planLinks(schema: IntrospectedSchema, tables: readonly LinkedTable[]): readonly LinkRow[] {
  const found = new Map(schema.tables.map((table) => [table.name, table]));
  const known = new Map(
    tables.flatMap((rows) => {
      const table = found.get(rows.table.table_name);
      return table === undefined ? [] : [[table.name, { found: table, rows }] as const];
    }),
  );
  return [...known.values()].flatMap((table) => {
    const keys = table.found.foreignKeys.flatMap((key) => knownKey(key, table, known) ?? []);
    return [...keys.flatMap(linksOfKey), ...linksAcross(table, keys)];
  });
}

function knownKey(
  key: IntrospectedForeignKey,
  table: Known,
  tables: ReadonlyMap<string, Known>,
): KnownKey | undefined {
  const target = tables.get(key.table);
  if (target === undefined) return undefined;
  // SQLite names no columns where a foreign key points at the primary key.
  const references = key.references.length > 0 ? key.references : target.found.primaryKey;
  const from = endOf(table.rows, key.columns);
  const to = endOf(target.rows, references);
  if (from === undefined || to === undefined || key.columns.length !== references.length) return undefined;
  return { key, from, to };
}

function endOf(rows: LinkedTable, names: readonly string[]): End | undefined {
  const ids = names.map((name) => rows.columns.find((column) => column.column_name === name)?.id);
  const columnIds = ids.filter((id) => id !== undefined);
  return columnIds.length === names.length ? { rows, columnIds } : undefined;
}

function linksOfKey({ key, from, to }: KnownKey): readonly LinkRow[] {
  const shared = {
    constraint_name: key.name,
    on_delete: actionOf(key.onDelete),
    on_update: actionOf(key.onUpdate),
    through_table: null,
  };
  return bothSides({ ...shared, kind: 'belongsTo' }, { ...shared, kind: 'hasMany' }, from, to);
}

function actionOf(text: string): LinkAction | null {
  const action = text.toLowerCase();
  return actions.has(action) ? (action as LinkAction) : null;
}

/** The links across a junction table: a table with two foreign keys and no other columns but perhaps a counting key. */
function linksAcross({ rows }: Known, keys: readonly KnownKey[]): readonly LinkRow[] {
  const [one, other, ...more] = keys;
  if (one === undefined || other === undefined || more.length > 0) return [];
  const linking = [...one.from.columnIds, ...other.from.columnIds];
  const isJunction =
    new Set(linking).size === linking.length &&
    rows.columns.every(
      (column) => linking.includes(column.id) || (column.primary_key && column.auto_increment),
    );
  if (!isJunction) return [];
  const across = (near: KnownKey, far: KnownKey): SideRow => {
    const through: LinkSchema['through'] = {
      tableId: rows.table.id,
      columnIds: near.from.columnIds,
      toColumnIds: far.from.columnIds,
    };
    const none = { constraint_name: null, on_delete: null, on_update: null };
    return { ...none, kind: 'manyToMany', through_table: through };
  };
  return bothSides(across(one, other), across(other, one), one.to, other.to);
}

type SideRow = Pick<LinkRow, 'kind' | 'through_table' | 'constraint_name' | 'on_delete' | 'on_update'>;

/** The two rows of a link, one for each side. */
function bothSides(there: SideRow, back: SideRow, first: End, second: End): readonly [LinkRow, LinkRow] {
  const [id, inverse] = [newId('link'), newId('link')];
  return [
    { ...there, ...placed(first, second), id, inverse_id: inverse },
    { ...back, ...placed(second, first), id: inverse, inverse_id: id },
  ];
}

function placed({ rows, columnIds }: End, to: End) {
  const { table } = rows;
  return {
    project_id: table.project_id,
    base_id: table.base_id,
    title: to.rows.table.title,
    table_id: table.id,
    column_ids: columnIds,
    to_table_id: to.rows.table.id,
    to_column_ids: to.columnIds,
    created_at: table.created_at,
    updated_at: table.updated_at,
  };
}
