import {
  AuditLogToken,
  auditText,
  BusToken,
  defineRoute,
  LiveChannelToken,
  readFramingSites,
  ServerInfoToken,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import { sharesObjectKind, type ShareEntity, type SharedRole } from '../shared/index.ts';
import type { Share, Shares } from './shares.ts';

const shareErrors = defineErrors({
  SHARED_BASE_NOT_FOUND: { status: 404, message: 'Not found' },
  SHARED_BASE_CLOSED: { status: 404, message: 'The project is not open to visitors (any more).' },
  SHARED_BASE_PASSWORD: {
    status: 400,
    message: 'A shared base has no password: its id is the secret. Share it again to have a new one.',
  },
});

interface ShareBody {
  readonly roles?: string | null;
  readonly password?: string | null;
  /** The sites that may show the project in a frame; empty for none, unchanged if absent. An extension of the v1 API. */
  readonly embed_sites?: readonly string[];
}

const path = '/api/v1/db/meta/projects/:projectId/shared';
const body = {
  type: 'object',
  properties: {
    roles: { type: ['string', 'null'], maxLength: 40 },
    password: { type: ['string', 'null'], maxLength: 1000 },
    embed_sites: { type: 'array', items: { type: 'string', maxLength: 300 } },
  },
} as const;

/** As in the v1 API: any other role means a viewer. A password, which nothing would check, is refused instead of ignored. */
function roleOf({ roles, password }: ShareBody): SharedRole {
  if (password) throw shareErrors.create('SHARED_BASE_PASSWORD');
  return roles === 'editor' ? 'editor' : 'viewer';
}

function sitesOf({ embed_sites: sites }: ShareBody): readonly string[] | undefined {
  return sites === undefined ? undefined : readFramingSites(sites);
}

/** Opens a project to visitors, and finds the project of an id. */
export function shareRoutes(ctx: ServerPluginContext, shares: Shares): readonly RouteDefinition[] {
  const live = ctx.get(LiveChannelToken);
  const bus = ctx.get(BusToken);
  const audit = ctx.get(AuditLogToken);
  const info = ctx.get(ServerInfoToken);
  const object = { kind: 'project', param: 'projectId' } as const;

  /** The link with the server's public address; without one it begins at the root of the site. */
  function toEntity(share: Share | undefined): ShareEntity {
    if (share === undefined) return { uuid: null, roles: null };
    return {
      uuid: share.uuid,
      roles: share.role,
      url: `${info.siteUrl ?? ''}/#/nc/base/${share.uuid}`,
      ...(share.embedSites.length > 0 && { embed_sites: share.embedSites }),
    };
  }

  /**
   * Ends the live channels of visitors with the former id, informs the pages of members, and records the change in the audit log.
   */
  async function didChange(
    { scope, ip, id: requestId }: Pick<RouteRequest, 'scope' | 'ip' | 'id'>,
    former: Share | undefined,
    share?: Share,
  ): Promise<void> {
    if (former) live.disconnect({ userId: '', credentialId: former.uuid });
    const { principal, projectId = '' } = scope;
    bus.publish('objects.changed', { projectId, objectKind: sharesObjectKind, requestId });
    if (former === undefined && share === undefined) return;
    const description =
      share === undefined
        ? auditText('The project was closed to visitors', {})
        : auditText('The project is open to visitors as {{role}}', { role: share.role });
    const type = 'AUTHENTICATION';
    await audit.record({ type, subType: 'SHARED_BASE', principal, ip, projectId, description });
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'getSharedBaseLink',
      object,
      summary: 'Read under which id a project is open, and to what',
      handle: async ({ scope }) => toEntity(await shares.of(scope.projectId ?? '')),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ShareBody>({
      method: 'POST',
      path,
      permission: 'createSharedBaseLink',
      object,
      summary: 'Open a project under a new id; the former one opens nothing any more',
      schemas: { body },
      async handle(request) {
        const { scope, body: asked } = request;
        const projectId = scope.projectId ?? '';
        const role = roleOf(asked);
        const former = await shares.of(projectId);
        const embedSites = sitesOf(asked) ?? former?.embedSites ?? [];
        const share = await shares.open(projectId, { role, embedSites });
        await didChange(request, former, share);
        return toEntity(share);
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ShareBody>({
      method: 'PATCH',
      path,
      permission: 'updateSharedBaseLink',
      object,
      summary: 'Change what the id of a project opens it to',
      schemas: { body },
      async handle(request) {
        const { scope, body: asked } = request;
        const projectId = scope.projectId ?? '';
        const role = roleOf(asked);
        const embedSites = sitesOf(asked);
        // Absent properties stay unchanged.
        const patch = { ...(asked.roles !== undefined && { role }), ...(embedSites && { embedSites }) };
        const wasOpen = await shares.change(projectId, patch);
        // A role opens it, as in the v1 API; nothing else opens a closed project.
        if (!wasOpen && asked.roles === undefined) throw shareErrors.create('SHARED_BASE_CLOSED');
        const share = wasOpen
          ? await shares.of(projectId)
          : await shares.open(projectId, { role, embedSites: embedSites ?? [] });
        await didChange(request, wasOpen ? share : undefined, share);
        return toEntity(share);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      permission: 'disableSharedBaseLink',
      object,
      summary: 'Close a project to visitors at once',
      async handle(request) {
        const { projectId = '' } = request.scope;
        const former = await shares.of(projectId);
        await shares.close(projectId);
        await didChange(request, former);
        return { uuid: null };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/public/shared-base/:uuid/meta',
      permission: 'public',
      summary: 'Find the project that an id opens',
      async handle({ params }) {
        const share = await shares.byUuid(params.uuid ?? '');
        if (share === undefined) throw shareErrors.create('SHARED_BASE_NOT_FOUND');
        return { project_id: share.projectId };
      },
    }),
  ];
}
