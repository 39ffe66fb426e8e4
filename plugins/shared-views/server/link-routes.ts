import { randomUUID } from 'node:crypto';
import {
  AuditLogToken,
  auditText,
  BusToken,
  defineRoute,
  readFramingSites,
  RouteAnswer,
  SchemaStoreToken,
  toViewEntity,
  type AccessScope,
  type AuditText,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  type TableSchema,
  type ViewSchema,
} from '@trellis/sdk/server';
import { readUtc, type JsonSchema } from '@trellis/sdk/shared';
import { linksObjectKind, readLook, type LinkVisits } from '../shared/index.ts';
import { linkErrors } from './link-errors.ts';
import type { LinkPasswords } from './link-passwords.ts';
import type { ViewLink, ViewLinks } from './links.ts';
import type { VisitCounts } from './visit-counts.ts';

interface LinkBody {
  readonly password?: string | null;
  readonly meta?: Readonly<Record<string, unknown>> | string | null;
  /** When the link expires; UTC, ISO 8601, null for never. An extension of the v1 API. */
  readonly expires_at?: string | null;
  /** True gives the view a new link, and the former one becomes invalid. An extension of the v1 API. */
  readonly regenerate?: boolean;
}

const body: JsonSchema = {
  type: 'object',
  properties: {
    password: { type: ['string', 'null'], maxLength: 1000 },
    meta: { type: ['object', 'string', 'null'] },
    expires_at: { type: ['string', 'null'], maxLength: 40 },
    regenerate: { type: 'boolean' },
  },
};
const largestMeta = 10_000;
const firstMeta = { allowCSVDownload: true };

/** The password cannot be read: answers only say that there is one. */
const mask = '********';

const noVisits: LinkVisits = { total: 0, days: [], last_at: null };

function toEntity(link: ViewLink, view: ViewSchema, table: TableSchema, visits = noVisits) {
  return {
    ...toViewEntity(view, table),
    _ptn: table.title,
    uuid: link.uuid,
    password: link.passwordHash === undefined ? null : mask,
    expires_at: link.expiresAt === undefined ? null : new Date(link.expiresAt).toISOString(),
    meta: link.meta,
    visits,
  };
}

function metaOf(meta: LinkBody['meta'], former: ViewLink['meta']): ViewLink['meta'] | undefined {
  if (meta === undefined || meta === null) return undefined;
  let given: unknown = meta;
  try {
    if (typeof meta === 'string') given = JSON.parse(meta);
  } catch {
    given = undefined;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw linkErrors.create('SHARED_VIEW_VALUE', { parameter: 'meta' });
  const sites = 'embedSites' in given ? { embedSites: readFramingSites(given.embedSites) } : {};
  const look = 'look' in given ? { look: given.look === null ? {} : readLook(given.look) } : {};
  if ('look' in look && look.look === undefined)
    throw linkErrors.create('SHARED_VIEW_VALUE', { parameter: 'meta.look' });
  const merged = { ...former, ...given, ...sites, ...look };
  if (JSON.stringify(merged).length > largestMeta)
    throw linkErrors.create('SHARED_VIEW_META_LARGE', { limit: largestMeta });
  return merged;
}

function expiryOf(text: string | null | undefined): number | null | undefined {
  if (text === undefined || text === null) return text;
  const at = readUtc(text);
  if (at === undefined) throw linkErrors.create('SHARED_VIEW_VALUE', { parameter: 'expires_at' });
  return at;
}

/** Opens views by links, and closes them again. */
export function linkRoutes(
  ctx: ServerPluginContext,
  of: { readonly links: ViewLinks; readonly passwords: LinkPasswords; readonly visitCounts: VisitCounts },
): readonly RouteDefinition[] {
  const { links, passwords, visitCounts } = of;
  const bus = ctx.get(BusToken);
  const audit = ctx.get(AuditLogToken);
  const schema = ctx.get(SchemaStoreToken);
  const viewTypes = ctx.registry('viewTypes');
  const object = { kind: 'view', param: 'viewId' } as const;
  const path = '/api/v1/db/meta/views/:viewId/share';

  async function find(scope: AccessScope, viewId = '') {
    const { tables } = await schema.snapshot(scope);
    for (const table of tables.values())
      for (const view of table.views)
        if (view.id === viewId && scope.can(view, 'share')) return { table, view };
    throw linkErrors.create('SHARED_VIEW_NOT_FOUND');
  }

  /** Records a change of a view's link in the audit log, and informs open pages. */
  async function didChange(
    { scope: { principal }, ip, id: requestId }: Pick<RouteRequest, 'scope' | 'ip' | 'id'>,
    { projectId, baseId, id: tableId }: TableSchema,
    description: AuditText,
  ): Promise<void> {
    const place = { projectId, baseId, tableId };
    await audit.record({ type: 'VIEW', subType: 'SHARE', principal, ip, ...place, description });
    bus.publish('objects.changed', { projectId, objectKind: linksObjectKind, requestId });
  }

  /** The links of a project to views that the caller may share. */
  async function listed(scope: AccessScope, where: Readonly<Record<string, string>>) {
    const { tables } = await schema.snapshot(scope);
    const found = await links.find({ ...where, project_id: scope.projectId ?? '' });
    const visits = await visitCounts.of(found.map(({ viewId }) => viewId));
    return found.flatMap((link) => {
      const table = tables.get(link.tableId);
      const view = table?.views.find(({ id }) => id === link.viewId);
      return table && view && scope.can(view, 'share')
        ? [toEntity(link, view, table, visits.get(link.viewId))]
        : [];
    });
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/tables/:tableId/share',
      permission: 'shareViewList',
      object: { kind: 'table', param: 'tableId' },
      summary: 'List the views of a table that are shared by links',
      handle: ({ scope, params }) => listed(scope, { table_id: params.tableId ?? '' }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/projects/:projectId/shared-views',
      permission: 'shareViewList',
      object: { kind: 'project', param: 'projectId' },
      summary: 'List the views of a project that are shared by links',
      handle: async ({ scope }) => ({ list: await listed(scope, {}) }),
    }),
    defineRoute({
      method: 'POST',
      path,
      permission: 'shareView',
      object,
      summary: 'Share a view by a link; one that is shared keeps its link',
      async handle(request) {
        const { scope, params } = request;
        const { view, table } = await find(scope, params.viewId);
        if (viewTypes.get(view.type)?.sharing === undefined)
          throw linkErrors.create('VIEW_NOT_SHAREABLE', { type: view.type });
        if (view.lockType === 'personal') throw linkErrors.create('VIEW_PERSONAL');
        const of = { viewId: view.id, tableId: table.id, projectId: table.projectId };
        const wasOpen = (await links.ofView(view.id)) !== undefined;
        const link = await links.open(of, firstMeta);
        if (link === undefined) throw linkErrors.create('VIEW_NOT_SHARED');
        const told = auditText('The view {{view}} was shared by a link', { view: view.title });
        if (!wasOpen) await didChange(request, table, told);
        return toEntity(link, view, table, (await visitCounts.of([view.id])).get(view.id));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, LinkBody>({
      method: 'PATCH',
      path,
      permission: 'shareViewUpdate',
      object,
      places: 'passwords',
      summary: 'Change the password of a link, what it allows, how long it lasts, or the link itself',
      schemas: { body },
      async handle(request) {
        const { scope, params, body: asked } = request;
        const { view, table } = await find(scope, params.viewId);
        if ((await links.ofView(view.id)) === undefined) throw linkErrors.create('VIEW_NOT_SHARED');
        // Clients send the whole view back, with the mask in place of the password.
        const { password } = asked;
        const isKept = password === undefined || password === mask;
        const passwordHash = isKept ? undefined : password ? await passwords.hash(password) : null;
        const expiresAt = expiryOf(asked.expires_at);
        const link = await links.change(view.id, (now) => {
          const meta = metaOf(asked.meta, now.meta);
          return {
            ...(passwordHash !== undefined && { passwordHash }),
            ...(expiresAt !== undefined && { expiresAt }),
            ...(meta !== undefined && { meta }),
            ...(asked.regenerate === true && { uuid: randomUUID() }),
          };
        });
        if (link === undefined) throw linkErrors.create('VIEW_NOT_SHARED');
        const told = auditText('The link of the view {{view}} was changed', { view: view.title });
        await didChange(request, table, told);
        return toEntity(link, view, table, (await visitCounts.of([view.id])).get(view.id));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      permission: 'shareViewDelete',
      object,
      summary: 'Close the link of a view at once',
      async handle(request) {
        const { scope, params } = request;
        const { view, table } = await find(scope, params.viewId);
        const wasOpen = (await links.ofView(view.id)) !== undefined;
        await links.close({ view_id: view.id });
        await visitCounts.forget(view.id);
        const told = auditText('The link of the view {{view}} was closed', { view: view.title });
        if (wasOpen) await didChange(request, table, told);
        return new RouteAnswer({ body: '' });
      },
    }),
  ];
}
