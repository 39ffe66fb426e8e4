import {
  AuditLogToken,
  defineRoute,
  InvitationsToken,
  LettersToken,
  MembersToken,
  pageOf,
  SchemaStoreToken,
  type AccessScope,
  type Invitation,
  type InvitationLetter,
  type Member,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { projectRoles, wireTime, type JsonSchema, type ProjectRole } from '@trellis/sdk/shared';
import type { MemberEntity, MemberList } from '../shared/index.ts';
import { createAddPeople } from './add-people.ts';
import { teamErrors } from './member-errors.ts';

interface MemberBody {
  readonly email?: string;
  readonly roles?: string;
  readonly project_id?: string;
}

const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
const bodySchema: JsonSchema = {
  type: 'object',
  properties: { email: text(40_000), roles: text(20), project_id: text(40), projectName: text(200) },
};
const number: JsonSchema = { type: 'string', pattern: '^\\d{0,9}$' };
const listSchema: JsonSchema = {
  type: 'object',
  properties: { limit: number, offset: number, query: text(320) },
};

const path = '/api/v1/db/meta/projects/:projectId/users';
const object = { kind: 'project', param: 'projectId' } as const;
type Request = RouteRequest<Record<string, string>, Record<string, unknown>, MemberBody>;

/** The members of a project, in the shapes of the v1 API. */
export function memberRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const members = ctx.get(MembersToken);
  const invitations = ctx.get(InvitationsToken);
  const schema = ctx.get(SchemaStoreToken);
  const audit = ctx.get(AuditLogToken);
  const addPeople = createAddPeople(ctx);

  async function letterOf({ scope, headers }: Pick<Request, 'scope' | 'headers'>): Promise<InvitationLetter> {
    const { project } = await schema.snapshot(scope);
    return { languages: headers['accept-language'], projectTitle: project.title };
  }

  function record({ scope, ip }: Pick<Request, 'scope' | 'ip'>, subType: string, description: string) {
    const { principal, projectId } = scope;
    return audit.record({ type: 'AUTHENTICATION', subType, principal, ip, projectId, description });
  }

  async function list({ scope, query }: Request): Promise<MemberList> {
    const projectId = scope.projectId ?? '';
    const showsAccounts = scope.principal.accountRoles.includes('super');
    const [here, invited] = await Promise.all([members.list(scope), invitations.list(scope)]);
    const wanted = typeof query.query === 'string' ? query.query.trim().toLowerCase() : '';
    const all = [
      ...here.map((member) => memberEntity(member, projectId, showsAccounts)),
      ...invited.map((invitation) => invitedEntity(invitation, projectId)),
    ];
    const found = all.filter(({ email, firstname, lastname }) =>
      `${email} ${firstname ?? ''} ${lastname ?? ''}`.toLowerCase().includes(wanted),
    );
    return { users: pageOf(found, query) };
  }

  async function add(request: Request) {
    const { email = '', roles } = request.body;
    const role = roleOf(roles ?? 'editor');
    // Nobody is invited as an owner: who owns a project makes a member one.
    if (role === 'owner') throw teamErrors.create('ROLE_INVALID');
    return addPeople(request, { emails: email, role, letter: await letterOf(request) });
  }

  async function update(request: Request) {
    const { scope, params, body } = request;
    const { userId = '' } = params;
    if (body.project_id !== scope.projectId) throw teamErrors.create('PROJECT_ID_MISSING');
    const role = roleOf(body.roles);
    await (isInvitation(userId)
      ? invitations.setRole(scope, userId, role)
      : members.setRole(scope, userId, role));
    await record(request, 'ROLES_MANAGEMENT', `The role of ${await nameOf(scope, userId)} is ${role} now`);
    return { msg: 'User details updated successfully' };
  }

  async function remove(request: Request) {
    const { scope, params } = request;
    const { userId = '' } = params;
    if (userId === scope.principal.id) throw teamErrors.create('CANNOT_DELETE_SELF');
    const name = await nameOf(scope, userId);
    await (isInvitation(userId) ? invitations.remove(scope, userId) : members.remove(scope, userId));
    await record(request, 'ROLES_MANAGEMENT', `${name} was removed`);
    return { msg: 'success' };
  }

  async function nameOf(scope: AccessScope, userId: string): Promise<string> {
    const known = isInvitation(userId)
      ? (await invitations.list(scope)).find(({ id }) => id === userId)
      : (await members.list(scope)).find((member) => member.userId === userId);
    return known?.email ?? userId;
  }

  async function renew(request: Request) {
    const { scope, params } = request;
    const { userId = '' } = params;
    if (!isInvitation(userId)) throw teamErrors.create('NOT_INVITED', { id: userId.slice(0, 40) });
    const sent = await invitations.renew(scope, userId, await letterOf(request));
    await record(request, 'RESEND_INVITE', `${sent.invitation.email} was invited again`);
    return sent;
  }

  async function resend(request: Request) {
    // Asked first: a new link makes the one before useless, and nobody would get to know the new one.
    if (ctx.find(LettersToken)?.canSend() !== true) throw teamErrors.create('NO_MAIL_TO_RESEND');
    const { token } = await renew(request);
    return { msg: 'success', invite_token: token ?? null };
  }

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, MemberBody>({
      method: 'GET',
      path,
      permission: 'userList',
      object,
      summary: 'List the members of a project and who was invited',
      schemas: { query: listSchema },
      handle: list,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, MemberBody>({
      method: 'POST',
      path,
      permission: 'userInvite',
      object,
      summary: 'Add people by their addresses; who has no account is invited',
      schemas: { body: bodySchema },
      unknownKeys: 'refuse',
      handle: add,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, MemberBody>({
      method: 'PATCH',
      path: `${path}/:userId`,
      permission: 'projectUserUpdate',
      object,
      summary: 'Change the role of a member',
      schemas: { body: bodySchema },
      unknownKeys: 'refuse',
      handle: update,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, MemberBody>({
      method: 'DELETE',
      path: `${path}/:userId`,
      permission: 'projectUserDelete',
      object,
      summary: 'Remove a member, or take an invitation back',
      handle: remove,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, MemberBody>({
      method: 'POST',
      path: `${path}/:userId/resend-invite`,
      permission: 'projectUserInviteResend',
      object,
      summary: 'Send an invitation again, by mail',
      handle: resend,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, MemberBody>({
      method: 'POST',
      path: 'projects/:projectId/invitations/:userId/link',
      permission: 'projectUserInviteResend',
      object,
      summary: 'Make a new link of an invitation; the one before works no more',
      handle: async (request) => ({ invite_token: (await renew(request)).token ?? null }),
    }),
    defineRoute({
      method: 'POST',
      path: 'projects/:projectId/leave',
      permission: 'projectLeave',
      object,
      summary: 'Leave a project',
      async handle(request) {
        await members.leave(request.scope);
        await record(request, 'ROLES_MANAGEMENT', `${request.principal.email} left the project`);
        return { msg: 'success' };
      },
    }),
  ];
}

function isInvitation(id: string): boolean {
  return id.startsWith('in_');
}

/** @throws TrellisError `ROLE_INVALID`. */
function roleOf(value: string | undefined): ProjectRole {
  const role = projectRoles.find((of) => of === value);
  if (role === undefined) throw teamErrors.create('ROLE_INVALID');
  return role;
}

/** @param showsAccounts whether the caller may know the roles of accounts on this server. */
function memberEntity(member: Member, projectId: string, showsAccounts: boolean): MemberEntity {
  return {
    id: member.userId,
    email: member.email,
    firstname: member.firstname ?? null,
    lastname: member.lastname ?? null,
    main_roles: showsAccounts ? member.accountRoles.join(',') : '',
    project_id: projectId,
    roles: member.role,
    invite_token: null,
    created_at: wireTime(member.since),
    invited_until: null,
  };
}

function invitedEntity(invitation: Invitation, projectId: string): MemberEntity {
  return {
    id: invitation.id,
    email: invitation.email,
    firstname: null,
    lastname: null,
    main_roles: '',
    project_id: projectId,
    roles: invitation.role ?? 'viewer',
    invite_token: null,
    created_at: wireTime(invitation.createdAt),
    invited_until: wireTime(invitation.expiresAt),
  };
}
