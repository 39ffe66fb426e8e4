import type { RegistryView } from '@trellis/core';
import {
  type AccessScope,
  type BaseSchema,
  type ColumnSchema,
  type LinkInput,
  type LinkSchema,
  type ProjectSnapshot,
  type ServerColumnType,
  type TableSchema,
  auditText,
} from '@trellis/sdk/server';
import { foreignKeyType } from '../../metadata/models/column-rules.ts';
import { computedFrom } from '../../query/computed-columns.ts';
import { randomText } from '../../runtime/ids.ts';
import { goneColumn, madeColumn } from '../columns/column-changes.ts';
import type { ColumnTools, FoundColumn } from '../columns/column-tools.ts';
import type { createVirtualColumns } from '../columns/virtual-columns.ts';
import type { HeldForeignKey } from '../jobs/link-jobs.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { endsOf, planLink } from './link-plan.ts';

/** Everything that is removed with a link. */
interface Removal {
  /** Both sides of the link, and of the links of its junction table. */
  readonly linkIds: ReadonlySet<string>;
  readonly columnIds: ReadonlySet<string>;
  readonly tableIds: readonly string[];
  readonly foreignKeys: readonly HeldForeignKey[];
}

/** A change of a foreign key's actions. */
interface LinkActionsChange {
  readonly link: LinkSchema;
  readonly actions: Pick<LinkInput, 'onDelete' | 'onUpdate'>;
  readonly signal: AbortSignal;
}

/** Makes and deletes links between tables. Both return the ids of the changed tables. */
export function createLinks(
  parts: SchemaStoreParts,
  tools: ColumnTools,
  virtual: ReturnType<typeof createVirtualColumns>,
) {
  const { databases, columnTypes, jobs, kinds } = parts;
  const { baseOf, assertChangeable, assertRoom, freeColumnName, change } = tools;

  /** Names for columns of a table that are free in the database and different from each other. */
  async function nameKeys(base: BaseSchema, table: TableSchema, wanted: readonly string[]) {
    const target = await databases.of(base);
    const names: string[] = [];
    for (const name of wanted)
      names.push(await freeColumnName(target, table, { title: name, columnName: name, besides: names }));
    return names;
  }

  async function create(
    scope: AccessScope,
    { snapshot, table }: { readonly snapshot: ProjectSnapshot; readonly table: TableSchema },
    {
      title,
      type,
      input,
      viewId,
    }: {
      readonly title: string;
      readonly type: ServerColumnType;
      readonly input: LinkInput;
      readonly viewId: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const ends = endsOf(snapshot, input, table);
    const { parent, child } = ends;
    for (const holder of input.kind === 'manyToMany' ? [parent, child] : [child]) assertChangeable(holder);
    const base = baseOf(snapshot, table);
    const target = await databases.of(base);
    for (const end of [parent, child]) await assertRoom(target, end);
    const orders = [...snapshot.tables.values()].map(({ order }) => order);
    const plan = await planLink(ends, input, {
      type,
      title,
      project: snapshot.project,
      dialect: target.dialect,
      now: Date.now(),
      nameKeys: (wanted) => nameKeys(base, child, wanted),
      junctionName: `${base.own ? `${snapshot.project.prefix}_` : ''}nc_m2m_${randomText(10)}`,
      tableOrder: Math.max(0, ...orders) + 1,
    });
    const made = change(scope, table, {
      subType: 'CREATED',
      description: auditText('Column {{title}} was added to {{table}}', { title, table: table.title }),
      changes: madeColumn({ title, uidt: type.id }),
    });
    await jobs.run(kinds.addLink, { base, plan, viewId }, { change: made, signal });
    return [...new Set([parent.id, child.id])];
  }

  /** Deletes the link that a column shows: the columns at both ends, the parts that hold it, and the columns computed over it. */
  async function remove(
    scope: AccessScope,
    { snapshot, table, column }: FoundColumn,
    link: LinkSchema,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const base = baseOf(snapshot, table);
    const removal = removalOf(snapshot, link, base);
    const over = columnsOver(snapshot, columnTypes, removal.columnIds);
    const columnIds = [...removal.columnIds, ...over.map(({ id }) => id)];
    const gone = columnIds.flatMap((id) => snapshot.column(id) ?? []);
    const others = gone
      .flatMap((deleted) => virtual.changedWithout(snapshot, deleted))
      .filter(({ id }) => !columnIds.includes(id));
    const payload = {
      base,
      foreignKeys: removal.foreignKeys,
      required: gone
        .filter((of) => of.columnName !== '' && of.required && !of.primaryKey)
        .map((of) => ({
          tableName: snapshot.tables.get(of.tableId)?.tableName ?? '',
          columnName: of.columnName,
        })),
      columnIds,
      tableIds: removal.tableIds,
      at: Date.now(),
      others,
    };
    const about = auditText('Column {{title}} of {{table}} was deleted, and the link that it showed', {
      title: column.title,
      table: table.title,
    });
    const removed = change(scope, table, {
      subType: 'DELETED',
      description: about,
      changes: goneColumn(column),
    });
    await jobs.run(kinds.removeLink, payload, { change: removed, signal });
    return [...new Set(gone.map(({ tableId }) => tableId))];
  }

  /** Changes the actions of a link's foreign keys. The foreign keys of a junction table get the same ones on both sides. */
  async function changeActions(
    scope: AccessScope,
    { snapshot, table, column }: FoundColumn,
    { link, actions, signal }: LinkActionsChange,
  ): Promise<void> {
    const { linkIds, foreignKeys } = removalOf(snapshot, link, { own: true });
    const held = [...linkIds].filter((id) => snapshot.links.get(id)?.constraint !== undefined);
    if (foreignKeys.length === 0) throw schemaErrors.create('LINK_NOT_HELD', { column: column.title });
    const changes = foreignKeys.map(({ tableName, key }) => ({
      tableName,
      from: key,
      to: { ...key, ...actions },
    }));
    const isSame = changes.every(
      ({ from, to }) => from.onDelete === to.onDelete && from.onUpdate === to.onUpdate,
    );
    if (isSame) return;
    for (const { tableName } of foreignKeys) {
      const holder = [...snapshot.tables.values()].find((of) => of.tableName === tableName);
      if (holder !== undefined) assertChangeable(holder);
    }
    const [{ onDelete, onUpdate } = actions] = changes.map(({ to }) => to);
    const payload = {
      base: baseOf(snapshot, table),
      foreignKeys: changes,
      linkIds: held,
      patch: { on_delete: onDelete ?? null, on_update: onUpdate ?? null },
    };
    const about = auditText('Column {{title}} of {{table}} does something else with linked rows that go', {
      title: column.title,
      table: table.title,
    });
    const changed = change(scope, table, { subType: 'UPDATED', description: about });
    await jobs.run(kinds.changeLink, payload, { change: changed, signal });
  }

  return { create, remove, changeActions };
}

/** The computed columns of any table that reach over the links that these columns show. */
export function columnsOver(
  snapshot: ProjectSnapshot,
  columnTypes: RegistryView<ServerColumnType>,
  columnIds: ReadonlySet<string>,
): readonly ColumnSchema[] {
  const linkIds = new Set([...columnIds].flatMap((id) => snapshot.column(id)?.linkId ?? []));
  const over = [...linkIds].flatMap((id) => computedFrom(snapshot, columnTypes, id));
  return [...new Set(over)].filter(({ id }) => !columnIds.has(id));
}

/**
 * In an external database its own foreign keys and tables stay, since another application may need them. Only the columns that
 * show the link are deleted.
 */
export function removalOf(
  snapshot: ProjectSnapshot,
  link: LinkSchema,
  base: Pick<BaseSchema, 'own'>,
): Removal {
  const { through } = link;
  const isOwn = base.own;
  const junctionId = isOwn ? through?.tableId : undefined;
  const ofJunction = (one: LinkSchema) => one.tableId === junctionId || one.toTableId === junctionId;
  const links = [...snapshot.links.values()].filter(
    (one) => one.id === link.id || one.id === link.inverseId || (junctionId !== undefined && ofJunction(one)),
  );
  const linkIds = new Set(links.map(({ id }) => id));
  const all = [...snapshot.tables.values()].flatMap(({ columns }) => columns);
  const showing = all.filter(({ linkId }) => linkId !== undefined && linkIds.has(linkId));
  const keys = links.filter(({ kind }) => kind === 'belongsTo');
  const held = new Set(keys.flatMap((key) => key.columnIds));
  const holding = isOwn
    ? all.filter((of) => held.has(of.id) && of.type === foreignKeyType && !of.primaryKey)
    : [];
  return {
    linkIds,
    columnIds: new Set([...showing, ...holding].map(({ id }) => id)),
    tableIds: junctionId === undefined ? [] : [junctionId],
    foreignKeys: isOwn ? keys.flatMap((key) => foreignKeyOf(snapshot, key)) : [],
  };
}

function foreignKeyOf(snapshot: ProjectSnapshot, link: LinkSchema): readonly HeldForeignKey[] {
  const [from, to] = [snapshot.tables.get(link.tableId), snapshot.tables.get(link.toTableId)];
  if (from === undefined || to === undefined || link.constraint === undefined) return [];
  const namesOf = (table: TableSchema, ids: readonly string[]) =>
    ids.map((id) => table.columnById.get(id)?.columnName ?? '');
  return [
    {
      tableName: from.tableName,
      key: {
        name: link.constraint,
        columns: namesOf(from, link.columnIds),
        table: to.tableName,
        references: namesOf(to, link.toColumnIds),
        onDelete: link.onDelete,
        onUpdate: link.onUpdate,
      },
    },
  ];
}

/** The columns that show a table's links, at both ends, including links of the table to itself. */
export function linkColumns({ tables, links }: ProjectSnapshot, table: TableSchema): readonly ColumnSchema[] {
  const all = [...tables.values()].flatMap(({ columns }) => columns);
  return all.filter(({ linkId, tableId }) => {
    const link = linkId === undefined ? undefined : links.get(linkId);
    return link !== undefined && (tableId === table.id || link.toTableId === table.id);
  });
}

/** @throws TrellisError 400 naming the tables whose link columns lead to this one, or this table's link columns */
export function assertUnlinked(snapshot: ProjectSnapshot, table: TableSchema): void {
  const linked = linkColumns(snapshot, table).map(({ tableId, linkId = '' }) =>
    tableId === table.id ? snapshot.links.get(linkId)?.toTableId : tableId,
  );
  const titles = [...new Set(linked)].flatMap((id) => snapshot.tables.get(id ?? '')?.title ?? []);
  if (titles.length > 0) throw schemaErrors.create('LINKED_TABLE', { tables: titles.join(', ') });
}

/** @throws TrellisError 400 for a column whose values link rows: the columns at the other end must have the same type */
export function assertLinksNothing({ table, column }: FoundColumn): void {
  if (table.links.some(({ columnIds }) => columnIds.includes(column.id)))
    throw schemaErrors.create('RETYPE_LINKING', { column: column.title });
}

/** @throws TrellisError 501 for the foreign key column of a link that a column shows */
export function assertHoldsNoLink({ snapshot, table, column }: FoundColumn): void {
  const link = table.links.find(
    ({ kind, columnIds }) => kind === 'belongsTo' && columnIds.includes(column.id),
  );
  const shown = link && table.columns.find(({ linkId }) => linkId === link.id);
  const back =
    link && snapshot.tables.get(link.toTableId)?.columns.find((of) => of.linkId === link.inverseId);
  const showing = shown ?? back;
  if (showing !== undefined)
    throw schemaErrors.create('LINK_KEY_COLUMN', { column: column.title, link: showing.title });
}
