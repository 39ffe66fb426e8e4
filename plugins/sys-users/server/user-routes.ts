import {
  AccountAdministrationToken,
  auditText,
  defineRoute,
  LettersToken,
  RateLimiterToken,
  toPageInfo,
  type Account,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import type { MadeLink, ServerUserEntity, ServerUserList, ServerUserPatch } from '../shared/index.ts';
import { authErrors } from './auth-errors.ts';
import { text, type AuthParts } from './auth-steps.ts';
import { textsFor } from './letters/texts.ts';
import { lifetimes } from './tickets.ts';

type Query = Record<'query' | 'limit' | 'offset', string | undefined>;
type Patched = RouteRequest<Record<string, string>, Record<string, unknown>, ServerUserPatch>;

const number: JsonSchema = { type: 'string', pattern: '^\\d{0,9}$' };
const flag: JsonSchema = { type: 'boolean' };
const path = '/api/v1/users';
/** Links that one administrator may create in an hour. */
const links = { name: 'reset.handed', limit: 200, windowSeconds: 3600 };

/** All accounts on this server, for its administrators. */
export function userRoutes(
  ctx: ServerPluginContext,
  { tickets, steps, pictures }: Pick<AuthParts, 'tickets' | 'steps' | 'pictures'>,
): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountAdministrationToken);
  const limiter = ctx.get(RateLimiterToken);

  async function list({
    scope,
    query,
  }: RouteRequest<Record<string, string>, Query>): Promise<ServerUserList> {
    const page = {
      limit: Math.min(Number(query.limit || 25) || 25, 1000),
      offset: Number(query.offset || 0),
    };
    const found = await accounts.list(scope, { ...page, search: query.query ?? '' });
    const shown = await pictures.addresses(found.list.map(({ id }) => id));
    const entities = found.list.map((account) => userEntity(account, shown.get(account.id)));
    return { list: entities, pageInfo: toPageInfo(page, found.total) };
  }

  async function update(request: Patched): Promise<ServerUserEntity> {
    const { scope, params, body } = request;
    const id = params.userId ?? '';
    const { is_super: isSuper, is_disabled: isDisabled } = body;
    if (isSuper === undefined && isDisabled === undefined) throw authErrors.create('NOTHING_TO_CHANGE');
    let account = await accounts.read(scope, id);
    if (isSuper !== undefined) {
      account = await (isSuper ? accounts.promote(scope, id) : accounts.demote(scope, id));
      const of = { person: account.email };
      const told = isSuper
        ? auditText('{{person}} is a super admin now', of)
        : auditText('{{person}} is no super admin any more', of);
      await steps.record(scope.principal, request, 'ROLES_MANAGEMENT', told);
    }
    if (isDisabled !== undefined) {
      account = await (isDisabled ? accounts.disable(scope, id) : accounts.enable(scope, id));
      const of = { person: account.email };
      const told = isDisabled
        ? auditText('The account {{person}} was disabled', of)
        : auditText('The account {{person}} was enabled', of);
      await steps.record(scope.principal, request, isDisabled ? 'USER_DISABLE' : 'USER_ENABLE', told);
    }
    return userEntity(account, (await pictures.addresses([id])).get(id));
  }

  async function remove(request: RouteRequest) {
    const { scope, params } = request;
    const { email } = await accounts.remove(scope, params.userId ?? '');
    const told = auditText('The account {{person}} was deleted', { person: email });
    await steps.record(scope.principal, request, 'USER_DELETE', told);
    return { msg: 'success' };
  }

  /** Mails the link; without mail, returns it to its author. */
  async function send(account: Account, { scope, headers }: RouteRequest): Promise<MadeLink> {
    const { token, until } = await tickets.issue('handed', account.id);
    const { email } = account;
    const letters = ctx.find(LettersToken);
    if (letters?.canSend() !== true) return { email, token, mail: 'off' };
    const { text: say } = textsFor(headers['accept-language']);
    const mail = await letters.send({
      to: email,
      subject: say('resetSubject'),
      paragraphs: [say('handedText', { email, inviter: scope.principal.email })],
      action: { label: say('resetAction'), path: `/user/password/reset/form/${token}` },
      note: say('handedNote', { hours: String(lifetimes.handed / 3600_000) }),
      until,
    });
    return { email, token: mail === 'sent' ? null : token, mail };
  }

  async function makeLink(request: RouteRequest): Promise<MadeLink> {
    const { scope, params } = request;
    scope.require('accountReset');
    const account = await accounts.read(scope, params.userId ?? '');
    if (account.isDisabled) throw authErrors.create('RESET_OF_DISABLED', { email: account.email });
    await limiter.consume(links, scope.principal.id);
    const made = await send(account, request);
    const of = { person: account.email };
    const told = auditText('A link to set a new password for {{person}} was made', of);
    await steps.record(scope.principal, request, 'PASSWORD_LINK', told);
    return made;
  }

  return [
    defineRoute<Record<string, string>, Query>({
      method: 'GET',
      path,
      permission: 'accountList',
      summary: 'List everybody who has an account',
      schemas: { query: { type: 'object', properties: { limit: number, offset: number, query: text(320) } } },
      handle: list,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ServerUserPatch>({
      method: 'PATCH',
      path: `${path}/:userId`,
      permission: 'accountUpdate',
      summary: 'Disable or enable an account, or make its person a super admin or no more',
      schemas: { body: { type: 'object', properties: { is_super: flag, is_disabled: flag } } },
      unknownKeys: 'refuse',
      handle: update,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:userId`,
      permission: 'accountDelete',
      summary: 'Delete an account, unless a project would be without an owner',
      handle: remove,
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:userId/reset-link`,
      permission: 'accountReset',
      summary:
        'Send somebody a link to set a new password, or make one to hand over where mail is not set up',
      handle: makeLink,
    }),
  ];
}

function userEntity(account: Account, picture: string | undefined): ServerUserEntity {
  const { id, email, firstname, lastname, roles, isDisabled, createdAt } = account;
  return {
    id,
    email,
    firstname: firstname ?? null,
    lastname: lastname ?? null,
    picture: picture ?? null,
    is_super: roles.includes('super'),
    is_disabled: isDisabled,
    created_at: createdAt,
  };
}
