import {
  AuditLogToken,
  BusToken,
  defineRoute,
  InvitationsToken,
  LettersToken,
  MembersToken,
  ProfilePicturesToken,
  pageOf,
  SchemaStoreToken,
  type AccessScope,
  type Invitation,
  type InvitationLetter,
  type Member,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  auditText,
  type AuditText,
} from '@trellis/sdk/server';
import { projectRoles, wireTime, type JsonSchema, type ProjectRole } from '@trellis/sdk/shared';
import { teamObjectKind, type CustomRole, type MemberEntity, type MemberList } from '../shared/index.ts';
import { createAddPeople } from './add-people.ts';
import { teamErrors } from './member-errors.ts';
import { holderOf, type CustomRoles, type Holder, type Somebody } from './roles/custom-roles.ts';
import { roleChanges } from './roles/role-changes.ts';

interface MemberBody {
  readonly email?: string;
  readonly roles?: string;
  readonly project_id?: string;
  /** The id of a custom role, which determines its role of the v1 API; without it the member has no custom role any more. */
  readonly custom_role?: string | null;
}

interface HandOverBody {
  readonly user_id: string;
}

const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
const bodySchema: JsonSchema = {
  type: 'object',
  properties: {
    email: text(40_000),
    roles: text(20),
    project_id: text(40),
    projectName: text(200),
    custom_role: { type: ['string', 'null'], maxLength: 40 },
  },
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
export function memberRoutes(ctx: ServerPluginContext, customRoles: CustomRoles): readonly RouteDefinition[] {
  const members = ctx.get(MembersToken);
  const invitations = ctx.get(InvitationsToken);
  const schema = ctx.get(SchemaStoreToken);
  const audit = ctx.get(AuditLogToken);
  const bus = ctx.get(BusToken);
  const addPeople = createAddPeople(ctx, customRoles);

  async function letterOf({ scope, headers }: Pick<Request, 'scope' | 'headers'>): Promise<InvitationLetter> {
    const { project } = await schema.snapshot(scope);
    return { languages: headers['accept-language'], projectTitle: project.title };
  }

  function record(
    { scope, ip }: Pick<Request, 'scope' | 'ip'>,
    subType: string,
    description: AuditText,
    role: { readonly from?: string; readonly to?: string } = {},
  ) {
    const { principal, projectId } = scope;
    const changes = roleChanges(role);
    return audit.record({ type: 'AUTHENTICATION', subType, principal, ip, projectId, description, changes });
  }

  function didChangeInvitation({ projectId = '', requestId }: AccessScope): void {
    bus.publish('objects.changed', { projectId, objectKind: teamObjectKind, requestId });
  }

  async function list({ scope, query }: Request): Promise<MemberList> {
    const projectId = scope.projectId ?? '';
    const showsAccounts = scope.principal.accountRoles.includes('super');
    const [here, invited, custom] = await Promise.all([
      members.list(scope),
      invitations.list(scope),
      customRoles.byHolder(projectId),
    ]);
    const wanted = typeof query.query === 'string' ? query.query.trim().toLowerCase() : '';
    const all = [
      ...here.map((member) => memberEntity(member, { projectId, showsAccounts, custom })),
      ...invited.map((invitation) => invitedEntity(invitation, { projectId, custom })),
    ];
    const found = all.filter(({ email, firstname, lastname }) =>
      `${email} ${firstname ?? ''} ${lastname ?? ''}`.toLowerCase().includes(wanted),
    );
    const page = pageOf(found, query);
    const pictures = await ctx.find(ProfilePicturesToken)?.addresses(page.list.map(({ id }) => id));
    const shown = page.list.map((entity) => ({ ...entity, picture: pictures?.get(entity.id) ?? null }));
    return { users: { ...page, list: shown } };
  }

  async function add(request: Request) {
    const { email = '', roles, custom_role } = request.body;
    const custom = await customRoleOf(request.scope, custom_role);
    const role = custom?.base ?? roleOf(roles ?? 'editor');
    // Nobody can be invited as an owner: an owner can only make a member one.
    if (role === 'owner') throw teamErrors.create('ROLE_INVALID');
    const answer = await addPeople(request, { emails: email, role, custom, letter: await letterOf(request) });
    if (answer.people.some(({ outcome }) => outcome !== 'added')) didChangeInvitation(request.scope);
    return answer;
  }

  async function update(request: Request) {
    const { scope, params, body } = request;
    const { userId = '' } = params;
    if (body.project_id !== scope.projectId) throw teamErrors.create('PROJECT_ID_MISSING');
    const custom = await customRoleOf(scope, body.custom_role);
    const role = custom?.base ?? roleOf(body.roles);
    const person = await personOf(scope, userId);
    if (isInvitation(userId))
      await customRoles.assignAround(person, custom?.id, () => invitations.setRole(scope, userId, role));
    else await customRoles.assign(person, custom?.id, (unit) => members.setRole(scope, userId, role, unit));
    if (isInvitation(userId)) didChangeInvitation(scope);
    const name = person.email || userId;
    await record(
      request,
      'ROLES_MANAGEMENT',
      auditText('The role of {{person}} is {{role}} now', { person: name, role: custom?.title ?? role }),
      { from: person.role, to: custom?.title ?? role },
    );
    return { msg: 'User details updated successfully' };
  }

  /** @throws TrellisError `CUSTOM_ROLE_NOT_FOUND`, also for a role of another project. */
  async function customRoleOf({ projectId = '' }: AccessScope, id: string | null | undefined) {
    if (id === undefined || id === null) return undefined;
    const role = await customRoles.find(projectId, id);
    if (role === undefined) throw teamErrors.create('CUSTOM_ROLE_NOT_FOUND');
    return role;
  }

  async function remove(request: Request) {
    const { scope, params } = request;
    const { userId = '' } = params;
    if (userId === scope.principal.id) throw teamErrors.create('CANNOT_DELETE_SELF');
    const person = await personOf(scope, userId);
    const held = await customRoles.held(person);
    await (isInvitation(userId) ? invitations.remove(scope, userId) : members.remove(scope, userId));
    // A person who returns later does so without the custom role.
    await customRoles.release(person, held);
    if (isInvitation(userId)) didChangeInvitation(scope);
    await record(
      request,
      'ROLES_MANAGEMENT',
      auditText('{{person}} was removed', { person: person.email || userId }),
      { from: person.role },
    );
    return { msg: 'success' };
  }

  /** A member or an invited person; without an address for an unknown id. */
  async function personOf(
    scope: AccessScope,
    id: string,
  ): Promise<Somebody & { readonly role?: string; readonly isDisabled?: boolean }> {
    const { projectId = '' } = scope;
    const custom = await customRoles.byHolder(projectId);
    if (isInvitation(id)) {
      const invited = (await invitations.list(scope)).find((invitation) => invitation.id === id);
      const email = invited?.email ?? '';
      return { projectId, email, role: custom.get(holderOf(email))?.title ?? invited?.role };
    }
    const member = (await members.list(scope)).find(({ userId }) => userId === id);
    const role = custom.get(id)?.title ?? member?.role;
    return { projectId, accountId: id, email: member?.email ?? '', role, isDisabled: member?.isDisabled };
  }

  async function renew(request: Request) {
    const { scope, params } = request;
    const { userId = '' } = params;
    if (!isInvitation(userId)) throw teamErrors.create('NOT_INVITED', { id: userId.slice(0, 40) });
    const sent = await invitations.renew(scope, userId, await letterOf(request));
    didChangeInvitation(scope);
    await record(
      request,
      'RESEND_INVITE',
      auditText('{{person}} was invited again', { person: sent.invitation.email }),
    );
    return sent;
  }

  async function resend(request: Request) {
    // Checked first: a new link replaces the former one, and nobody would receive it.
    if (ctx.find(LettersToken)?.canSend() !== true) throw teamErrors.create('NO_MAIL_TO_RESEND');
    const { token } = await renew(request);
    return { msg: 'success', invite_token: token ?? null };
  }

  async function handOver(request: RouteRequest<Record<string, string>, object, HandOverBody>) {
    const { scope, body, principal } = request;
    const isOwner = principal.kind === 'user' && scope.roles.includes('owner');
    if (!isOwner) throw teamErrors.create('HAND_OVER_OWNER');
    if (body.user_id === principal.id) throw teamErrors.create('HAND_OVER_SELF');
    const person = await personOf(scope, body.user_id);
    if (person.isDisabled === true) throw teamErrors.create('HAND_OVER_DISABLED', { email: person.email });
    // In one transaction, so that the project always has an owner without a custom role.
    await customRoles.assign(person, undefined, async (unit) => {
      await members.setRole(scope, body.user_id, 'owner', unit);
      await members.setRole(scope, principal.id, 'creator', unit);
    });
    await record(
      request,
      'ROLES_MANAGEMENT',
      auditText('{{owner}} handed the project over to {{person}}', {
        owner: principal.email,
        person: person.email,
      }),
      { from: person.role, to: 'owner' },
    );
    return { msg: 'success' };
  }

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, HandOverBody>({
      method: 'POST',
      path: 'projects/:projectId/hand-over',
      permission: 'projectUserUpdate',
      object,
      summary: 'Make a member the owner of a project in place of its owner, who stays as a creator',
      schemas: {
        body: { type: 'object', required: ['user_id'], properties: { user_id: text(40) } },
      },
      unknownKeys: 'refuse',
      handle: handOver,
    }),
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
        const { id: accountId, email } = request.principal;
        const person = { projectId: request.scope.projectId ?? '', accountId, email };
        const held = await customRoles.held(person);
        await members.leave(request.scope);
        await customRoles.release(person, held);
        await record(
          request,
          'ROLES_MANAGEMENT',
          auditText('{{person}} left the project', { person: request.principal.email }),
        );
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

interface Shown {
  readonly projectId: string;
  /** Whether the caller may see the roles of accounts on this server. */
  readonly showsAccounts: boolean;
  readonly custom: ReadonlyMap<Holder, Pick<CustomRole, 'id' | 'title'>>;
}

function memberEntity(member: Member, { projectId, showsAccounts, custom }: Shown): MemberEntity {
  return {
    id: member.userId,
    email: member.email,
    firstname: member.firstname ?? null,
    lastname: member.lastname ?? null,
    picture: null,
    main_roles: showsAccounts ? member.accountRoles.join(',') : '',
    project_id: projectId,
    roles: member.role,
    custom_role: shownRole(custom.get(member.userId) ?? custom.get(holderOf(member.email))),
    disabled: member.isDisabled,
    invite_token: null,
    created_at: wireTime(member.since),
    invited_until: null,
  };
}

function shownRole(role: Pick<CustomRole, 'id' | 'title'> | undefined): MemberEntity['custom_role'] {
  return role === undefined ? null : { id: role.id, title: role.title };
}

function invitedEntity(
  invitation: Invitation,
  { projectId, custom }: Omit<Shown, 'showsAccounts'>,
): MemberEntity {
  return {
    id: invitation.id,
    email: invitation.email,
    firstname: null,
    lastname: null,
    picture: null,
    main_roles: '',
    project_id: projectId,
    roles: invitation.role ?? 'viewer',
    custom_role: shownRole(custom.get(holderOf(invitation.email))),
    disabled: false,
    invite_token: null,
    created_at: wireTime(invitation.createdAt),
    invited_until: wireTime(invitation.expiresAt),
  };
}
