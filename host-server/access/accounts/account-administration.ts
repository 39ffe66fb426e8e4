import type { HookRegistry } from '@trellis/core';
import type { Account, AccessScope, AccountAdministration, ServerHooks } from '@trellis/sdk/server';
import type { QueryBuilder } from 'objection';
import { likePattern } from '../../dialects/functions/default.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import type { AccountModel } from '../../metadata/models/account-model.ts';
import { models } from '../../metadata/models/models.ts';
import { joined, sql, text, toRaw } from '../../sql/fragment.ts';
import type { Unit } from '../../sql/unit.ts';
import type { ViewHeirs } from '../members/view-heirs.ts';
import { accountErrors } from './account-errors.ts';

export interface AccountAdministrationDependencies {
  readonly metadata: Metadata;
  readonly heirs: Pick<ViewHeirs, 'passOn'>;
  readonly hooks: Pick<HookRegistry<ServerHooks>, 'tell'>;
}

/** Where the words of a search are looked for. */
const searched = ['email', 'firstname', 'lastname'].map(text);
/** A search has few words; more would only cost time. */
const mostWords = 8;

/** See `AccountAdministration`. */
export function createAccountAdministration({
  metadata: { database, generations },
  heirs,
  hooks,
}: AccountAdministrationDependencies): AccountAdministration {
  const { like } = database.dialect.functions;

  /** Changes somebody else's account. Such changes run one at a time. */
  async function change(
    scope: AccessScope,
    accountId: string,
    work: (unit: Unit, former: AccountModel) => Promise<void>,
  ): Promise<Account> {
    if (accountId === scope.principal.id) throw accountErrors.create('ACCOUNT_OWN');
    const { AccountModel, toAccount } = await models();
    return database.write(
      async (unit) => {
        // Row locks of the generations make changes take turns, so that what is checked below still holds when it is written.
        await generations.bump(unit, 'access');
        await generations.bump(unit, 'accounts');
        const former = await AccountModel.query(unit.knex).findById(accountId);
        if (former === undefined) throw accountErrors.create('ACCOUNT_UNKNOWN');
        await work(unit, former);
        return toAccount((await AccountModel.query(unit.knex).findById(accountId)) ?? former);
      },
      { retry: true },
    );
  }

  async function patch(
    scope: AccessScope,
    accountId: string,
    to: Partial<Pick<AccountModel, 'roles' | 'disabled_at'>>,
  ): Promise<Account> {
    scope.require('accountUpdate');
    const { AccountModel } = await models();
    return change(scope, accountId, async (unit) => {
      await AccountModel.query(unit.knex)
        .findById(accountId)
        .patch({ ...to, updated_at: Date.now() });
      await assertAdministered(unit);
    });
  }

  /** Narrows a query to the accounts that are searched for. */
  function narrow(query: QueryBuilder<AccountModel>, unit: Unit, search: string): void {
    for (const word of search.split(/\s+/).filter(Boolean).slice(0, mostWords)) {
      const matches = searched.map((column) => like(column, likePattern('contains', word)));
      void query.where(toRaw(unit.knex, sql`(${joined(matches, ' or ')})`));
    }
  }

  return {
    async list(scope, { search = '', limit, offset }) {
      scope.require('accountList');
      const { AccountModel, toAccount } = await models();
      return database.read(async (unit) => {
        const query = AccountModel.query(unit.knex);
        narrow(query, unit, search);
        const total = await query.clone().resultSize();
        const rows = await query.orderBy('email').limit(limit).offset(offset);
        return { list: rows.map(toAccount), total };
      });
    },
    async read(scope, accountId) {
      scope.require('accountList');
      const { AccountModel, toAccount } = await models();
      const row = await database.read(async (unit) => AccountModel.query(unit.knex).findById(accountId));
      if (row === undefined) throw accountErrors.create('ACCOUNT_UNKNOWN');
      return toAccount(row);
    },
    async disable(scope, accountId) {
      const account = await patch(scope, accountId, { disabled_at: Date.now() });
      await hooks.tell('accounts.didDisable', { accountId });
      return account;
    },
    enable: (scope, accountId) => patch(scope, accountId, { disabled_at: null }),
    promote: (scope, accountId) => patch(scope, accountId, { roles: 'user,super' }),
    demote: (scope, accountId) => patch(scope, accountId, { roles: 'user' }),
    async endSessions(scope, accountId) {
      scope.require('accountUpdate');
      const account = await change(scope, accountId, async () => undefined);
      await hooks.tell('accounts.didReset', { accountId });
      return account;
    },
    async remove(scope, accountId) {
      scope.require('accountDelete');
      const { AccountModel, GrantModel } = await models();
      const account = await change(scope, accountId, async (unit, { email }) => {
        const alone = await ownedAlone(unit, accountId);
        if (alone.length > 0) throw accountErrors.create('ONLY_OWNER', { email, projects: alone.join(', ') });
        await GrantModel.query(unit.knex).where({ account_id: accountId }).delete();
        await heirs.passOn(unit, { accountId, by: scope.principal.id });
        await unit.run(unit.knex('trellis_user_storage').where({ account_id: accountId }).delete());
        await AccountModel.query(unit.knex).deleteById(accountId);
        await assertAdministered(unit);
      });
      await hooks.tell('accounts.didDelete', { accountId });
      return account;
    },
  };
}

/** @throws TrellisError `LAST_SUPER_ADMIN` where no super admin could sign in any more. */
async function assertAdministered(unit: Unit): Promise<void> {
  const { AccountModel, toAccount } = await models();
  const rows = await AccountModel.query(unit.knex).whereNull('disabled_at').where('roles', 'like', '%super%');
  if (!rows.some((row) => toAccount(row).roles.includes('super')))
    throw accountErrors.create('LAST_SUPER_ADMIN');
}

/** The titles of the projects that would be without an owner. */
async function ownedAlone(unit: Unit, accountId: string): Promise<readonly string[]> {
  const ownersOf = (alias: string) => unit.knex(`trellis_grant as ${alias}`).where(`${alias}.role`, 'owner');
  const rows = await unit.all<{ title: string }>(
    ownersOf('own')
      .join('trellis_project as project', 'project.id', 'own.project_id')
      .where('own.account_id', accountId)
      .whereNotIn(
        'own.project_id',
        ownersOf('other').whereNot('other.account_id', accountId).select('other.project_id'),
      )
      .orderBy('project.title')
      .select('project.title'),
  );
  return rows.map(({ title }) => title);
}
