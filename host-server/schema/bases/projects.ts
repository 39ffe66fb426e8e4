import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AccessScope, type ProjectInput, type SchemaStore, auditText } from '@trellis/sdk/server';
import { likePattern } from '../../dialects/functions/default.ts';
import { text as column, toRaw } from '../../sql/fragment.ts';
import type { Unit } from '../../sql/unit.ts';
import { newId, randomText } from '../../runtime/ids.ts';
import type { BaseRow } from '../../metadata/models/base-model.ts';
import { models } from '../../metadata/models/models.ts';
import type { ProjectModel, ProjectRow } from '../../metadata/models/project-model.ts';
import { projectErrors } from '../../metadata/project-errors.ts';
import { createBaseOpener, type WantedBase } from './open-base.ts';
import { whileFilesAreFree, type AssertFree } from './open-files.ts';
import { checkPrintable } from '../names.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { insertTableRows } from '../table-rows.ts';

type ProjectMethods = Pick<
  SchemaStore,
  | 'listProjects'
  | 'listProjectsWithTable'
  | 'createProject'
  | 'updateProject'
  | 'deleteProject'
  | 'listSqliteFiles'
>;

const sqliteEnding = /\.(?:sqlite3?|db3?|s3db)$/i;

/** Projects and the databases behind them. */
export function projectMethods(parts: SchemaStoreParts): ProjectMethods {
  const { metadata, databases, sqliteFolder, record, announce, jobs, hooks, snapshotOf } = parts;
  const { database, generations } = metadata;
  const opener = createBaseOpener(parts);

  /** Titles are unique on the server, since published clients name projects by title. */
  async function assertTitleFree(unit: Unit, title: string, except?: string): Promise<void> {
    checkPrintable(title);
    const { ProjectModel } = await models();
    const rows = await ProjectModel.query(unit.knex).whereNull('deleted_at').select('id', 'title');
    if (rows.some((row) => row.id !== except && row.title.toLowerCase() === title.toLowerCase())) {
      throw schemaErrors.create('PROJECT_TITLE_TAKEN');
    }
  }

  function newProject(input: ProjectInput, now: number): ProjectRow {
    return {
      id: newId('project'),
      title: input.title,
      prefix: `nc_${randomText(4)}__`,
      description: input.description ?? null,
      color: input.color ?? null,
      meta: input.meta ?? null,
      sort_order: now,
      deleted_at: null,
      created_at: now,
      updated_at: now,
    };
  }

  /** The base of a project that starts in the server's own database. */
  function ownBase(projectId: string, now: number): BaseRow {
    return {
      id: newId('base'),
      project_id: projectId,
      alias: null,
      own: true,
      dialect: database.dialect.name,
      config: null,
      rules: null,
      inflection_table: 'camelize',
      inflection_column: 'camelize',
      created_at: now,
      updated_at: now,
    };
  }

  /** Inserts a new project with its base, and with the tables of the database that it opens. */
  async function insertProject(
    scope: AccessScope,
    project: ProjectRow,
    wanted: WantedBase | undefined,
    assertFree: AssertFree,
  ): Promise<void> {
    const now = project.created_at;
    // Checked before opening: under another name a file would get a second write-ahead log.
    await database.read(assertFree);
    const external = wanted && (await opener.read(wanted, { projectId: project.id, now }));
    const base = external?.base ?? ownBase(project.id, now);
    const { LinkModel, ProjectModel } = await models();
    // A project that the server makes by itself has no owner until somebody is granted the role.
    const owner = scope.principal.kind === 'system' ? [] : [scope.principal.id];
    const graph = {
      ...project,
      bases: [base],
      grants: owner.map((id) => ({ account_id: id, role: 'owner' as const, created_at: now })),
    };
    const insert = database.write(
      async (unit) => {
        // The bump locks the row of the generation, so that two creations cannot both find the title free.
        await generations.bump(unit, 'projects');
        await assertFree(unit);
        await assertTitleFree(unit, project.title);
        await ProjectModel.query(unit.knex).insertGraph(graph);
        for (const table of external?.tables ?? []) await insertTableRows(unit, table);
        await LinkModel.insertMany(unit, external?.links ?? []);
        await generations.bump(unit, 'access');
        await generations.bump(unit, project.id);
        await record(unit, {
          scope,
          auditType: 'PROJECT',
          auditSubType: 'CREATED',
          projectId: project.id,
          baseId: base.id,
          description: auditText('Project {{title}} was created', { title: project.title }),
        });
      },
      { retry: true },
    );
    await insert.catch(async (error: unknown) => {
      if (external) await databases.forget(base.id);
      throw error;
    });
  }

  async function everyProject(): Promise<readonly ProjectModel[]> {
    const { ProjectModel } = await models();
    return database.read(async (unit) =>
      ProjectModel.query(unit.knex).whereNull('deleted_at').orderBy(['sort_order', 'id']),
    );
  }

  /** The projects in which the caller has a role. */
  async function ownProjects({ principal }: AccessScope): ReturnType<ProjectMethods['listProjects']> {
    const { ProjectModel, toProject } = await models();
    if (principal.kind === 'system')
      return (await everyProject()).map((row) => ({ ...toProject(row), role: 'owner' }));
    const rows = await database.read(async (unit) =>
      ProjectModel.query(unit.knex)
        .alias('project')
        .joinRelated('grants')
        .where('grants.account_id', principal.id)
        .whereNull('project.deleted_at')
        .orderBy(['project.sort_order', 'project.id'])
        .select('project.*', 'grants.role')
        .castTo<(ProjectModel & { readonly role: string })[]>(),
    );
    const allowed = principal.onlyProjects;
    return rows
      .map((row) => ({ ...toProject(row), role: row.role }))
      .filter((project) => allowed === undefined || allowed.includes(project.id));
  }

  return {
    async listProjects(scope) {
      scope.require('projectList');
      const own = await ownProjects(scope);
      if (scope.principal.kind === 'system' || !scope.may('projectRescue')) return own;
      const { toProject } = await models();
      const isOwn = new Set(own.map(({ id }) => id));
      const others = (await everyProject()).filter(({ id }) => !isOwn.has(id));
      return [...own, ...others.map((row) => ({ ...toProject(row), role: undefined }))];
    },

    async listProjectsWithTable(scope, text, { limit, offset }) {
      scope.require('projectList');
      const { ProjectModel, TableModel, toProject } = await models();
      const { kind, id: accountId, onlyProjects } = scope.principal;
      const isFound = database.dialect.functions.like(column('title'), likePattern('contains', text));
      const rows = await database.read(async (unit) => {
        const query = ProjectModel.query(unit.knex)
          .alias('project')
          .whereNull('project.deleted_at')
          .whereExists(
            TableModel.query(unit.knex)
              .whereColumn('trellis_table.project_id', 'project.id')
              .whereNull('parked_at')
              .where('junction', false)
              .where(toRaw(unit.knex, isFound))
              .select('trellis_table.id'),
          );
        // Projects that a super admin may only rescue are left out: only their members see the tables.
        if (kind !== 'system') void query.joinRelated('grants').where('grants.account_id', accountId);
        if (onlyProjects !== undefined) void query.whereIn('project.id', [...onlyProjects]);
        return query
          .orderBy(['project.sort_order', 'project.id'])
          .limit(limit)
          .offset(offset)
          .select('project.*');
      });
      return rows.map(toProject);
    },

    async createProject(scope, input) {
      scope.require('projectCreate');
      if (input.external) scope.require('databaseOpen');
      const project = newProject(input, Date.now());
      const wanted = input.external && (await opener.find(scope, input.external));
      const files = wanted?.fileId === undefined ? [] : [wanted.fileId];
      await whileFilesAreFree({ database, databases }, scope, files, (assertFree) =>
        insertProject(scope, project, wanted, assertFree),
      );
      announce({ projectId: project.id, requestId: scope.requestId });
      const { toProject } = await models();
      const created = toProject(project);
      void hooks.call('projects.didCreate', { project: created, principal: scope.principal });
      return created;
    },

    async updateProject(scope, patch) {
      scope.require('projectUpdate');
      const projectId = requireProject(scope);
      const { ProjectModel, toProject } = await models();
      const row = await database.write(
        async (unit) => {
          await generations.bump(unit, 'projects');
          await generations.bump(unit, projectId);
          if (patch.title !== undefined) await assertTitleFree(unit, patch.title, projectId);
          const found = () => ProjectModel.query(unit.knex).findById(projectId).whereNull('deleted_at');
          await found().patch({ ...nulled(patch), updated_at: Date.now() });
          await record(unit, {
            scope,
            auditType: 'PROJECT',
            auditSubType: 'UPDATED',
            projectId,
            description: auditText('Project was changed', {}),
          });
          return found();
        },
        { retry: true },
      );
      if (row === undefined) throw projectErrors.create('PROJECT_NOT_FOUND');
      announce({ projectId, requestId: scope.requestId });
      return toProject(row);
    },

    async deleteProject(scope) {
      scope.require('projectDelete');
      const projectId = requireProject(scope);
      const { ProjectModel } = await models();
      const { bases } = await snapshotOf(scope);
      await jobs.exclusively(projectId, () =>
        database.write(
          async (unit) => {
            await generations.bump(unit, 'projects');
            await generations.bump(unit, projectId);
            const deleted = await ProjectModel.query(unit.knex)
              .findById(projectId)
              .whereNull('deleted_at')
              .patch({ deleted_at: Date.now() });
            if (deleted === 0) throw projectErrors.create('PROJECT_NOT_FOUND');
            await record(unit, {
              scope,
              auditType: 'PROJECT',
              auditSubType: 'DELETED',
              projectId,
              description: auditText('Project was deleted', {}),
            });
          },
          { retry: true },
        ),
      );
      for (const base of bases.values()) if (!base.own) await databases.forget(base.id);
      announce({ projectId, requestId: scope.requestId });
      void hooks.call('projects.didDelete', { projectId });
    },

    async listSqliteFiles(scope) {
      scope.require('databaseOpen');
      if (sqliteFolder === undefined) return [];
      const entries = await readdir(sqliteFolder, { withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && sqliteEnding.test(entry.name));
      return Promise.all(
        files.map(async ({ name }) => ({ name, bytes: (await stat(join(sqliteFolder, name))).size })),
      );
    },
  };
}

/** The id of the scope's project. Throws without one, which cannot happen in a call of a project. */
export function requireProject(scope: AccessScope): string {
  if (scope.projectId === undefined) throw projectErrors.create('PROJECT_NOT_FOUND');
  return scope.projectId;
}

function nulled(patch: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, value ?? null]));
}
