import { models } from '../../metadata/models/models.ts';
import type { ForeignKeySpec } from '../../dialects/schema/schema-changer.ts';
import type { LinkRow } from '../../metadata/models/link-model.ts';
import type { BaseDatabases } from '../bases/base-databases.ts';
import type { LinkPlan } from '../links/link-plan.ts';
import { insertTableRows } from '../table-rows.ts';
import type { PlaceInViews } from '../columns/place-in-views.ts';
import type { OnBase, OptionsOf } from './job-kinds.ts';
import type { SchemaJobKind } from './schema-job-kind.ts';

export interface AddLink extends OnBase {
  readonly plan: LinkPlan;
  /** The view from which the link's column was added. */
  readonly viewId?: string | undefined;
}

/** A foreign key of a table, with everything needed to make it again. */
export interface HeldForeignKey {
  readonly tableName: string;
  readonly key: ForeignKeySpec;
}

export interface RemoveLink extends OnBase {
  /** Foreign keys that are dropped. Otherwise rows in a hidden column would keep other rows from being deleted. */
  readonly foreignKeys: readonly HeldForeignKey[];
  /** Columns that become nullable: no writer sets a parked column. */
  readonly required: readonly { readonly tableName: string; readonly columnName: string }[];
  readonly columnIds: readonly string[];
  readonly tableIds: readonly string[];
  readonly at: number;
  /** Columns that change with the deletion, since they are computed from deleted ones. */
  readonly others: readonly OptionsOf[];
}

export interface RestoreLink extends OnBase {
  readonly foreignKeys: readonly HeldForeignKey[];
  /** With the titles that they get, since other columns may have theirs by now. */
  readonly columns: readonly { readonly id: string; readonly title: string }[];
  readonly tables: readonly { readonly id: string; readonly title: string }[];
  /** Links whose foreign key is not restored. */
  readonly looseLinkIds: readonly string[];
}

/** A foreign key before and after a change; its name stays the same. */
export interface ChangedForeignKey {
  readonly tableName: string;
  readonly from: ForeignKeySpec;
  readonly to: ForeignKeySpec;
}

export interface ChangeLink extends OnBase {
  readonly foreignKeys: readonly ChangedForeignKey[];
  /** Both sides of each foreign key. */
  readonly linkIds: readonly string[];
  readonly patch: Pick<LinkRow, 'on_delete' | 'on_update'>;
}

export interface LinkJobKinds {
  readonly changeLink: SchemaJobKind<ChangeLink>;
  readonly addLink: SchemaJobKind<AddLink>;
  readonly removeLink: SchemaJobKind<RemoveLink>;
  readonly restoreLink: SchemaJobKind<RestoreLink>;
}

/** Makes and removes the parts that link two tables: a foreign key or a junction table, and the columns at both ends. */
export function createLinkJobKinds(databases: BaseDatabases, placeInViews: PlaceInViews): LinkJobKinds {
  const addLink: SchemaJobKind<AddLink> = {
    kind: 'addLink',
    async apply({ base, plan: { table, columns } }, { reach }) {
      const database = await databases.of(base);
      await database.schema(async (changer) => {
        if (table !== undefined) await changer.createTable(table);
        if (columns === undefined) return;
        const { tableName, specs, index, foreignKey } = columns;
        for (const spec of specs) await changer.addColumn(tableName, spec);
        await reach('added');
        await changer.createIndex(tableName, index);
        if (foreignKey !== undefined) await changer.addForeignKey(tableName, foreignKey);
      });
    },
    async commit(unit, { plan: { rows }, viewId }) {
      const { ColumnModel, LinkModel } = await models();
      if (rows.table !== undefined) await insertTableRows(unit, rows.table);
      await ColumnModel.insertMany(
        unit,
        rows.columns.map(({ row }) => row),
      );
      await LinkModel.insertMany(unit, rows.links);
      for (const { row, visible } of rows.columns) await placeInViews(unit, row, { visible, viewId });
    },
    async revert({ base, plan: { table, columns } }) {
      const database = await databases.of(base);
      await database.schema(async (changer) => {
        if (table !== undefined) await changer.dropTable(table.name);
        if (columns === undefined) return;
        const { tableName, specs, foreignKey } = columns;
        if (foreignKey !== undefined) await changer.dropForeignKey(tableName, foreignKey.name);
        for (const spec of specs) await changer.dropColumn(tableName, spec.name);
      });
    },
  };

  const removeLink: SchemaJobKind<RemoveLink> = {
    kind: 'removeLink',
    async apply({ base, foreignKeys, required }) {
      const database = await databases.of(base);
      await database.schema(async (changer) => {
        for (const { tableName, key } of foreignKeys) await changer.dropForeignKey(tableName, key.name);
        for (const { tableName, columnName } of required) await changer.dropNotNull(tableName, columnName);
      });
    },
    async commit(unit, { columnIds, tableIds, others, at }) {
      const { ColumnModel, TableModel } = await models();
      await ColumnModel.query(unit.knex)
        .whereIn('id', [...columnIds])
        .patch({ parked_at: at, display: false });
      await TableModel.query(unit.knex)
        .whereIn('id', [...tableIds])
        .patch({ parked_at: at });
      for (const { id, meta } of others)
        await ColumnModel.query(unit.knex).findById(id).patch({ meta, updated_at: at });
    },
    async revert({ base, foreignKeys, required }) {
      const database = await databases.of(base);
      await database.schema(async (changer) => {
        for (const { tableName, columnName } of required) await changer.setNotNull(tableName, columnName);
        for (const { tableName, key } of foreignKeys) await changer.addForeignKey(tableName, key);
      });
    },
  };

  const restoreLink: SchemaJobKind<RestoreLink> = {
    kind: 'restoreLink',
    async apply({ base, foreignKeys }) {
      const database = await databases.of(base);
      await database.schema(async (changer) => {
        for (const { tableName, key } of foreignKeys) await changer.addForeignKey(tableName, key);
      });
    },
    async commit(unit, { columns, tables, looseLinkIds }) {
      const { ColumnModel, LinkModel, TableModel } = await models();
      const updated_at = Date.now();
      for (const { id, title } of tables)
        await TableModel.query(unit.knex).findById(id).patch({ title, parked_at: null, updated_at });
      for (const { id, title } of columns) {
        await ColumnModel.query(unit.knex).findById(id).patch({ title, parked_at: null, updated_at });
        const row = await ColumnModel.query(unit.knex).findById(id);
        // Views made while the column was deleted have no place for it.
        if (row !== undefined)
          await placeInViews(unit, row, { visible: row.link_id !== null && !row.system });
      }
      await LinkModel.query(unit.knex)
        .whereIn('id', [...looseLinkIds])
        .patch({ constraint_name: null });
    },
    async revert({ base, foreignKeys }) {
      const database = await databases.of(base);
      await database.schema(async (changer) => {
        for (const { tableName, key } of foreignKeys) await changer.dropForeignKey(tableName, key.name);
      });
    },
  };

  async function exchange(
    base: OnBase['base'],
    keys: readonly { readonly tableName: string; readonly key: ForeignKeySpec }[],
  ): Promise<void> {
    const database = await databases.of(base);
    await database.schema(async (changer) => {
      for (const { tableName, key } of keys) {
        await changer.dropForeignKey(tableName, key.name);
        await changer.addForeignKey(tableName, key);
      }
    });
  }

  const changeLink: SchemaJobKind<ChangeLink> = {
    kind: 'changeLink',
    apply: ({ base, foreignKeys }) =>
      exchange(
        base,
        foreignKeys.map(({ tableName, to }) => ({ tableName, key: to })),
      ),
    async commit(unit, { linkIds, patch }) {
      const { LinkModel } = await models();
      await LinkModel.query(unit.knex)
        .whereIn('id', [...linkIds])
        .patch({ ...patch, updated_at: Date.now() });
    },
    revert: ({ base, foreignKeys }) =>
      exchange(
        base,
        foreignKeys.map(({ tableName, from }) => ({ tableName, key: from })),
      ),
  };

  return { addLink, removeLink, restoreLink, changeLink };
}
