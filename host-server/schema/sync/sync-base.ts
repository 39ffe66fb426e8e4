import {
  type AccessScope,
  type BaseSchema,
  type SchemaRename,
  type SchemaSync,
  type TableDifferences,
  auditText,
} from '@trellis/sdk/server';
import type { IntrospectedSchema } from '../../dialects/introspection/default.ts';
import { models } from '../../metadata/models/models.ts';
import { projectErrors } from '../../metadata/project-errors.ts';
import type { Unit } from '../../sql/unit.ts';
import { requireProject } from '../bases/projects.ts';
import type { PlaceInViews } from '../columns/place-in-views.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { insertTableRows } from '../table-rows.ts';
import { planSync, type SyncPlan } from './plan-sync.ts';

/** A base with the schema that its database reports. */
interface ComparedBase {
  readonly base: BaseSchema;
  readonly found: IntrospectedSchema;
}

/** Compares a project with its external databases, and takes over changes that others made there. */
export function createSync(parts: SchemaStoreParts): SchemaSync {
  const { metadata, databases, columnTypes, jobs, changeMetadata, announce, snapshotOf, placeInViews } =
    parts;

  /** The external databases of a project. */
  async function externalBases(scope: AccessScope): Promise<readonly BaseSchema[]> {
    const { bases } = await snapshotOf(scope);
    return [...bases.values()].filter(({ own }) => !own);
  }

  async function introspect(base: BaseSchema): Promise<ComparedBase> {
    const target = await databases.of(base);
    return { base, found: await target.read((unit) => target.dialect.introspection.read(unit)) };
  }

  /** The schemas of the databases that answer; rejects with the first error when none does. */
  async function compare(bases: readonly BaseSchema[]): Promise<readonly ComparedBase[]> {
    const compared = await Promise.allSettled(bases.map(introspect));
    const [failed] = compared.filter((one) => one.status === 'rejected');
    const answered = compared.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (answered.length === 0 && failed !== undefined) throw failed.reason;
    return answered;
  }

  /** Plans the sync of a base from its metadata in this unit and the schema of its database. */
  async function planned(
    unit: Unit,
    { base, found }: ComparedBase,
    renames: readonly SchemaRename[] = [],
  ): Promise<SyncPlan> {
    const { BaseModel, ColumnModel, LinkModel, TableModel } = await models();
    const [row] = await BaseModel.query(unit.knex).where({ id: base.id });
    if (row === undefined) throw projectErrors.create('PROJECT_NOT_FOUND');
    const tables = await TableModel.query(unit.knex)
      .where({ base_id: base.id })
      .orderBy(['sort_order', 'id']);
    const columns = await ColumnModel.query(unit.knex)
      .whereIn('table_id', TableModel.query(unit.knex).where({ base_id: base.id }).select('id'))
      .orderBy(['sort_order', 'id']);
    const others = await TableModel.query(unit.knex)
      .where({ project_id: base.projectId, parked_at: null })
      .whereNot({ base_id: base.id })
      .select('title', 'sort_order');
    const links = await LinkModel.query(unit.knex).where({ base_id: base.id });
    const inflection = (of: string | null) => (of === 'none' ? 'none' : 'camelize');
    const ids = new Set([...tables, ...columns].map(({ id }) => id));
    return planSync(found, {
      stored: { tables, columns, links },
      renames: renames.filter(({ id }) => ids.has(id)),
      columnTypes,
      place: {
        projectId: base.projectId,
        baseId: base.id,
        inflectionTable: inflection(row.inflection_table),
        inflectionColumn: inflection(row.inflection_column),
        now: Date.now(),
        taken: {
          titles: others.map(({ title }) => title),
          order: Math.max(1, ...others.map(({ sort_order: order }) => order)),
        },
      },
    });
  }

  return {
    async differences(scope) {
      scope.require('metaDiff');
      const { tables } = await snapshotOf(scope);
      const bases = await externalBases(scope);
      const compared = await compare(bases);
      const answered = new Set(compared.map(({ base }) => base.id));
      const away = new Set(bases.flatMap(({ id }) => (answered.has(id) ? [] : [id])));
      const others = [...tables.values()].filter(({ baseId }) => !answered.has(baseId));
      return metadata.database.read(async (unit) => {
        const differences: TableDifferences[] = others.map(({ id, title, tableName, kind, baseId }) => ({
          id,
          title,
          name: tableName,
          kind,
          differences: [],
          ...(away.has(baseId) && { isAway: true }),
        }));
        for (const base of compared) differences.push(...(await planned(unit, base)).tables);
        return differences;
      });
    },

    async apply(scope, { confirmed, renames } = {}) {
      scope.require('metaDiffSync');
      const projectId = requireProject(scope);
      const bases = await externalBases(scope);
      if (bases.length === 0) return;
      const { project } = await snapshotOf(scope);
      await jobs.exclusively(projectId, async () => {
        const compared = await compare(bases);
        await changeMetadata(
          projectId,
          async (unit) => {
            for (const base of compared) {
              const plan = await planned(unit, base, renames);
              const present = plan.tables.filter(({ id }) => id !== undefined).length;
              if (plan.goneTables.length > present / 2 && confirmed !== project.title)
                throw schemaErrors.create('SYNC_SHRANK', { gone: plan.goneTables.length, total: present });
              await write(unit, plan, placeInViews);
            }
          },
          {
            scope,
            auditType: 'TABLE',
            auditSubType: 'UPDATED',
            projectId,
            baseId: bases[0]?.id,
            description: auditText(
              'The tables were compared with the database, and what had changed there was taken over',
              {},
            ),
          },
        );
      });
      announce({ projectId, requestId: scope.requestId });
    },
  };
}

async function write(unit: Unit, plan: SyncPlan, placeInViews: PlaceInViews): Promise<void> {
  const { ColumnModel, LinkModel, TableModel } = await models();
  const now = Date.now();
  const parked = { parked_at: now, updated_at: now };
  for (const { id, table_name } of plan.renamedTables)
    await TableModel.query(unit.knex).findById(id).patch({ table_name, updated_at: now });
  for (const { id, column_name } of plan.renamedColumns)
    await ColumnModel.query(unit.knex).findById(id).patch({ column_name, updated_at: now });
  for (const id of plan.goneTables) await TableModel.query(unit.knex).findById(id).patch(parked);
  for (const id of [...plan.goneColumns, ...plan.goneLinkColumns])
    await ColumnModel.query(unit.knex)
      .findById(id)
      .patch({ ...parked, display: false });
  for (const table of plan.newTables) await insertTableRows(unit, table);
  for (const column of plan.newColumns) {
    await ColumnModel.query(unit.knex).insert(column);
    await placeInViews(unit, column, column.link_id === null ? {} : { visible: !column.system });
  }
  for (const { id, patch } of plan.changedColumns)
    await ColumnModel.query(unit.knex)
      .findById(id)
      .patch({ ...patch, updated_at: now });
  for (const id of plan.goneLinks) await LinkModel.query(unit.knex).deleteById(id);
  for (const { id, patch } of plan.changedLinks)
    await LinkModel.query(unit.knex)
      .findById(id)
      .patch({ ...patch, updated_at: now });
  await LinkModel.insertMany(unit, plan.newLinks);
}
