import {
  AccountStoreToken,
  AuditLogToken,
  BusToken,
  defineRoute,
  LiveChannelToken,
  type AccessScope,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  auditText,
} from '@trellis/sdk/server';
import {
  isWithinRole,
  projectRoles,
  readUtc,
  wireTime,
  type JsonSchema,
  type ProjectRole,
} from '@trellis/sdk/shared';
import { longestDescription, tokensObjectKind, type TokenEntity } from '../shared/index.ts';
import { tokenErrors } from './token-errors.ts';
import type { StoredToken, TokenStore } from './token-store.ts';

interface TokenBody {
  readonly description?: string | null;
  /** The most rights of the token. Default: an editor's. */
  readonly permissions?: string | null;
  /** The last day on which it is valid, in UTC. */
  readonly expiry?: string | null;
}

const text = (maxLength: number): JsonSchema => ({ type: ['string', 'null'], maxLength });
const bodySchema: JsonSchema = {
  type: 'object',
  properties: { description: text(1000), permissions: text(20), expiry: text(40) },
};

const object = { kind: 'project', param: 'projectId' } as const;
const inProject = '/api/v1/db/meta/projects/:projectId/api-tokens';
const ofAccount = '/api/v1/db/meta/api-tokens';
type Request = RouteRequest<Record<string, string>, Record<string, unknown>, TokenBody>;

/** Creates, lists and deletes tokens, in the shapes of the v1 API: those of a project, and those of the caller. */
export function tokenRoutes(ctx: ServerPluginContext, tokens: TokenStore): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountStoreToken);
  const audit = ctx.get(AuditLogToken);
  const bus = ctx.get(BusToken);
  const live = ctx.get(LiveChannelToken);

  async function entityOf(token: StoredToken, whole?: string): Promise<TokenEntity> {
    const account = await accounts.byId(token.accountId);
    const created = wireTime(token.createdAt);
    return {
      id: token.id,
      project_id: token.projectId ?? null,
      db_alias: null,
      description: token.description,
      permissions: token.role,
      token: whole ?? `${token.hint}…`,
      expiry: token.expiresAt === undefined ? null : wireTime(token.expiresAt),
      enabled: true,
      created_at: created,
      updated_at: created,
      last_used_at: token.lastUsedAt === undefined ? null : wireTime(token.lastUsedAt),
      owner: { id: token.accountId, email: account?.email ?? '' },
    };
  }

  /** All tokens of a project for its owners, who are responsible for it; the caller's own for others. */
  async function visible({ projectId, principal, roles }: AccessScope): Promise<readonly StoredToken[]> {
    if (projectId === undefined) return tokens.list({ accountId: principal.id });
    const ofProject = await tokens.list({ projectId });
    return roles.includes('owner')
      ? ofProject
      : ofProject.filter(({ accountId }) => accountId === principal.id);
  }

  /** Informs open lists, and the audit log. */
  function tell({ scope, ip, id }: Request, subType: string, { projectId, description, hint }: StoredToken) {
    const { principal } = scope;
    if (projectId !== undefined)
      bus.publish('objects.changed', { projectId, objectKind: tokensObjectKind, requestId: id });
    const of = { token: description || hint };
    return audit.record({
      type: 'AUTHENTICATION',
      subType,
      principal,
      ip,
      ...(projectId !== undefined && { projectId }),
      description:
        subType === 'TOKEN_CREATE'
          ? auditText("The API token '{{token}}' was made", of)
          : auditText("The API token '{{token}}' was deleted", of),
    });
  }

  async function list({ scope }: Request): Promise<readonly TokenEntity[]> {
    assertPerson(scope);
    return Promise.all((await visible(scope)).map((token) => entityOf(token)));
  }

  async function create(request: Request): Promise<TokenEntity> {
    const { scope, body } = request;
    assertPerson(scope);
    const description = (body.description ?? '').trim();
    if (description.length > longestDescription) throw tokenErrors.create('TOKEN_DESCRIPTION');
    const made = await tokens.create({
      accountId: scope.principal.id,
      projectId: scope.projectId,
      description,
      role: readRole(scope, body.permissions),
      expiresAt: readExpiry(body.expiry),
    });
    await tell(request, 'TOKEN_CREATE', made.token);
    return entityOf(made.token, made.text);
  }

  /** By id or by the whole text; another person's token answers like an unknown one. */
  async function remove(request: Request): Promise<number> {
    const { scope, params } = request;
    assertPerson(scope);
    const wanted = await tokens.find(params.token ?? '');
    const token = (await visible(scope)).find(({ id }) => id === wanted?.id);
    if (token === undefined) return 0;
    await tokens.delete(token);
    live.disconnect({ userId: token.accountId, credentialId: token.id });
    await tell(request, 'TOKEN_DELETE', token);
    return 1;
  }

  const routes = [
    { path: inProject, list: 'apiTokenList', create: 'apiTokenCreate', delete: 'apiTokenDelete', object },
    { path: ofAccount, list: 'ownTokens', create: 'ownTokens', delete: 'ownTokens' },
  ] as const;
  return routes.flatMap(({ path, ...of }) => {
    const names = 'object' in of ? { object: of.object } : {};
    const whose = 'object' in of ? 'of a project' : 'of the person who asks';
    return [
      defineRoute<Record<string, string>, Record<string, unknown>, TokenBody>({
        method: 'GET',
        path,
        permission: of.list,
        ...names,
        summary: `List the API tokens ${whose}`,
        handle: list,
      }),
      defineRoute<Record<string, string>, Record<string, unknown>, TokenBody>({
        method: 'POST',
        path,
        permission: of.create,
        ...names,
        summary: `Make an API token ${whose}; its text is answered this once`,
        schemas: { body: bodySchema },
        unknownKeys: 'refuse',
        handle: create,
      }),
      defineRoute<Record<string, string>, Record<string, unknown>, TokenBody>({
        method: 'DELETE',
        path: `${path}/:token`,
        permission: of.delete,
        ...names,
        summary: `Delete an API token ${whose}, by its id or its text`,
        handle: remove,
      }),
    ];
  });
}

/** A token that could create tokens would outlive its own expiry. */
function assertPerson({ principal }: AccessScope): void {
  if (principal.kind !== 'user') throw tokenErrors.create('TOKEN_BY_TOKEN');
}

/** The most rights of the token: up to a creator's, and never more than its author's. */
function readRole({ projectId, roles }: AccessScope, wanted: string | null | undefined): ProjectRole {
  const role = projectRoles.find((of) => of === (wanted ?? 'editor'));
  if (role === undefined || role === 'owner') throw tokenErrors.create('TOKEN_ROLE_UNKNOWN');
  const own = projectRoles.find((of) => roles.includes(of));
  if (projectId !== undefined && (own === undefined || !isWithinRole(role, own)))
    throw tokenErrors.create('TOKEN_ROLE');
  return role;
}

/** The end of the day, or the exact time if one is given. */
function readExpiry(value: string | null | undefined): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const at = readUtc(isDay ? `${value}T23:59:59.999` : value);
  if (at === undefined || at <= Date.now()) throw tokenErrors.create('TOKEN_EXPIRY');
  return at;
}
