import { type AccessScope, type Trash, auditText } from '@trellis/sdk/server';
import { models } from '../../metadata/models/models.ts';
import type { ProjectModel } from '../../metadata/models/project-model.ts';
import type { Unit } from '../../sql/unit.ts';
import { oldestKept, parkedTimes } from '../jobs/parked-times.ts';
import { createDropper } from '../jobs/purge.ts';
import { titleAmong } from '../names.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { fileTargetOf, whileFilesAreFree } from './open-files.ts';

/** Deleted projects, until they are purged. */
export function deletedProjectMethods(
  parts: SchemaStoreParts,
): Pick<Trash, 'listProjects' | 'restoreProject' | 'purgeProject'> {
  const { databases, files, record, announce } = parts;
  const { database, generations } = parts.metadata;
  const dropper = createDropper(parts);
  return {
    async listProjects(scope) {
      scope.require('projectRestore');
      const rows = await database.read((unit) => deletedProjects(unit, scope, oldestKept()));
      return rows
        .toSorted((left, right) => (right.deleted_at ?? 0) - (left.deleted_at ?? 0))
        .map(({ id, title, color, deleted_at: at }) => ({
          id,
          title,
          color: color ?? undefined,
          ...parkedTimes(at ?? 0),
        }));
    },

    async restoreProject(scope, projectId) {
      scope.require('projectRestore');
      const { BaseModel, ProjectModel, toProject } = await models();
      const bases = await database.read(async (unit) =>
        BaseModel.query(unit.knex).where({ project_id: projectId }),
      );
      const restore = (assertFree: (unit: Unit) => Promise<void>) =>
        database.write(
          async (unit) => {
            await generations.bump(unit, 'projects');
            await generations.bump(unit, projectId);
            const parked = (await deletedProjects(unit, scope, oldestKept())).find(
              ({ id }) => id === projectId,
            );
            if (parked === undefined) throw schemaErrors.create('TRASH_NOT_FOUND');
            await assertFree(unit);
            const others = await ProjectModel.query(unit.knex).whereNull('deleted_at').select('title');
            const title = titleAmong(parked.title, others);
            const patch = { deleted_at: null, title, updated_at: Date.now() };
            await ProjectModel.query(unit.knex).findById(projectId).patch(patch);
            await record(unit, {
              scope,
              auditType: 'PROJECT',
              auditSubType: 'RESTORED',
              projectId,
              description: auditText('Project {{title}} was restored', { title }),
            });
            return { ...parked.toJSON(), ...patch };
          },
          { retry: true },
        );
      const targets = bases.flatMap(({ config }) => (config && fileTargetOf(databases, config)) || []);
      const files = await Promise.all(
        targets.map((target) => databases.fileOf(target).catch(() => undefined)),
      );
      const open = files.filter((file) => file !== undefined);
      const restored = await whileFilesAreFree({ database, databases }, scope, open, restore);
      announce({ projectId, requestId: scope.requestId });
      return toProject(restored);
    },

    async purgeProject(scope, projectId) {
      scope.require('projectPurge');
      const { BaseModel, ProjectModel } = await models();
      const bases = await database.read(async (unit) =>
        BaseModel.query(unit.knex).where({ project_id: projectId }).whereNotNull('config'),
      );
      await database.write(
        async (unit) => {
          await generations.bump(unit, 'projects');
          // Includes projects whose earlier purge could not drop all tables.
          const mine = await deletedProjects(unit, scope, 0);
          const parked = mine.find(({ id }) => id === projectId);
          if (parked === undefined) throw schemaErrors.create('TRASH_NOT_FOUND');
          if ((parked.deleted_at ?? 0) < oldestKept()) return;
          // From now on nobody can restore it, and the next purge drops the tables that this one could not.
          await ProjectModel.query(unit.knex)
            .findById(projectId)
            .patch({ deleted_at: oldestKept() - 1 });
          await record(unit, {
            scope,
            auditType: 'PROJECT',
            auditSubType: 'PURGED',
            projectId,
            description: auditText('Project {{title}} was deleted for good', { title: parked.title }),
          });
        },
        { retry: true },
      );
      await dropper.project(projectId);
      for (const { config } of bases) if (config) await files.release(databases.unseal(config));
      announce({ projectId, requestId: scope.requestId });
    },
  };
}

/** The deleted projects that the caller had the right to delete. */
async function deletedProjects(
  unit: Unit,
  { principal }: AccessScope,
  oldest: number,
): Promise<readonly ProjectModel[]> {
  const { ProjectModel } = await models();
  const { maximumRole, onlyProjects } = principal;
  if (maximumRole !== undefined && maximumRole !== 'owner' && maximumRole !== 'creator') return [];
  const rows = await ProjectModel.query(unit.knex)
    .alias('project')
    .joinRelated('grants')
    .where('grants.account_id', principal.id)
    .whereIn('grants.role', ['owner', 'creator'])
    .where('project.deleted_at', '>', oldest)
    .select('project.*');
  return rows.filter(({ id }) => onlyProjects === undefined || onlyProjects.includes(id));
}
