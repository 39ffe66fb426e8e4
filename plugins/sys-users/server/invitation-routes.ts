import {
  AccessServiceToken,
  AccountStoreToken,
  defineRoute,
  RateLimiterToken,
  SchemaStoreToken,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import type { InvitationEntity } from '../shared/index.ts';
import { authErrors } from './auth-errors.ts';
import { triesOfAddress } from './auth-steps.ts';
import type { InvitationStore } from './invitation-store.ts';
import { createOpenInvitations } from './open-invitation.ts';

interface TokenBody {
  readonly token: string;
}

const tokenSchema: JsonSchema = {
  type: 'object',
  required: ['token'],
  properties: { token: { type: 'string', maxLength: 100 } },
};

/** Shows and accepts an invitation by its link. The token is sent in bodies, since addresses are written to logs. */
export function invitationRoutes(
  ctx: ServerPluginContext,
  invitations: InvitationStore,
): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountStoreToken);
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const limiter = ctx.get(RateLimiterToken);
  const { open: openInvitation } = createOpenInvitations(ctx, invitations);
  type Request = RouteRequest<Record<string, string>, Record<string, unknown>, TokenBody>;

  const limit = ({ ip }: Request) =>
    limiter.consume({ name: 'invitation.address', ...triesOfAddress }, { address: ip });

  /** Throws `INVITATION_UNKNOWN` for a deleted project. */
  async function projectOf(projectId: string): Promise<InvitationEntity['project']> {
    if (projectId === '') return null;
    if ((await access.locateProject(projectId)) !== projectId) throw authErrors.create('INVITATION_UNKNOWN');
    const { project } = await schema.snapshot(access.systemScope(projectId, 'invitation'));
    return { id: project.id, title: project.title };
  }

  async function read(request: Request): Promise<InvitationEntity> {
    await limit(request);
    const { email, projectId, role } = (await openInvitation(request.body.token)).invitation;
    const account = await accounts.byEmail(email);
    return {
      email,
      project: await projectOf(projectId),
      role: role ?? null,
      has_account: account !== undefined,
    };
  }

  async function accept(request: Request): Promise<{ readonly project_id: string | null }> {
    await limit(request);
    const { token } = request.body;
    const account = await accounts.byId(request.principal.id);
    if (account === undefined || request.principal.kind !== 'user')
      throw authErrors.create('INVITATION_UNKNOWN');
    const { invitation, accept: take, recordJoining } = await openInvitation(token);
    await ctx.db.write((unit) => take(account, unit));
    await recordJoining(account, request.ip);
    return { project_id: invitation.projectId || null };
  }

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, TokenBody>({
      method: 'POST',
      path: '/api/v1/auth/invitation/read',
      permission: 'public',
      summary: 'What an invitation is to, for whoever holds its link',
      schemas: { body: tokenSchema },
      unknownKeys: 'refuse',
      handle: read,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, TokenBody>({
      method: 'POST',
      path: '/api/v1/auth/invitation/accept',
      permission: 'signedIn',
      summary: 'Accept an invitation with the account that is signed in',
      schemas: { body: tokenSchema },
      unknownKeys: 'refuse',
      handle: accept,
    }),
  ];
}
