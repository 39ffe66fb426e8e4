import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccessScope, ExternalBaseInput, ProjectInput, SchemaStore } from '@trellis/sdk/server';
import { DatabaseError, type SqliteTarget } from '../../databases/index.ts';
import type { Unit } from '../../sql/unit.ts';
import { newId, randomText } from '../../runtime/ids.ts';
import type { BaseRow } from '../../metadata/models/base-model.ts';
import { models } from '../../metadata/models/models.ts';
import type { ProjectModel, ProjectRow } from '../../metadata/models/project-model.ts';
import { withLinkColumns } from './external-link-columns.ts';
import { planLinks } from './external-links.ts';
import { planExternalTables } from './external-schema.ts';
import { whileFileIsFree, type AssertFree } from './open-files.ts';
import { checkPrintable } from '../names.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { insertTableRows } from '../table-rows.ts';

type ProjectMethods = Pick<
  SchemaStore,
  'listProjects' | 'createProject' | 'updateProject' | 'deleteProject' | 'listSqliteFiles'
>;

const sqliteEnding = /\.(?:sqlite3?|db3?|s3db)$/i;

/** The file that a client names: a name inside the folder, in any of the places where clients of the v1 API put it. */
function sqliteFile(config: Readonly<Record<string, unknown>>): string | undefined {
  const inner = config.connection as Readonly<Record<string, unknown>> | undefined;
  const innermost = inner?.connection as Readonly<Record<string, unknown>> | undefined;
  const name = innermost?.filename ?? inner?.filename ?? inner?.database ?? config.filename;
  return typeof name === 'string' && name !== '' && !name.includes('\0') && !/^file:/i.test(name)
    ? name
    : undefined;
}

function targetOf({ type, config }: ExternalBaseInput): SqliteTarget {
  if (type !== 'sqlite3') throw schemaErrors.create('DATABASE_NOT_SUPPORTED');
  const file = sqliteFile(config);
  if (file === undefined) throw schemaErrors.create('SQLITE_FILE_MISSING');
  return { kind: 'sqlite', file };
}

interface FoundFile {
  /** The same for every name of the file. */
  readonly id: string;
  readonly target: SqliteTarget;
}

/** The same words for what is not there and for what may not be opened. */
function missingFile(error: unknown): unknown {
  const isMissing = error instanceof DatabaseError && error.kind === 'unreachable';
  return isMissing ? schemaErrors.create('SQLITE_FILE_MISSING', {}, { cause: error }) : error;
}

/** Projects and the databases behind them. */
export function projectMethods(parts: SchemaStoreParts): ProjectMethods {
  const { metadata, databases, columnTypes, sqliteFolder, record, announce, jobs, hooks, snapshotOf } = parts;
  const { database, generations } = metadata;

  /** Titles are unique over the server, as published clients name projects by title. */
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

  /** The address of a database that exists, as its base keeps it. */
  async function findExternal(external: ExternalBaseInput): Promise<FoundFile> {
    const target = targetOf(external);
    try {
      const id = await databases.fileOf(target);
      return { id, target: { ...target, givesJournalBack: await databases.hasRollbackJournal(target) } };
    } catch (error) {
      throw missingFile(error);
    }
  }

  async function readExternal(
    projectId: string,
    base: BaseRow,
    external: ExternalBaseInput,
    { target }: FoundFile,
  ) {
    const opened = databases.open(base.id, target);
    try {
      const schema = await opened.read((unit) => opened.dialect.introspection.read(unit));
      const tables = planExternalTables(
        schema,
        {
          projectId,
          baseId: base.id,
          inflectionTable: external.inflectionTable ?? 'camelize',
          inflectionColumn: external.inflectionColumn ?? 'camelize',
          now: base.created_at,
        },
        columnTypes,
      );
      if (tables.length === 0) throw schemaErrors.create('DATABASE_EMPTY');
      const links = planLinks(schema, tables);
      return { tables: withLinkColumns(tables, links), links, dialect: opened.dialect.name };
    } catch (error) {
      await databases.forget(base.id);
      throw missingFile(error);
    }
  }

  /** Writes a new project with its base, and with the tables of the database that it opens. */
  async function insertProject(
    scope: AccessScope,
    project: ProjectRow,
    { external: wanted }: ProjectInput,
    { file, assertFree }: { readonly file: FoundFile | undefined; readonly assertFree: AssertFree },
  ): Promise<void> {
    const now = project.created_at;
    // Before it is opened: under another name the file would get a second write-ahead log.
    await database.read(assertFree);
    const base: BaseRow = {
      id: newId('base'),
      project_id: project.id,
      alias: wanted?.alias ?? null,
      own: wanted === undefined,
      dialect: database.dialect.name,
      config: file ? databases.seal(file.target) : null,
      inflection_table: wanted?.inflectionTable ?? 'camelize',
      inflection_column: wanted?.inflectionColumn ?? 'camelize',
      created_at: now,
      updated_at: now,
    };
    const external = wanted && file && (await readExternal(project.id, base, wanted, file));
    const { LinkModel, ProjectModel } = await models();
    // A project that the server makes by itself has no owner until somebody is granted the role.
    const owner = scope.principal.kind === 'system' ? [] : [scope.principal.id];
    const graph = {
      ...project,
      bases: [{ ...base, ...(external && { dialect: external.dialect }) }],
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
          description: `Project ${project.title} was created`,
        });
      },
      { retry: true },
    );
    await insert.catch(async (error: unknown) => {
      if (file) await databases.forget(base.id);
      throw error;
    });
  }

  return {
    async listProjects(scope) {
      scope.require('projectList');
      const { principal } = scope;
      const { ProjectModel, toProject } = await models();
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
    },

    async createProject(scope, input) {
      scope.require('projectCreate');
      if (input.external) scope.require('databaseOpen');
      const project = newProject(input, Date.now());
      const file = input.external && (await findExternal(input.external));
      await (file === undefined
        ? insertProject(scope, project, input, { file, assertFree: () => Promise.resolve() })
        : whileFileIsFree({ database, databases }, scope, file.id, (assertFree) =>
            insertProject(scope, project, input, { file, assertFree }),
          ));
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
            description: 'Project was changed',
          });
          return found();
        },
        { retry: true },
      );
      if (row === undefined) throw schemaErrors.create('PROJECT_NOT_FOUND');
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
            await ProjectModel.query(unit.knex)
              .findById(projectId)
              .whereNull('deleted_at')
              .patch({ deleted_at: Date.now() });
            await record(unit, {
              scope,
              auditType: 'PROJECT',
              auditSubType: 'DELETED',
              projectId,
              description: 'Project was deleted',
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

/** The id of the scope's project. Throws where the scope has none, which a call of a project never lets happen. */
export function requireProject(scope: AccessScope): string {
  if (scope.projectId === undefined) throw schemaErrors.create('PROJECT_NOT_FOUND');
  return scope.projectId;
}

function nulled(patch: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, value ?? null]));
}
