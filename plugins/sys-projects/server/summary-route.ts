import {
  AccessServiceToken,
  AccountStoreToken,
  defineRoute,
  MembersToken,
  RowStoreToken,
  SchemaStoreToken,
  type AccessScope,
  type FilterSchema,
  type RouteDefinition,
  type ServerPluginContext,
  type TableSchema,
  type ViewSchema,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';

/** The types of views that the v1 API counts separately; the others only count in the totals. */
const countedTypes = { form: 'Form', grid: 'Grid', gallery: 'Gallery', kanban: 'Kanban' } as const;

/** Counts what the whole server holds, in the shapes of the v1 API: only numbers, no names or rows. */
export function summaryRoute(ctx: ServerPluginContext): RouteDefinition {
  const schema = ctx.get(SchemaStoreToken);
  const access = ctx.get(AccessServiceToken);
  const accounts = ctx.get(AccountStoreToken);
  const members = ctx.get(MembersToken);
  const rows = ctx.get(RowStoreToken);
  const openViews = ctx.registry('openViews');
  const figures = ctx.registry('serverFigures');

  async function isOpen({ id }: ViewSchema): Promise<boolean> {
    for (const open of openViews.list()) if (await open.isOpen(id)) return true;
    return false;
  }

  async function viewCounts(views: readonly ViewSchema[]) {
    const shared: ViewSchema[] = [];
    for (const view of views) if (await isOpen(view)) shared.push(view);
    const counts = Object.entries(countedTypes).flatMap(([type, name]) => [
      [`${name.toLowerCase()}Count`, views.filter((view) => view.type === type).length],
      [`shared${name}Count`, shared.filter((view) => view.type === type).length],
    ]);
    return {
      ...Object.fromEntries(counts),
      total: views.length,
      sharedTotal: shared.length,
      sharedLockedCount: shared.filter(({ lockType }) => lockType === 'locked').length,
    };
  }

  /** The rows of all tables. A database that does not answer counts none, and does not fail the others. */
  async function rowCount(scope: AccessScope, tables: readonly TableSchema[], signal: AbortSignal) {
    let count = 0;
    const away = new Set<string>();
    for (const { id, baseId } of tables) {
      if (away.has(baseId)) continue;
      try {
        count += await rows.count(await schema.open(scope, id), {}, signal);
      } catch (error) {
        if (!(error instanceof TrellisError)) throw error;
        // Waits for its timeout once, not for each of its tables.
        if (error.status === 503) away.add(baseId);
      }
    }
    return count;
  }

  async function summaryOf(projectId: string, signal: AbortSignal) {
    const scope = access.systemScope(projectId, 'summary');
    const snapshot = await schema.snapshot(scope);
    const tables = [...snapshot.tables.values()].filter(({ junction }) => !junction);
    const views = tables.flatMap((table) => table.views);
    const counted: Record<string, number> = {};
    for (const figure of figures.list()) {
      try {
        counted[figure.id] = await figure.count(projectId);
      } catch (error) {
        // If a plugin cannot count, its number is left out, and the others stay.
        ctx.logger.warn('A figure of the summary could not be counted', { figure: figure.id, error });
      }
    }
    return {
      tableCount: {
        table: tables.filter(({ kind }) => kind === 'table').length,
        view: tables.filter(({ kind }) => kind === 'view').length,
      },
      external: [...snapshot.bases.values()].some(({ own }) => !own),
      viewCount: await viewCounts(views),
      filterCount: sum(views.map(({ filters }) => filterCount(filters))),
      sortCount: sum(views.map(({ sorts }) => sorts.length)),
      rowCount: [{ TotalRecords: await rowCount(scope, tables, signal) }],
      userCount: (await members.list(scope)).length,
      ...counted,
    };
  }

  return defineRoute({
    method: 'GET',
    path: '/api/v1/aggregated-meta-info',
    permission: 'aggregatedMetaInfo',
    summary: 'How many projects, people, tables, views and rows this server holds',
    async handle({ signal }) {
      const listed = await schema.listProjects(access.systemScope(undefined, 'summary'));
      const summaries: (Awaited<ReturnType<typeof summaryOf>> & Readonly<Record<string, unknown>>)[] = [];
      for (const { id } of listed) summaries.push(await summaryOf(id, signal));
      return {
        projectCount: listed.length,
        userCount: await accounts.count(),
        sharedBaseCount: sum(summaries.map((summary) => Number(summary['sharedBaseCount'] ?? 0))),
        projects: summaries.map(({ sharedBaseCount: _, ...summary }) => summary),
      };
    },
  });
}

/** A group counts as the filters in it. */
function filterCount(filters: readonly FilterSchema[]): number {
  return sum(filters.map((filter) => (filter.isGroup ? filterCount(filter.children) : 1)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
