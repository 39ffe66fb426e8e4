import {
  AuditLogToken,
  BusToken,
  defineRoute,
  InvitationsToken,
  LiveChannelToken,
  MembersToken,
  AccessServiceToken,
  SchemaStoreToken,
  type AccessScope,
  type AuditChange,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  auditText,
  type AuditText,
} from '@trellis/sdk/server';
import { projectRoles, type ProjectRole } from '@trellis/sdk/shared';
import {
  isCustomRoleId,
  mostRoles,
  rolesObjectKind,
  type CustomRole,
  type CustomRoleInput,
} from '../../shared/index.ts';
import { teamErrors } from '../member-errors.ts';
import { holderOf, put, type CustomRoles, type Holder, type RoleOfProject } from './custom-roles.ts';
import { customRoleChanges } from './role-changes.ts';
import { roleInput, roleSchema, type RoleBody } from './role-input.ts';

const path = 'projects/:projectId/roles';
const object = { kind: 'project', param: 'projectId' } as const;
type Request<Body = unknown> = RouteRequest<Record<string, string>, { readonly replacement?: string }, Body>;

/** The custom roles of a project. Members see the effect of theirs in the lists of projects and tables. */
export function roleRoutes(ctx: ServerPluginContext, roles: CustomRoles): readonly RouteDefinition[] {
  const members = ctx.get(MembersToken);
  const invitations = ctx.get(InvitationsToken);
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const audit = ctx.get(AuditLogToken);
  const live = ctx.get(LiveChannelToken);
  const bus = ctx.get(BusToken);
  const permissions = ctx.registry('permissions');

  async function changed(
    { scope, ip, id }: Request,
    description: AuditText,
    changes: readonly AuditChange[],
  ): Promise<void> {
    const { principal } = scope;
    const projectId = scope.projectId ?? '';
    const type = 'AUTHENTICATION';
    const subType = 'ROLES_MANAGEMENT';
    await audit.record({ type, subType, principal, ip, projectId, description, changes });
    const { generation } = await schema.snapshot(scope);
    live.publish({ kind: 'schema', projectId, generation, requestId: id });
    bus.publish('objects.changed', { projectId, objectKind: rolesObjectKind, requestId: id });
  }

  async function inputOf(
    { scope, body }: Request<RoleBody>,
    former?: RoleOfProject,
  ): Promise<CustomRoleInput> {
    const snapshot = await schema.snapshot(access.systemScope(scope.projectId, 'custom roles'));
    const input = roleInput(body, snapshot, permissions.list(), former);
    const others = (await roles.list(scope.projectId ?? '')).filter((role) => role.id !== former?.id);
    if (others.length >= mostRoles) throw teamErrors.create('TOO_MANY_ROLES', { limit: mostRoles });
    if (others.some(({ title }) => title.toLowerCase() === input.title.toLowerCase()))
      throw teamErrors.create('CUSTOM_ROLE_TITLE', { title: input.title });
    return input;
  }

  /** @throws TrellisError `CUSTOM_ROLE_NOT_FOUND`, also for a role of another project. */
  async function existing(scope: AccessScope, id: string) {
    const role = await roles.find(scope.projectId ?? '', id);
    if (role === undefined) throw teamErrors.create('CUSTOM_ROLE_NOT_FOUND');
    return role;
  }

  /** The account of a holder who is a member. */
  async function accountsIn(scope: AccessScope): Promise<(holder: Holder) => readonly string[]> {
    const here = await members.list(scope);
    const byHolder = new Map(
      here.flatMap(({ userId, email }) => [
        [userId, userId],
        [holderOf(email), userId],
      ]),
    );
    return (holder) => [byHolder.get(holder)].filter((id) => id !== undefined);
  }

  /** Whether a holder is a member or invited; the account or the invitation of others was deleted. */
  async function presentIn(scope: AccessScope): Promise<(holder: Holder) => boolean> {
    const [accountOf, invited] = await Promise.all([accountsIn(scope), invitations.list(scope)]);
    const awaited = new Set(invited.map(({ email }) => holderOf(email)));
    return (holder) => awaited.has(holder) || accountOf(holder).length > 0;
  }

  /** Changes the base role of pending invitations. */
  async function inviteAs(
    scope: AccessScope,
    given: ReadonlyMap<Holder, { readonly base: ProjectRole }>,
  ): Promise<void> {
    for (const { id, email, role } of await invitations.list(scope)) {
      const base = given.get(holderOf(email))?.base;
      if (base !== undefined && base !== role) await invitations.setRole(scope, id, base);
    }
  }

  async function listed(scope: AccessScope): Promise<readonly CustomRole[]> {
    const { projectId = '' } = scope;
    const [all, given, isPresent] = await Promise.all([
      roles.list(projectId),
      roles.byHolder(projectId),
      presentIn(scope),
    ]);
    const held = [...given].flatMap(([holder, { id }]) => (isPresent(holder) ? [id] : []));
    return all.map((role) => ({ ...role, people: held.filter((id) => id === role.id).length }));
  }

  async function answer(scope: AccessScope, id: string) {
    return (await listed(scope)).find((role) => role.id === id);
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'customRoleList',
      object,
      summary: 'List the custom roles of a project, and the permissions that they can lack',
      handle: async ({ scope }) => ({
        list: await listed(scope),
        permissions: permissions
          .list()
          .filter((of) => of.scope === 'project' && of.roles.length > 0)
          .map(({ id, label, roles: having }) => ({ id, label, roles: having })),
      }),
    }),
    defineRoute<Record<string, string>, { readonly replacement?: string }, RoleBody>({
      method: 'POST',
      path,
      permission: 'customRoleSet',
      object,
      summary: 'Make a custom role',
      schemas: { body: roleSchema },
      unknownKeys: 'refuse',
      async handle(request) {
        const { scope } = request;
        const input = await inputOf(request);
        const id = await roles.create(scope.projectId ?? '', input);
        const made = auditText('The role {{title}} was made', { title: input.title });
        await changed(request, made, customRoleChanges(undefined, input));
        return answer(scope, id);
      },
    }),
    defineRoute<Record<string, string>, { readonly replacement?: string }, RoleBody>({
      method: 'PATCH',
      path: `${path}/:roleId`,
      permission: 'customRoleSet',
      object,
      summary: 'Say anew what a custom role may do; who has it is held to that at once',
      schemas: { body: roleSchema },
      unknownKeys: 'refuse',
      async handle(request) {
        const { scope, params } = request;
        const { projectId = '' } = scope;
        const former = await existing(scope, params.roleId ?? '');
        const { id, base } = former;
        const input = await inputOf(request, former);
        const accountOf = await accountsIn(scope);
        await roles.update(
          { projectId, id, replaces: request.body.replaces },
          input,
          async (unit, holders) => {
            if (input.base !== base)
              for (const account of holders.flatMap(accountOf))
                await members.setRole(scope, account, input.base, unit);
            await access.didChangeRules(unit);
          },
        );
        if (input.base !== base) await inviteAs(scope, await roles.byHolder(projectId));
        const said = auditText('The role {{title}} was changed', { title: input.title });
        await changed(request, said, customRoleChanges(former, input));
        return answer(scope, id);
      },
    }),
    defineRoute<Record<string, string>, { readonly replacement?: string }>({
      method: 'DELETE',
      path: `${path}/:roleId`,
      permission: 'customRoleSet',
      object,
      summary: 'Delete a custom role; `replacement` is the role that its people get',
      schemas: { query: { type: 'object', properties: { replacement: { type: 'string', maxLength: 40 } } } },
      async handle(request) {
        const { scope, params, query } = request;
        const { projectId = '' } = scope;
        const role = await existing(scope, params.roleId ?? '');
        const next = await replacementOf(scope, role.id, query.replacement);
        const [accountOf, isPresent] = await Promise.all([accountsIn(scope), presentIn(scope)]);
        const replaced = new Map<Holder, { readonly base: ProjectRole }>();
        await roles.remove({ projectId, id: role.id }, async (unit, holders) => {
          const count = holders.filter(isPresent).length;
          if (count > 0 && next === undefined) throw teamErrors.create('CUSTOM_ROLE_IN_USE', { count });
          // A person being invited at this moment has not joined yet, and gets no rights by a deleted role.
          for (const holder of next === undefined ? [] : holders) {
            const base = next?.role ?? role.base;
            replaced.set(holder, { base });
            await put(unit, { projectId, holder }, next?.id);
            for (const account of accountOf(holder)) await members.setRole(scope, account, base, unit);
          }
          await access.didChangeRules(unit);
        });
        await inviteAs(scope, replaced);
        const gone = auditText('The role {{title}} was deleted', { title: role.title });
        await changed(request, gone, customRoleChanges(role, undefined));
        return { msg: 'success' };
      },
    }),
  ];

  async function replacementOf(
    scope: AccessScope,
    id: string,
    named: string | undefined,
  ): Promise<{ readonly role: ProjectRole; readonly id: string | undefined } | undefined> {
    if (named === undefined) return undefined;
    const role = projectRoles.find((of) => of === named && of !== 'owner');
    if (role !== undefined) return { role, id: undefined };
    if (!isCustomRoleId(named) || named === id) throw teamErrors.create('ROLE_INVALID');
    const other = await existing(scope, named);
    return { role: other.base, id: other.id };
  }
}
