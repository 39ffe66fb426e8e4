import type { LinkInput, ProjectSnapshot, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import type { Dialect } from '../../dialects/dialect.ts';
import { physicalName } from '../../dialects/identifiers/physical-name.ts';
import type {
  ColumnSpec,
  ForeignKeySpec,
  IndexSpec,
  TableSpec,
} from '../../dialects/schema/schema-changer.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { LinkRow } from '../../metadata/models/link-model.ts';
import type { TableRow } from '../../metadata/models/table-model.ts';
import { newId } from '../../runtime/ids.ts';
import { freeTitle, type NamingProject } from '../names.ts';
import { keyRow, keySpec } from './key-columns.ts';
import { foreignKeyName, linkIndex } from './link-names.ts';
import { bothSides, type End } from './link-sides.ts';
import { Titles } from './link-titles.ts';
import { virtualRow } from '../columns/virtual-row.ts';
import { schemaErrors } from '../schema-errors.ts';
import { defaultView, type TableRows } from '../table-rows.ts';

/** A column of the metadata, and whether views show it at first. */
export interface PlacedColumn {
  readonly row: ColumnRow;
  readonly visible: boolean;
}

/** The parts that a new link adds to the database and to the metadata. */
export interface LinkPlan {
  /** The junction table. */
  readonly table?: TableSpec;
  /** The foreign key columns of the child table. */
  readonly columns?: {
    readonly tableName: string;
    readonly specs: readonly ColumnSpec[];
    readonly index: IndexSpec;
    readonly foreignKey?: ForeignKeySpec;
  };
  readonly rows: {
    readonly table?: TableRows;
    readonly columns: readonly PlacedColumn[];
    readonly links: readonly LinkRow[];
  };
}

/** The two tables of a new link, as `LinkInput` names them. */
export interface LinkEnds {
  readonly parent: TableSchema;
  readonly child: TableSchema;
}

/** @throws TrellisError 400 for tables that cannot be linked */
export function endsOf(snapshot: ProjectSnapshot, input: LinkInput, at: TableSchema): LinkEnds {
  const [parent, child] = [snapshot.tables.get(input.parentId), snapshot.tables.get(input.childId)];
  if (parent === undefined || child === undefined) throw schemaErrors.create('LINK_TABLE_UNKNOWN');
  if (at !== parent && at !== child) throw schemaErrors.create('LINK_ELSEWHERE', { table: at.title });
  if (parent.baseId !== child.baseId)
    throw schemaErrors.create('LINK_ACROSS_BASES', { table: parent.title, other: child.title });
  const pointedAt = input.kind === 'manyToMany' ? [parent, child] : [parent];
  for (const table of pointedAt) {
    if (table.primaryKey.length === 0) throw schemaErrors.create('LINK_NEEDS_KEY', { table: table.title });
  }
  return { parent, child };
}

export interface LinkPlanOptions {
  /** The type of link columns, which a plugin provides. */
  readonly type: Pick<ServerColumnType, 'id' | 'fallback'>;
  readonly title: string;
  readonly project: NamingProject;
  readonly dialect: Dialect;
  readonly now: number;
  /** Finds free names for columns of the child in the database; not called for a junction table. */
  readonly nameKeys: (keys: readonly string[]) => Promise<readonly string[]>;
  /** A name for the junction table. */
  readonly junctionName: string;
  /** The place of the junction table in the list of tables. */
  readonly tableOrder: number;
}

/** Plans a link between tables that `endsOf` accepted. */
export function planLink(ends: LinkEnds, input: LinkInput, options: LinkPlanOptions): Promise<LinkPlan> {
  const titles = new Titles(options.project);
  return input.kind === 'manyToMany'
    ? Promise.resolve(planJunction(ends, input, { ...options, titles }))
    : planForeignKey(ends, input, { ...options, titles });
}

type Planning = LinkPlanOptions & { readonly titles: Titles };

async function planForeignKey(
  { parent, child }: LinkEnds,
  input: LinkInput,
  { titles, ...options }: Planning,
): Promise<LinkPlan> {
  const { title, dialect, now, type } = options;
  const isChilds = input.kind === 'belongsTo';
  const [first, second] = isChilds ? [child, parent] : [parent, child];
  const own = titles.take(first, title);
  const inverse =
    input.inverseTitle === undefined
      ? titles.takeFree(second, isChilds ? `${child.title} List` : parent.title)
      : titles.take(second, input.inverseTitle);
  const wanted = parent.primaryKey.map((key) =>
    parent.primaryKey.length === 1 ? `${parent.tableName}_id` : `${parent.tableName}_${key.columnName}`,
  );
  const names = await options.nameKeys(wanted);
  const keys = parent.primaryKey.map((key, index): { spec: ColumnSpec; row: ColumnRow } => {
    const name = names[index] ?? '';
    const spec = keySpec(name, key, dialect);
    const place = { table: child, title: titles.takeFree(child, name), order: nextOrder(child) + index, now };
    return { spec, row: keyRow(spec, key, { ...place, dialect }) };
  });
  const constraint = input.virtual === true ? undefined : foreignKeyName(child.tableName, names);
  const rules = { constraint, onDelete: input.onDelete, onUpdate: input.onUpdate };
  const childEnd: End = { table: child, columnIds: keys.map(({ row }) => row.id) };
  const parentEnd: End = { table: parent, columnIds: parent.primaryKey.map(({ id }) => id) };
  const [belongsTo, hasMany] = bothSides(
    { kind: 'belongsTo', ...rules },
    { kind: 'hasMany', ...rules },
    [childEnd, parentEnd],
    now,
  );
  const [ofChild, ofParent] = isChilds ? [own, inverse] : [inverse, own];
  const columnOf = (table: TableSchema, of: { title: string; link: LinkRow; after: number }) =>
    virtualRow(type, {
      projectId: table.projectId,
      tableId: table.id,
      order: nextOrder(table) + of.after,
      now,
      title: of.title,
      linkId: of.link.id,
    });
  const afterKeys = keys.length;
  return {
    columns: {
      tableName: child.tableName,
      specs: keys.map(({ spec }) => spec),
      index: linkIndex(child.tableName, names),
      ...(constraint !== undefined && {
        foreignKey: {
          name: constraint,
          columns: names,
          table: parent.tableName,
          references: parent.primaryKey.map(({ columnName }) => columnName),
          onDelete: input.onDelete,
          onUpdate: input.onUpdate,
        },
      }),
    },
    rows: {
      columns: [
        ...keys.map(({ row }) => ({ row, visible: false })),
        shown(columnOf(child, { title: ofChild, link: belongsTo, after: afterKeys })),
        shown(
          columnOf(parent, { title: ofParent, link: hasMany, after: parent === child ? afterKeys + 1 : 0 }),
        ),
      ],
      links: [belongsTo, hasMany],
    },
  };
}

function planJunction(
  { parent, child }: LinkEnds,
  input: LinkInput,
  { titles, type, title, dialect, now, junctionName, tableOrder }: Planning,
): LinkPlan {
  const table: TableRow = {
    id: newId('table'),
    project_id: parent.projectId,
    base_id: parent.baseId,
    title: junctionName,
    table_name: junctionName,
    kind: 'table',
    junction: true,
    read_only_reason: null,
    meta: null,
    view_groups: null,
    sort_order: tableOrder,
    parked_at: null,
    created_at: now,
    updated_at: now,
  };
  const junction = { id: table.id, projectId: table.project_id, baseId: table.base_id, title: table.title };
  const sides = [
    { of: child, prefix: 'table2' },
    { of: parent, prefix: 'table1' },
  ].map(({ of, prefix }, side) => {
    const names = junctionNames(of, prefix);
    const columns = of.primaryKey.map((key, index) => {
      const name = names[index] ?? '';
      const spec: ColumnSpec = { ...keySpec(name, key, dialect), nullable: false };
      const order = side * child.primaryKey.length + index + 1;
      const place = { table: junction, title: name, order, now, dialect };
      return {
        spec,
        row: { ...keyRow(spec, key, place), primary_key: true, required: true, key_position: order - 1 },
      };
    });
    return { of, columns, names };
  });
  const foreignKeys = sides.map(({ of, names }): ForeignKeySpec => ({
    name: foreignKeyName(junctionName, names),
    columns: names,
    table: of.tableName,
    references: of.primaryKey.map(({ columnName }) => columnName),
    onDelete: input.onDelete,
    onUpdate: input.onUpdate,
  }));
  const isReal = input.virtual !== true;
  const toEnds = sides.map(({ of, columns }, index) => {
    const rules = {
      constraint: isReal ? foreignKeys[index]?.name : undefined,
      onDelete: input.onDelete,
      onUpdate: input.onUpdate,
    };
    const near: End = { table: junction, columnIds: columns.map(({ row }) => row.id) };
    const far: End = { table: of, columnIds: of.primaryKey.map(({ id }) => id) };
    return bothSides({ kind: 'belongsTo', ...rules }, { kind: 'hasMany', ...rules }, [near, far], now);
  });
  const [childSide, parentSide] = sides.map(({ columns }) => columns.map(({ row }) => row.id));
  const across = (columnIds: readonly string[] = [], toColumnIds: readonly string[] = []) =>
    ({ kind: 'manyToMany', through: { tableId: table.id, columnIds, toColumnIds } }) as const;
  const endOf = (of: TableSchema): End => ({ table: of, columnIds: of.primaryKey.map(({ id }) => id) });
  const [ofParent, ofChild] = bothSides(
    across(parentSide, childSide),
    across(childSide, parentSide),
    [endOf(parent), endOf(child)],
    now,
  );
  const own = titles.take(parent, title);
  const inverse =
    input.inverseTitle === undefined
      ? titles.takeFree(child, `${parent.title} List`)
      : titles.take(child, input.inverseTitle);
  let added = 0;
  const columnOf = (of: TableSchema, column: { title: string; link: LinkRow; system?: boolean }) => {
    added += 1;
    const { title: columnTitle, link, system } = column;
    const place = { projectId: of.projectId, tableId: of.id, order: nextOrder(of) + added, now };
    return virtualRow(type, { ...place, title: columnTitle, linkId: link.id, system });
  };
  const ownColumn = columnOf(parent, { title: own, link: ofParent });
  const inverseColumn = columnOf(child, { title: inverse, link: ofChild });
  const bridge = toEnds.map(([, hasMany], index) => {
    const of = sides[index]?.of ?? parent;
    return columnOf(of, { title: titles.takeFree(of, `${table.title} List`), link: hasMany, system: true });
  });
  const keyColumns = sides.flatMap(({ columns }) => columns);
  const inJunction = new Set<string>(keyColumns.map(({ row }) => row.title.toLowerCase()));
  const junctionColumns = toEnds.map(([belongsTo], index) => {
    const wanted = freeTitle(sides[index]?.of.title ?? '', inJunction);
    inJunction.add(wanted.toLowerCase());
    const order = keyColumns.length + index + 1;
    const place = { projectId: table.project_id, tableId: table.id, order, now };
    return virtualRow(type, { ...place, title: wanted, linkId: belongsTo.id });
  });
  const columns = [...keyColumns.map(({ row }) => row), ...junctionColumns].map((row, index) => ({
    ...row,
    display: index === 0,
  }));
  return {
    table: {
      name: junctionName,
      columns: keyColumns.map(({ spec }) => spec),
      primaryKey: keyColumns.map(({ spec }) => spec.name),
      ...(isReal && { foreignKeys }),
      // The primary key begins with the columns of the child, so its index serves only that side.
      indexes: sides.slice(1).map(({ names }) => linkIndex(junctionName, names)),
    },
    rows: {
      table: { table, columns, ...defaultView(table, columns, now) },
      columns: [shown(ownColumn), shown(inverseColumn), ...bridge.map((row) => ({ row, visible: false }))],
      links: [...toEnds.flat(), ofParent, ofChild],
    },
  };
}

/** Bytes of a name that every database accepts. */
const longestName = 60;

/** The names of the junction table's columns for one side: those of the side's key, if free and short enough. */
function junctionNames({ primaryKey }: TableSchema, prefix: string): readonly string[] {
  if (primaryKey.length === 1) return [`${prefix}_id`];
  const taken = new Set<string>();
  return primaryKey.map(({ columnName }) => {
    const wanted = `${prefix}_${columnName}`;
    const isFit = Buffer.byteLength(wanted) <= longestName && !taken.has(wanted.toLowerCase());
    const name = isFit ? wanted : physicalName(wanted, taken, 'column');
    taken.add(name.toLowerCase());
    return name;
  });
}

function shown(row: ColumnRow): PlacedColumn {
  return { row, visible: true };
}

function nextOrder(table: TableSchema): number {
  return Math.max(0, ...table.columns.map(({ order }) => order)) + 1;
}
