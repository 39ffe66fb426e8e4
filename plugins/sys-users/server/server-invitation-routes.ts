import {
  AccountStoreToken,
  auditText,
  BusToken,
  defineRoute,
  InvitationsToken,
  type AuditText,
  type RouteDefinition,
  type RouteRequest,
  type SentInvitation,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { hostObjectKinds, wireTime, type JsonSchema } from '@trellis/sdk/shared';
import type { MadeLink, ServerInvitationEntity } from '../shared/index.ts';
import { authErrors } from './auth-errors.ts';
import { text, type AuthParts } from './auth-steps.ts';

interface InviteBody {
  readonly email: string;
}
type Invite = RouteRequest<Record<string, string>, Record<string, unknown>, InviteBody>;

const path = '/api/v1/user-invitations';
const inviteSchema: JsonSchema = { type: 'object', required: ['email'], properties: { email: text(320) } };

/** Invitations to this server, without a project. */
export function serverInvitationRoutes(
  ctx: ServerPluginContext,
  { steps }: Pick<AuthParts, 'steps'>,
): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountStoreToken);
  const bus = ctx.get(BusToken);
  // Looked up in each call, since this plugin itself provides them.
  const invitations = () => ctx.get(InvitationsToken);
  const letterOf = ({ headers }: Pick<RouteRequest, 'headers'>) => ({
    languages: headers['accept-language'],
  });

  async function list({
    scope,
  }: RouteRequest): Promise<{ readonly list: readonly ServerInvitationEntity[] }> {
    const found = await invitations().list(scope);
    return {
      list: found.map(({ id, email, createdAt, expiresAt }) => ({
        id,
        email,
        created_at: wireTime(createdAt),
        expires_at: wireTime(expiresAt),
      })),
    };
  }

  /** Records an action in the audit log, and informs open pages. */
  async function record(request: RouteRequest, subType: string, told: AuditText): Promise<void> {
    await steps.record(request.scope.principal, request, subType, told);
    const objectKind = hostObjectKinds.accounts;
    bus.publish('objects.changed', { projectId: '', objectKind, requestId: request.id });
  }

  async function invite(request: Invite): Promise<MadeLink> {
    const { scope, body } = request;
    const email = body.email.trim();
    if (email === '') throw authErrors.create('EMAIL_REQUIRED');
    const known = await accounts.byEmail(email);
    if (known !== undefined) throw authErrors.create('INVITED_HERE', { email: known.email });
    const sent = await invitations().invite(scope, { email }, letterOf(request));
    const told = auditText('{{person}} was invited', { person: sent.invitation.email });
    await record(request as RouteRequest, 'INVITE', told);
    return linkOf(sent);
  }

  async function renew(request: RouteRequest): Promise<MadeLink> {
    const { scope, params } = request;
    const sent = await invitations().renew(scope, params.invitationId ?? '', letterOf(request));
    const told = auditText('{{person}} was invited again', { person: sent.invitation.email });
    await record(request, 'RESEND_INVITE', told);
    return linkOf(sent);
  }

  async function remove(request: RouteRequest) {
    const { scope, params } = request;
    await invitations().remove(scope, params.invitationId ?? '');
    await record(request, 'INVITE_REMOVE', auditText('An invitation to this server was taken back', {}));
    return { msg: 'success' };
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'accountList',
      summary: 'List who was invited to this server',
      handle: list,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, InviteBody>({
      method: 'POST',
      path,
      permission: 'accountInvite',
      summary: 'Invite somebody to this server',
      schemas: { body: inviteSchema },
      unknownKeys: 'refuse',
      handle: invite,
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:invitationId/renew`,
      permission: 'accountInvite',
      summary: 'Make a new link of an invitation to this server, and send it where mail is set up',
      handle: renew,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:invitationId`,
      permission: 'accountInvite',
      summary: 'Take an invitation to this server back',
      handle: remove,
    }),
  ];
}

function linkOf({ invitation, token, mail }: SentInvitation): MadeLink {
  return { email: invitation.email, token: token ?? null, mail };
}
