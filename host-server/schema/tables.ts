import {
  type AccessScope,
  type BaseSchema,
  type ColumnInput,
  type ProjectSchema,
  type ProjectSnapshot,
  type SchemaStore,
  type TableSchema,
  auditChanges,
  auditText,
  type AuditText,
} from '@trellis/sdk/server';
import type { Database } from '../databases/database.ts';
import type { TableSpec } from '../dialects/schema/schema-changer.ts';
import { newId } from '../runtime/ids.ts';
import { models } from '../metadata/models/models.ts';
import type { TableRow } from '../metadata/models/table-model.ts';
import { projectErrors } from '../metadata/project-errors.ts';
import { assertNumbersOnce, planColumn, type ColumnPlan } from './columns/column-plan.ts';
import { assertDefaultIsOption } from './columns/default-options.ts';
import type { ColumnTools } from './columns/column-tools.ts';
import { countingColumn } from './columns/counting-type.ts';
import { checkColumnTitle, checkTableTitle, chooseName } from './names.ts';
import { requireProject } from './bases/projects.ts';
import { assertUnlinked } from './links/links.ts';
import { schemaErrors } from './schema-errors.ts';
import type { SchemaStoreParts } from './schema-store-parts.ts';
import { defaultView, withDisplayColumn } from './table-rows.ts';
import { uniqueIndex } from './columns/unique-index.ts';

type TableMethods = Pick<SchemaStore, 'createTable' | 'updateTable' | 'reorderTable' | 'deleteTable'>;

/** The base for new tables: the first one that accepts any. */
function baseForTables(snapshot: ProjectSnapshot): BaseSchema {
  const bases = [...snapshot.bases.values()];
  const base = bases.find(({ schemaChanges }) => schemaChanges) ?? bases[0];
  if (base === undefined) throw projectErrors.create('PROJECT_NOT_FOUND');
  return base;
}

/** The project and base of a new table, with the base's database. */
interface TablePlace {
  readonly base: BaseSchema;
  readonly target: Database;
  readonly project: ProjectSchema;
}

/** Creating, renaming, moving and parking tables. */
export function tableMethods(parts: SchemaStoreParts, { findTable }: ColumnTools): TableMethods {
  const { metadata, databases, columnTypes, requireType, jobs, kinds, changeMetadata, announce } = parts;
  const { snapshotOf, shownTable, hooks } = parts;
  const { database } = metadata;

  /** The names of all tables of the base, including parked ones, which are still in the database. */
  async function takenNames(baseId: string): Promise<readonly string[]> {
    const { TableModel } = await models();
    const rows = await database.read(async (unit) =>
      TableModel.query(unit.knex).where({ base_id: baseId }).select('table_name'),
    );
    return rows.map((row) => row.table_name);
  }

  /**
   * A name that no table of the database has, not even one that the metadata does not know: a job that runs again would take such
   * a table for the one it created, and drop it on failure.
   */
  async function freeTableName(
    { base, target, project }: TablePlace,
    title: string,
    wanted: string | undefined,
  ): Promise<string> {
    const prefix = base.own ? project.prefix : '';
    const bare = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
    const taken = (await takenNames(base.id)).map(bare);
    for (;;) {
      const name = chooseName('table', title, wanted === undefined ? undefined : bare(wanted), taken);
      const isThere = await target.schema((changer) => changer.hasTable(prefix + name));
      if (!isThere) return prefix + name;
      taken.push(name);
    }
  }

  function planColumns(
    inputs: readonly ColumnInput[],
    table: TableRow,
    { target, project }: TablePlace,
  ): readonly ColumnPlan[] {
    const given = inputs.map((input) => countingColumn(input, columnTypes));
    const withKey = given.some((input) => input.primaryKey ?? input.type === 'ID')
      ? given
      : [{ title: freeKeyTitle(given), columnName: 'id', type: 'ID' }, ...given];
    const limit = Math.min(target.dialect.limits.columnsPerTable, 500);
    if (withKey.length > limit) throw schemaErrors.create('TOO_MANY_COLUMNS', { limit });
    const titles: string[] = [];
    const names: string[] = [];
    const plans = withKey.map((input, index) => {
      const before = withKey.slice(0, index).map(({ type }, at) => ({ type, title: titles[at] ?? '' }));
      assertNumbersOnce(columnTypes.get(input.type), before, columnTypes);
      const title = checkColumnTitle(input.title ?? input.columnName ?? '', titles, project);
      assertDefaultIsOption(title, input, columnTypes.get(input.type));
      const columnName = chooseName('column', title, input.columnName, names);
      titles.push(title);
      names.push(columnName);
      return planColumn(
        input,
        {
          projectId: table.project_id,
          tableId: table.id,
          title,
          columnName,
          order: index + 1,
          now: table.created_at,
        },
        { requireType, dialect: target.dialect },
      );
    });
    const keys = plans.filter((plan) => plan.row.primary_key);
    if (keys.some((plan) => plan.row.auto_increment) && keys.length > 1)
      throw schemaErrors.create('ONE_AUTO_INCREMENT');
    return plans;
  }

  async function writeTable(
    scope: AccessScope,
    table: TableSchema,
    patch: Partial<TableRow>,
    { subType, description }: { readonly subType: string; readonly description: AuditText },
  ): Promise<void> {
    const { TableModel } = await models();
    await changeMetadata(
      table.projectId,
      async (unit) => {
        const changes = await TableModel.query(unit.knex)
          .where({ id: table.id })
          .whereNull('parked_at')
          .patch({ ...patch, updated_at: Date.now() });
        if (changes === 0) throw schemaErrors.create('TABLE_NOT_FOUND');
      },
      {
        scope,
        auditType: 'TABLE',
        auditSubType: subType,
        projectId: table.projectId,
        baseId: table.baseId,
        tableId: table.id,
        description,
        changes: tableChanges(table, patch),
      },
    );
    announce({ projectId: table.projectId, tableId: table.id, requestId: scope.requestId });
  }

  return {
    async createTable(scope, wanted) {
      scope.require('tableCreate');
      const projectId = requireProject(scope);
      const input = await hooks.call('tables.willCreate', wanted, { scope });
      const id = await jobs.exclusively(projectId, async (signal) => {
        const snapshot = await snapshotOf(scope);
        const base = baseForTables(snapshot);
        const target = await databases.of(base);
        const tables = [...snapshot.tables.values()];
        const title = checkTableTitle(
          input.title ?? input.tableName ?? '',
          tables.map((table) => table.title),
          snapshot.project,
        );
        const place = { base, target, project: snapshot.project };
        const tableName = await freeTableName(place, title, input.tableName);
        const now = Date.now();
        const table: TableRow = {
          id: newId('table'),
          project_id: projectId,
          base_id: base.id,
          title,
          table_name: tableName,
          kind: 'table',
          junction: false,
          read_only_reason: null,
          meta: input.meta ?? null,
          view_groups: null,
          sort_order: Math.max(0, ...tables.map((other) => other.order)) + 1,
          parked_at: null,
          created_at: now,
          updated_at: now,
        };
        const plans = planColumns(input.columns, table, place);
        const keys = plans.filter((plan) => plan.row.primary_key);
        const columns = withDisplayColumn(
          plans.map(({ row }) => {
            const position = keys.findIndex((key) => key.row === row);
            return { ...row, key_position: position === -1 ? null : position };
          }),
        );
        const spec: TableSpec = {
          name: table.table_name,
          columns: plans.map((plan) => plan.spec),
          primaryKey: keys.map((plan) => plan.spec.name),
          indexes: plans
            .filter((plan) => plan.row.is_unique && !plan.row.primary_key)
            .map((plan) => uniqueIndex(table.table_name, plan.spec.name)),
        };
        const payload = { base, spec, rows: { table, columns, ...defaultView(table, columns, now) } };
        const change = {
          scope,
          auditType: 'TABLE',
          auditSubType: 'CREATED',
          projectId,
          baseId: base.id,
          tableId: table.id,
          description: auditText('Table {{title}} was created', { title }),
          changes: auditChanges(words, undefined, { title }),
        };
        await jobs.run(kinds.createTable, payload, { change, signal });
        return table.id;
      });
      announce({ projectId, tableId: id, requestId: scope.requestId });
      return shownTable(scope, id);
    },

    async updateTable(scope, tableId, patch) {
      scope.require('tableUpdate');
      const projectId = requireProject(scope);
      // Changes of a project run one at a time, so that two tables cannot both find a title free.
      return jobs.exclusively(projectId, async () => {
        const { snapshot, table } = await findTable(scope, tableId);
        const others = [...snapshot.tables.values()].filter((other) => other.id !== tableId);
        const title =
          patch.title === undefined
            ? undefined
            : checkTableTitle(
                patch.title,
                others.map((other) => other.title),
                snapshot.project,
              );
        const of = { title: table.title };
        await writeTable(
          scope,
          table,
          { ...(title !== undefined && { title }), ...(patch.meta && { meta: patch.meta }) },
          title === undefined
            ? { subType: 'UPDATED', description: auditText('Table {{title}} was changed', of) }
            : {
                subType: 'RENAMED',
                description: auditText('Table {{title}} was renamed to {{name}}', { ...of, name: title }),
              },
        );
        return shownTable(scope, tableId);
      });
    },

    async reorderTable(scope, tableId, order) {
      scope.require('tableReorder');
      const { table } = await findTable(scope, tableId);
      const description = auditText('Table {{title}} was moved', { title: table.title });
      await writeTable(scope, table, { sort_order: order }, { subType: 'UPDATED', description });
    },

    async deleteTable(scope, tableId) {
      scope.require('tableDelete');
      const { table } = await findTable(scope, tableId);
      await hooks.call('tables.willDelete', { scope, table });
      await jobs.exclusively(table.projectId, async () => {
        const found = await findTable(scope, tableId);
        assertUnlinked(found.snapshot, found.table);
        const description = auditText('Table {{title}} was deleted', { title: table.title });
        await writeTable(scope, table, { parked_at: Date.now() }, { subType: 'DELETED', description });
      });
    },
  };
}

const words = {
  title: auditText('Title', {}),
  order: auditText('Position', {}),
  meta: auditText('Options', {}),
};

/** The audit's changes for a table whose metadata gets this patch. */
function tableChanges(table: TableSchema, { parked_at, ...patch }: Partial<TableRow>) {
  if (parked_at !== undefined && parked_at !== null)
    return auditChanges(words, { title: table.title }, undefined);
  const { title = table.title, sort_order: order = table.order, meta = table.meta } = patch;
  return auditChanges(words, table, { title, order, meta });
}

function freeKeyTitle(inputs: readonly ColumnInput[]): string {
  const titles = new Set(inputs.map((input) => (input.title ?? input.columnName ?? '').toLowerCase()));
  return ['Id', 'Row Id', 'Key'].find((title) => !titles.has(title.toLowerCase())) ?? 'Trellis Id';
}
