import {
  AccessServiceToken,
  defineRoute,
  SchemaStoreToken,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  type TableSchema,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { mostFoundTables, type FoundTable } from '../shared/index.ts';

/** The most projects to search: each must be read to determine what the caller may see. */
const mostProjects = 50;
/** Projects that are searched at a time: after a few, most searches have found enough. */
const projectsAtOnce = 25;

interface FoundQuery {
  readonly text?: string;
  readonly without?: string;
}

/** Finds tables by their titles in all projects of the caller. */
export function foundTablesRoute(ctx: ServerPluginContext): RouteDefinition {
  const schema = ctx.get(SchemaStoreToken);
  const access = ctx.get(AccessServiceToken);

  /** The tables of a project that the caller may see; undefined if there are none, as in a project that was deleted meanwhile. */
  async function tablesOf(
    projectId: string,
    { principal, id }: Pick<RouteRequest, 'principal' | 'id'>,
  ): Promise<readonly TableSchema[] | undefined> {
    try {
      const within = await access.scopeFor(principal, projectId, id);
      if (!within.may('tableList')) return undefined;
      return [...(await schema.snapshot(within)).tables.values()];
    } catch (error) {
      // An error in one project does not prevent results from the others.
      if (error instanceof TrellisError) return undefined;
      throw error;
    }
  }

  return defineRoute<Record<string, string>, FoundQuery>({
    method: 'GET',
    path: 'found-tables',
    permission: 'projectList',
    summary: `Find tables by a part of their titles in the projects of the caller, at most ${mostFoundTables}`,
    schemas: {
      query: {
        type: 'object',
        required: ['text'],
        properties: {
          text: { type: 'string', minLength: 1, maxLength: 255 },
          without: { type: 'string', maxLength: 60, description: 'The id of a project to leave out.' },
        },
      },
    },
    async handle({ scope, principal, query, id, signal }) {
      const text = (query.text ?? '').toLowerCase();
      const list: FoundTable[] = [];
      let looked = 0;
      for (let isMore = true; isMore && looked < mostProjects && list.length < mostFoundTables;) {
        const projects = await schema.listProjectsWithTable(scope, text, {
          limit: projectsAtOnce,
          offset: looked,
        });
        looked += projects.length;
        isMore = projects.length === projectsAtOnce;
        for (const project of projects) {
          if (project.id === query.without || list.length === mostFoundTables) continue;
          signal.throwIfAborted();
          const tables = (await tablesOf(project.id, { principal, id })) ?? [];
          const found = tables
            .filter(({ junction, title }) => !junction && title.toLowerCase().includes(text))
            .toSorted((a, b) => a.order - b.order)
            .map((table) => ({
              id: table.id,
              title: table.title,
              project: { id: project.id, title: project.title },
            }));
          list.push(...found.slice(0, mostFoundTables - list.length));
        }
      }
      return { list };
    },
  });
}
