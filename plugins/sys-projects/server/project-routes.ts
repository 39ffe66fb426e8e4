import {
  AccessServiceToken,
  clientNameOf,
  defineRoute,
  SchemaStoreToken,
  ServerInfoToken,
  toProjectEntity,
  TrashToken,
  type AccessScope,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { ProjectEntity } from '@trellis/sdk/shared';
import { projectBodySchema, readNewProject, readProjectPatch, type ProjectBody } from './project-input.ts';

const path = '/api/v1/db/meta/projects';
const deletedPath = '/api/v1/db/meta/deleted-projects';

/** List, create, read, change and delete projects. */
export function projectRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const access = ctx.get(AccessServiceToken);
  const info = ctx.get(ServerInfoToken);
  const trash = ctx.get(TrashToken);
  const object = { kind: 'project', param: 'projectId' } as const;

  async function entityOf(scope: AccessScope): Promise<ProjectEntity> {
    const { project, bases: byId } = await schema.snapshot(scope);
    const bases = [...byId.values()];
    const permissions = access
      .permissionsOf(scope)
      // A page offers no table that the database would not get.
      .filter((id) => id !== 'tableCreate' || bases.some(({ schemaChanges }) => schemaChanges));
    const rights = access.markOf(scope);
    return toProjectEntity({ ...project, role: scope.roles[0], permissions, rights }, bases);
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'projectList',
      summary:
        'List the projects that the caller is in; behind them, for super admins, all others without a role',
      handle: async (request) => {
        const projects = await schema.listProjects(request.scope);
        const count = projects.length;
        const list = projects.map(async (project) => {
          // Those that a super admin is in by no role open nothing.
          if (project.role === undefined) return toProjectEntity({ ...project, permissions: [] });
          const scope = await access.scopeFor(request.principal, project.id, request.id);
          return toProjectEntity({ ...project, permissions: access.permissionsOf(scope) });
        });
        return {
          list: await Promise.all(list),
          pageInfo: { totalRows: count, page: 1, pageSize: count, isFirstPage: true, isLastPage: true },
        };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ProjectBody>({
      method: 'POST',
      path,
      permission: 'projectCreate',
      summary: 'Create a project, blank or on a database that exists',
      schemas: { body: projectBodySchema },
      handle: async (request) => {
        const input = readNewProject(request.body);
        if (input.external) request.scope.require('databaseOpen');
        const project = await schema.createProject(request.scope, input);
        return entityOf(await access.scopeFor(request.principal, project.id, request.id));
      },
    }),
    defineRoute({
      method: 'GET',
      path: deletedPath,
      permission: 'projectRestore',
      summary: 'List the own projects that were deleted in the last 30 days',
      handle: async ({ scope }) => ({
        list: (await trash.listProjects(scope)).map(({ id, title, color, deletedAt, dropsAt }) => ({
          id,
          title,
          color: color ?? null,
          deleted_at: deletedAt,
          drops_at: dropsAt,
        })),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: `${deletedPath}/:deletedId/restore`,
      permission: 'projectRestore',
      summary: 'Restore a deleted project',
      handle: async ({ scope, params, principal, id }) => {
        const project = await trash.restoreProject(scope, params.deletedId ?? '');
        return entityOf(await access.scopeFor(principal, project.id, id));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${deletedPath}/:deletedId`,
      permission: 'projectPurge',
      summary: 'Drop a deleted project for good, with its tables',
      handle: async ({ scope, params }) => {
        await trash.purgeProject(scope, params.deletedId ?? '');
        return true;
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:projectId`,
      permission: 'projectGet',
      object,
      summary: 'Read a project with its bases',
      handle: (request) => entityOf(request.scope),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ProjectBody>({
      method: 'PATCH',
      path: `${path}/:projectId`,
      permission: 'projectUpdate',
      object,
      summary: 'Rename or recolour a project',
      schemas: { body: projectBodySchema },
      handle: async (request) => {
        await schema.updateProject(request.scope, readProjectPatch(request.body));
        return 1;
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:projectId`,
      permission: 'projectDelete',
      object,
      summary: 'Delete a project; its data is removed for good after 30 days',
      handle: async (request) => {
        await schema.deleteProject(request.scope);
        return 1;
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:projectId/info`,
      permission: 'projectInfoGet',
      object,
      summary: 'Facts about a project for a bug report',
      handle: async (request) => {
        const { bases } = await schema.snapshot(request.scope);
        const [base] = [...bases.values()];
        return {
          Node: process.version,
          Arch: process.arch,
          Platform: process.platform,
          Docker: info.inContainer,
          Database: base && clientNameOf(base.dialect),
          ProjectOnRootDB: base?.own ?? true,
          RootDB: clientNameOf(info.metadataDialect),
          PackageVersion: info.version,
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:projectId/cost`,
      permission: 'projectCost',
      object,
      summary: 'What a project costs: nothing, it is your own server',
      handle: () => Promise.resolve({ cost: 0 }),
    }),
  ];
}
