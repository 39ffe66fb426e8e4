import { isCustomRoleId } from '#plugins/sys-members/shared';
import {
  AccessServiceToken,
  AuditLogToken,
  auditText,
  BusToken,
  defineRoute,
  SchemaStoreToken,
  toListedView,
  type AccessScope,
  type RouteDefinition,
  type ServerPluginContext,
  type TableSchema,
  type ViewSchema,
} from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import { hideableRoles, type VisibilityEntity } from '../shared/index.ts';
import type { HiddenViews, Hiding } from './hidden-views.ts';
import { disabledOf } from './tell-visibility.ts';

const visibilityErrors = defineErrors({
  VISIBILITY_VIEW_NOT_FOUND: { status: 404, message: 'View not found' },
});

interface VisibilityBody {
  readonly id: string;
  readonly disabled: Readonly<Record<string, boolean>>;
}

interface FoundView {
  readonly table: TableSchema;
  readonly view: ViewSchema;
}

const path = '/api/v1/db/meta/projects/:projectId/visibility-rules';
/** The most views of one call. */
const mostViews = 5000;
/** The most roles of one view in a call. */
const mostRoles = 100;
/** The most views that the audit log names. */
const namedViews = 10;

function inShort(titles: readonly string[]): string {
  return titles.slice(0, namedViews).join(', ') + (titles.length > namedViews ? ', …' : '');
}

/** Lists and changes which views are hidden from which roles. */
export function visibilityRoutes(ctx: ServerPluginContext, hidden: HiddenViews): readonly RouteDefinition[] {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const bus = ctx.get(BusToken);
  const audit = ctx.get(AuditLogToken);
  const object = { kind: 'project', param: 'projectId' } as const;

  /** All views of the project except the personal ones of others, including those hidden from the caller. */
  async function viewsOf(scope: AccessScope): Promise<readonly FoundView[]> {
    const { tables } = await schema.snapshot(access.systemScope(scope.projectId, 'visibility'));
    return [...tables.values()]
      .toSorted((a, b) => a.order - b.order)
      .flatMap((table) => table.views.map((view) => ({ table, view })))
      .filter(({ view }) => view.lockType !== 'personal' || view.ownerId === scope.principal.id);
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'modelVisibilityList',
      object,
      summary: 'List the views of a project with the roles for which they are not listed',
      async handle({ scope, query }): Promise<readonly VisibilityEntity[]> {
        const isHidden = await hidden.of(scope.projectId ?? '');
        return (await viewsOf(scope))
          .filter(({ table }) => query.includeM2M === 'true' || !table.junction)
          .map(({ table, view }) => ({
            ...toListedView(view, table),
            disabled: {
              ...disabledOf(isHidden.get(view.id)),
              // For custom roles, only those from which it is hidden.
              ...Object.fromEntries(
                [...(isHidden.get(view.id) ?? [])].filter(isCustomRoleId).map((role) => [role, true]),
              ),
            },
          }));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, readonly VisibilityBody[]>({
      method: 'POST',
      path,
      permission: 'modelVisibilitySet',
      object,
      summary: 'Say for which roles views are not listed; roles that are not named stay as they are',
      schemas: {
        body: {
          type: 'array',
          maxItems: mostViews,
          items: {
            type: 'object',
            required: ['id', 'disabled'],
            properties: {
              id: { type: 'string', maxLength: 40 },
              disabled: {
                type: 'object',
                maxProperties: mostRoles,
                additionalProperties: { type: 'boolean' },
              },
            },
          },
        },
      },
      async handle({ scope, body, ip, id: requestId }) {
        const known = new Map((await viewsOf(scope)).map(({ view }) => [view.id, view.title] as const));
        if (body.some(({ id }) => !known.has(id))) throw visibilityErrors.create('VISIBILITY_VIEW_NOT_FOUND');
        const hidings = body.flatMap(({ id: viewId, disabled }) =>
          Object.entries(disabled).flatMap(([role, isHidden]): Hiding[] =>
            isCustomRoleId(role) || hideableRoles.some((of) => of === role)
              ? [{ viewId, role, isHidden }]
              : [],
          ),
        );
        const projectId = scope.projectId ?? '';
        await hidden.change(projectId, hidings, (unit) => access.didChangeRules(unit));
        const titles = [...new Set(hidings.map(({ viewId }) => known.get(viewId) ?? ''))];
        if (titles.length > 0)
          await audit.record({
            type: 'AUTHENTICATION',
            subType: 'VISIBILITY',
            principal: scope.principal,
            ip,
            projectId,
            description: auditText('The roles that see {{views}} were set', { views: inShort(titles) }),
          });
        bus.publish('access-rules.changed', { projectId, requestId });
        return { msg: 'success' };
      },
    }),
  ];
}
