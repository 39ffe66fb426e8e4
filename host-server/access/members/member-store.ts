import { defineErrors } from '@trellis/core';
import type { AccessScope, Members, PluginUnit } from '@trellis/sdk/server';
import { isWithinRole, projectRoles, type ProjectRole } from '@trellis/sdk/shared';
import type { Metadata } from '../../metadata/metadata.ts';
import { models } from '../../metadata/models/models.ts';
import { rolesOfAccount } from '../../metadata/models/account-roles.ts';
import { projectErrors } from '../../metadata/project-errors.ts';
import type { Unit } from '../../sql/unit.ts';
import type { ViewHeirs } from './view-heirs.ts';

const memberErrors = defineErrors({
  ROLE_ABOVE_OWN: {
    status: 403,
    message: 'Insufficient privilege: nobody gives or takes a role above the own.',
  },
  LAST_OWNER: { status: 400, message: 'A project needs an owner: make somebody else an owner first.' },
  OWNER_THERE: {
    status: 400,
    message: 'The project has an owner who can sign in: {email}. They hand it over themselves.',
  },
  MEMBER_UNKNOWN: { status: 400, message: "User with id '{id}' doesn't exist" },
  MEMBER_EXISTS: { status: 400, message: '{email} with role {role} already exists in this project' },
});

export interface MemberStoreDependencies {
  readonly metadata: Metadata;
  readonly heirs: Pick<ViewHeirs, 'passOn'>;
  /** The transaction behind a plugin's unit. */
  readonly unitOf: (unit: PluginUnit) => Unit;
}

/** See `Members`. */
export function createMemberStore({ metadata, heirs, unitOf }: MemberStoreDependencies): Members {
  const { database, generations } = metadata;

  /** Changes the members of a project. Changes of one project run one at a time. */
  async function change(
    scope: AccessScope,
    work: (unit: Unit, members: ReadonlyMap<string, ProjectRole>, projectId: string) => Promise<void>,
    within?: PluginUnit,
  ): Promise<void> {
    await changeIn(projectOf(scope), work, within);
  }

  async function changeIn(
    projectId: string,
    work: (unit: Unit, members: ReadonlyMap<string, ProjectRole>, projectId: string) => Promise<void>,
    within?: PluginUnit,
  ): Promise<void> {
    const { GrantModel } = await models();
    const run = async (unit: Unit): Promise<void> => {
      // The row lock of the generation makes changes take turns, so that what is checked below still holds when it is written.
      await generations.bump(unit, 'access');
      const rows = await GrantModel.query(unit.knex).where({ project_id: projectId });
      await work(unit, new Map(rows.map((row) => [row.account_id, row.role])), projectId);
    };
    await (within === undefined ? database.write(run, { retry: true }) : run(unitOf(within)));
  }

  /** Ends a membership or gives it another role; undefined ends it. */
  async function put(
    scope: AccessScope,
    userId: string,
    role: ProjectRole | undefined,
    within?: PluginUnit,
  ): Promise<void> {
    const { GrantModel } = await models();
    const write: Parameters<typeof change>[1] = async (unit, members, projectId) => {
      const former = members.get(userId);
      if (former === undefined) throw memberErrors.create('MEMBER_UNKNOWN', { id: userId.slice(0, 40) });
      const isOwn = userId === scope.principal.id && role === undefined;
      if (!isOwn) assertMayGive(scope, former);
      if (former === 'owner' && role !== 'owner' && ownersOf(members) === 1)
        throw memberErrors.create('LAST_OWNER');
      const grant = GrantModel.query(unit.knex).findById([projectId, userId]);
      await (role === undefined ? grant.delete() : grant.patch({ role }));
      if (role === undefined)
        await heirs.passOn(unit, { accountId: userId, projectId, by: scope.principal.id });
    };
    await change(scope, write, within);
  }

  return {
    async list(scope) {
      scope.require('userList');
      const rows = await database.read((unit) =>
        unit.all<MemberRow>(
          unit
            .knex('trellis_grant as membership')
            .join('trellis_account as account', 'account.id', 'membership.account_id')
            .where('membership.project_id', projectOf(scope))
            .select('account.id', 'account.email', 'account.firstname', 'account.lastname')
            .select('account.roles', 'account.disabled_at', 'membership.role', 'membership.created_at'),
        ),
      );
      return rows
        .map(({ id, email, firstname, lastname, roles, disabled_at, role, created_at }) => ({
          userId: id,
          email,
          firstname: firstname ?? undefined,
          lastname: lastname ?? undefined,
          role,
          accountRoles: rolesOfAccount(roles),
          isDisabled: disabled_at !== null,
          since: Number(created_at),
        }))
        .toSorted((left, right) => left.email.localeCompare(right.email, 'en'));
    },
    givable(scope) {
      scope.require('userInvite');
      const own = roleOf(scope);
      return projectRoles.filter((role) => own !== undefined && isWithinRole(role, own));
    },
    async add(scope, userId, role, within) {
      scope.require('userInvite');
      assertMayGive(scope, role);
      const { AccountModel, GrantModel } = await models();
      const insert = async (
        unit: Unit,
        members: ReadonlyMap<string, ProjectRole>,
        projectId: string,
      ): Promise<void> => {
        const account = await AccountModel.query(unit.knex).findById(userId);
        if (account === undefined) throw memberErrors.create('MEMBER_UNKNOWN', { id: userId.slice(0, 40) });
        const former = members.get(userId);
        if (former !== undefined)
          throw memberErrors.create('MEMBER_EXISTS', { email: account.email, role: former });
        const at = Date.now();
        await GrantModel.query(unit.knex).insert({
          project_id: projectId,
          account_id: userId,
          role,
          created_at: at,
        });
        await makeFull(unit, account);
      };
      await change(scope, insert, within);
    },
    async setRole(scope, userId, role, within) {
      scope.require('projectUserUpdate');
      assertMayGive(scope, role);
      await put(scope, userId, role, within);
    },
    async remove(scope, userId) {
      scope.require('projectUserDelete');
      await put(scope, userId, undefined);
    },
    async leave(scope) {
      scope.require('projectLeave');
      const { kind, id } = scope.principal;
      await put(scope, kind === 'user' ? id : '', undefined);
    },
    async owned(scope) {
      scope.require('projectRescue');
      const { projects, owners } = await database.read(async (unit) => ({
        projects: await unit.all<ProjectRow>(
          unit.knex('trellis_project').whereNull('deleted_at').select('id', 'title', 'created_at'),
        ),
        owners: await unit.all<OwnerRow>(ownersIn(unit)),
      }));
      const ownersOf = new Map(projects.map(({ id }) => [id, [] as OwnerRow[]]));
      for (const owner of owners) ownersOf.get(owner.project_id)?.push(owner);
      const { compare } = new Intl.Collator('en', { numeric: true });
      return projects
        .map(({ id, title, created_at: createdAt }) => ({
          id,
          title,
          createdAt: Number(createdAt),
          owners: (ownersOf.get(id) ?? []).map(toOwner),
        }))
        .toSorted((left, right) => compare(left.title, right.title));
    },
    async rescue(scope, projectId, userId, within) {
      scope.require('projectRescue');
      const { AccountModel, GrantModel, ProjectModel } = await models();
      await changeIn(
        projectId,
        async (unit, members) => {
          const project = await ProjectModel.query(unit.knex).findById(projectId).whereNull('deleted_at');
          if (project === undefined) throw projectErrors.create('PROJECT_NOT_FOUND');
          const owners = await unit.all<OwnerRow>(ownersIn(unit).where('membership.project_id', projectId));
          const there = owners.map(toOwner).find(({ isDisabled }) => !isDisabled);
          if (there !== undefined) throw memberErrors.create('OWNER_THERE', { email: there.email });
          const account = await AccountModel.query(unit.knex).findById(userId).whereNull('disabled_at');
          if (account === undefined) throw memberErrors.create('MEMBER_UNKNOWN', { id: userId.slice(0, 40) });
          const grant = { project_id: projectId, account_id: userId, role: 'owner' as const };
          await (members.has(userId)
            ? GrantModel.query(unit.knex).findById([projectId, userId]).patch({ role: 'owner' })
            : GrantModel.query(unit.knex).insert({ ...grant, created_at: Date.now() }));
          await makeFull(unit, account);
        },
        within,
      );
    },
  };

  /** Whoever is in a project may make projects as well. */
  async function makeFull(
    unit: Unit,
    { id, roles }: { readonly id: string; readonly roles: string },
  ): Promise<void> {
    if (roles !== 'user_new') return;
    const { AccountModel } = await models();
    await generations.bump(unit, 'accounts');
    await AccountModel.query(unit.knex).findById(id).patch({ roles: 'user', updated_at: Date.now() });
  }
}

interface ProjectRow {
  readonly id: string;
  readonly title: string;
  readonly created_at: number | string;
}

interface OwnerRow {
  readonly project_id: string;
  readonly id: string;
  readonly email: string;
  readonly disabled_at: number | string | null;
}

function ownersIn({ knex }: Unit) {
  return knex('trellis_grant as membership')
    .join('trellis_account as account', 'account.id', 'membership.account_id')
    .where('membership.role', 'owner')
    .orderBy('account.email')
    .select('membership.project_id', 'account.id', 'account.email', 'account.disabled_at');
}

function toOwner({ id, email, disabled_at: disabledAt }: OwnerRow) {
  return { userId: id, email, isDisabled: disabledAt !== null };
}

interface MemberRow {
  readonly id: string;
  readonly email: string;
  readonly firstname: string | null;
  readonly lastname: string | null;
  readonly roles: string;
  readonly disabled_at: number | string | null;
  readonly role: ProjectRole;
  readonly created_at: number | string;
}

function projectOf({ projectId }: AccessScope): string {
  if (projectId === undefined) throw new Error('Members are asked for with the scope of their project.');
  return projectId;
}

function roleOf({ roles }: AccessScope): ProjectRole | undefined {
  return projectRoles.find((role) => roles.includes(role));
}

/** @throws TrellisError `ROLE_ABOVE_OWN`. */
function assertMayGive(scope: AccessScope, role: ProjectRole): void {
  const own = roleOf(scope);
  if (own === undefined || !isWithinRole(role, own)) throw memberErrors.create('ROLE_ABOVE_OWN');
}

function ownersOf(members: ReadonlyMap<string, ProjectRole>): number {
  return [...members.values()].filter((role) => role === 'owner').length;
}
