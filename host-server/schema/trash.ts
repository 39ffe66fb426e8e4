import {
  mayRead,
  type AccessScope,
  type TableSchema,
  type Trash,
  type TrashItem,
  auditText,
} from '@trellis/sdk/server';
import { DatabaseError } from '../databases/index.ts';
import type { ColumnModel } from '../metadata/models/column-model.ts';
import { models } from '../metadata/models/models.ts';
import type { TableModel } from '../metadata/models/table-model.ts';
import type { Unit } from '../sql/unit.ts';
import { requireProject } from './bases/projects.ts';
import { assertNumbersOnce } from './columns/column-plan.ts';
import type { ColumnTools } from './columns/column-tools.ts';
import { existingCells } from './columns/existing-cells.ts';
import { lastNumber } from './columns/row-counter.ts';
import { createDeletedLinks, isHolding } from './links/deleted-links.ts';
import type { RestoreColumn } from './jobs/job-kinds.ts';
import { createDropper } from './jobs/purge.ts';
import { oldestKept, parkedTimes } from './jobs/parked-times.ts';
import { titleAmong } from './names.ts';
import type { SchemaChange } from './schema-changes.ts';
import { schemaErrors } from './schema-errors.ts';
import type { SchemaStoreParts } from './schema-store-parts.ts';

const byDeletion = (left: TrashItem, right: TrashItem) =>
  right.deletedAt.localeCompare(left.deletedAt) || left.title.localeCompare(right.title);

type TrashMethods = Omit<Trash, 'listProjects' | 'restoreProject' | 'purgeProject'>;

/** Parked tables and columns, until they are purged. */
export function trashMethods(parts: SchemaStoreParts, tools: ColumnTools): TrashMethods {
  const { databases, columnTypes, jobs, kinds, changeMetadata, announce, snapshotOf, shownTable } = parts;
  const { placeInViews } = parts;
  const { database } = parts.metadata;
  const dropper = createDropper(parts);
  const deletedLinks = createDeletedLinks(parts, tools);

  async function tablesOf(unit: Unit, projectId: string): Promise<readonly TableModel[]> {
    const { TableModel } = await models();
    return TableModel.query(unit.knex)
      .where({ project_id: projectId })
      .where('parked_at', '>', oldestKept())
      .withGraphFetched('base');
  }

  async function columnsOf(unit: Unit, projectId: string): Promise<readonly ColumnModel[]> {
    const { ColumnModel } = await models();
    return ColumnModel.query(unit.knex)
      .where({ project_id: projectId })
      .where('parked_at', '>', oldestKept())
      .withGraphFetched('table.base');
  }

  function isShown(scope: AccessScope, { id, table_id: tableId }: ColumnModel): boolean {
    return mayRead(scope, { id, tableId });
  }

  async function findTable(scope: AccessScope, tableId: string): Promise<TableModel> {
    const tables = await database.read((unit) => tablesOf(unit, requireProject(scope)));
    const table = tables.find(({ id }) => id === tableId);
    if (table === undefined) throw schemaErrors.create('TRASH_NOT_FOUND');
    return table;
  }

  async function findColumn(scope: AccessScope, columnId: string): Promise<ColumnModel> {
    const columns = await database.read((unit) => columnsOf(unit, requireProject(scope)));
    const column = columns.find((other) => other.id === columnId && isShown(scope, other));
    if (column === undefined) throw schemaErrors.create('TRASH_NOT_FOUND');
    return column;
  }

  function changeOf(scope: AccessScope, table: TableModel, did: 'RESTORED' | 'PURGED'): SchemaChange {
    return {
      scope,
      auditType: 'TABLE',
      auditSubType: did,
      projectId: table.project_id,
      baseId: table.base_id,
      tableId: table.id,
      description:
        did === 'RESTORED'
          ? auditText('Table {{title}} was restored', { title: table.title })
          : auditText('Table {{title}} was deleted for good', { title: table.title }),
    };
  }

  /** Recorded after the drop, which may be run again if it was cut off. */
  async function recordPurge(change: SchemaChange): Promise<void> {
    await changeMetadata(change.projectId, () => Promise.resolve(), change);
    announce({ projectId: change.projectId, requestId: change.scope.requestId });
  }

  /** The values that the server fills in for rows written while the column was deleted. */
  async function missingCells(table: TableSchema, parked: ColumnModel): Promise<RestoreColumn['missing']> {
    if (table.readOnlyReason !== undefined) return undefined;
    const cells = existingCells(table, parked, columnTypes);
    if (cells === undefined || cells === 'empty') return undefined;
    // Rows may also have been changed meanwhile, so a column of last changes is filled in all rows, not only in new ones.
    const isForEmpty = !parked.auto_update;
    if ('from' in cells) return { tableId: table.id, cells: { ...cells, isForEmpty } };
    const given = await database.read((unit) => lastNumber(unit, parked.id));
    return { tableId: table.id, cells: { ...cells, given } };
  }

  async function showAgain(unit: Unit, columnId: string, title: string): Promise<void> {
    const { ColumnModel } = await models();
    const patch = { parked_at: null, title, updated_at: Date.now() };
    const row = await ColumnModel.query(unit.knex).patchAndFetchById(columnId, patch);
    await placeInViews(unit, row);
  }

  return {
    async list(scope) {
      scope.require('tableDelete');
      const projectId = requireProject(scope);
      const { LinkModel } = await models();
      const { tables, columns, links } = await database.read(async (unit) => ({
        tables: await tablesOf(unit, projectId),
        columns: await columnsOf(unit, projectId),
        links: await LinkModel.query(unit.knex).where({ project_id: projectId, kind: 'belongsTo' }),
      }));
      const items = [
        // A junction table is deleted and restored with the columns that show the link.
        ...tables
          .filter(({ junction }) => !junction)
          .map(({ id, title, base, parked_at: at }): TrashItem => {
            return { kind: 'table', id, title, ...parkedTimes(at ?? 0), own: base?.own === true };
          }),
        ...columns.flatMap((column): TrashItem[] => {
          const { id, title, uidt: type, table, parked_at: at } = column;
          // The deleted columns of a deleted table are listed with the table.
          if (table === undefined || table.parked_at !== null || !isShown(scope, column)) return [];
          if (column.system || isHolding(column, { columns, links })) return [];
          const own = table.base?.own === true;
          const of = { id: table.id, title: table.title };
          return [{ kind: 'column', id, title, type, table: of, ...parkedTimes(at ?? 0), own }];
        }),
      ];
      return items.toSorted(byDeletion);
    },

    async restoreTable(scope, tableId) {
      scope.require('tableDelete');
      const projectId = requireProject(scope);
      await jobs.exclusively(projectId, async () => {
        const parked = await findTable(scope, tableId);
        const { tables, bases } = await snapshotOf(scope);
        const base = bases.get(parked.base_id);
        if (base === undefined) throw schemaErrors.create('TRASH_NOT_FOUND');
        const target = await databases.of(base);
        const { tables: present } = await target.read((unit) => target.dialect.introspection.read(unit));
        const isThere = present.some(({ name }) => name === parked.table_name);
        if (!isThere) throw schemaErrors.create('TRASH_GONE', { title: parked.title });
        const title = titleAmong(parked.title, [...tables.values()]);
        const { TableModel } = await models();
        await changeMetadata(
          projectId,
          async (unit) => {
            const patch = { parked_at: null, title, updated_at: Date.now() };
            await TableModel.query(unit.knex).findById(tableId).patch(patch);
          },
          changeOf(scope, parked, 'RESTORED'),
        );
      });
      announce({ projectId, tableId, requestId: scope.requestId });
      return shownTable(scope, tableId);
    },

    async restoreColumn(scope, columnId) {
      scope.require('columnDelete');
      const projectId = requireProject(scope);
      const tableId = await jobs.exclusively(projectId, async (signal) => {
        const parked = await findColumn(scope, columnId);
        const snapshot = await snapshotOf(scope);
        const link = await deletedLinks.linkOf(parked);
        if (link !== undefined) {
          for (const id of await deletedLinks.restore(scope, { snapshot, column: parked }, link, signal))
            announce({ projectId, tableId: id, requestId: scope.requestId });
          return parked.table_id;
        }
        if (parked.link_id !== null) throw schemaErrors.create('TRASH_LINK_GONE', { column: parked.title });
        const table = snapshot.tables.get(parked.table_id);
        if (table === undefined) throw schemaErrors.create('TRASH_TABLE_DELETED', { column: parked.title });
        const { column_name: columnName } = parked;
        const base = tools.baseOf(snapshot, table);
        const target = await databases.of(base);
        const isStored = columnName !== '';
        const isThere =
          !isStored || (await target.schema((changer) => changer.hasColumn(table.tableName, columnName)));
        if (!isThere) throw schemaErrors.create('TRASH_GONE', { title: parked.title });
        assertNumbersOnce(columnTypes.get(parked.uidt), table.columns, columnTypes);
        const title = titleAmong(parked.title, table.columns);
        const change = tools.change(scope, table, {
          subType: 'RESTORED',
          description: auditText('Column {{title}} of {{table}} was restored', { title, table: table.title }),
        });
        if (!base.schemaChanges) {
          // Another application restored the column in the database, with its own rules.
          await changeMetadata(projectId, (unit) => showAgain(unit, columnId, title), change);
          return table.id;
        }
        // Rows that were written meanwhile have no value in the column.
        const required = parked.required && isStored && !(await tools.hasRows(target, table, { columnName }));
        const missing = isStored ? await missingCells(table, parked) : undefined;
        const restore = (unique: boolean) =>
          jobs.run(
            kinds.restoreColumn,
            {
              base,
              tableName: table.tableName,
              columnName,
              columnId,
              nullable: required ? false : undefined,
              wasNullable: true,
              unique: unique || undefined,
              patch: { parked_at: null, title, required, is_unique: unique },
              missing,
            },
            { change, signal },
          );
        await restore(parked.is_unique).catch(async (error: unknown) => {
          if (!(error instanceof DatabaseError) || error.kind !== 'unique') throw error;
          await restore(false);
        });
        return table.id;
      });
      announce({ projectId, tableId, requestId: scope.requestId });
      return shownTable(scope, tableId);
    },

    async purgeTable(scope, tableId) {
      scope.require('tableDelete');
      await jobs.exclusively(requireProject(scope), async () => {
        const parked = await findTable(scope, tableId);
        await dropper.table(parked);
        await recordPurge(changeOf(scope, parked, 'PURGED'));
      });
    },

    async purgeColumn(scope, columnId) {
      scope.require('columnDelete');
      await jobs.exclusively(requireProject(scope), async () => {
        const parked = await findColumn(scope, columnId);
        const link = await deletedLinks.linkOf(parked);
        for (const table of link?.tables ?? []) await dropper.table(table);
        const gone = new Set(link?.tables.map(({ id }) => id));
        const columns = link?.columns.filter(({ table_id: of }) => !gone.has(of)) ?? [parked];
        for (const column of columns) await dropper.column(column);
        const { table } = parked;
        if (table === undefined) return;
        await recordPurge({
          ...changeOf(scope, table, 'PURGED'),
          auditType: 'TABLE_COLUMN',
          description: auditText('Column {{title}} of {{table}} was deleted for good', {
            title: parked.title,
            table: table.title,
          }),
        });
      });
    },
  };
}
