import type { Account, AccountStore, PluginUnit } from '@trellis/sdk/server';
import type { Unit } from '../../sql/unit.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { newId } from '../../runtime/ids.ts';
import { KeptValues } from '../../metadata/kept-values.ts';
import { models } from '../../metadata/models/models.ts';
import { accountErrors } from './account-errors.ts';
import { emailKey, emailKeys, normalizeEmail } from './email.ts';

export interface AccountStoreDependencies {
  readonly metadata: Metadata;
  /** The transaction behind a plugin's unit. */
  readonly unitOf: (unit: PluginUnit) => Unit;
  readonly now?: () => number;
}

/** Accounts in `trellis_account`. Passwords and sessions belong to the sign-in plugin. */
export function createAccountStore(deps: AccountStoreDependencies): AccountStore {
  const { database, generations } = deps.metadata;
  const now = deps.now ?? Date.now;
  /** Every request reads its caller's account; the value is valid until an account changes on any server. */
  const byId = new KeptValues<Account | undefined>();
  generations.onDidChange(({ scope }) => {
    if (scope === 'accounts') byId.forget();
  });

  async function insert(unit: Unit, input: Parameters<AccountStore['create']>[0]): Promise<Account> {
    const email = normalizeEmail(input.email);
    if (email === undefined) throw accountErrors.create('INVALID_EMAIL');
    const { AccountModel, toAccount } = await models();
    // The generation's row lock serialises sign-ups, so that checking for existing accounts and inserting one are atomic.
    await generations.bump(unit, 'accounts');
    const accounts = () => AccountModel.query(unit.knex);
    const known = await accounts()
      .whereIn('email_key', [...emailKeys(email)])
      .first();
    if (known !== undefined) throw accountErrors.create('ACCOUNT_EXISTS');
    const isFirst = (await accounts().select('id').limit(1).first()) === undefined;
    const at = now();
    const row = {
      id: newId('account'),
      email,
      email_key: emailKey(email),
      firstname: input.firstname ?? null,
      lastname: input.lastname ?? null,
      roles: isFirst ? 'user,super' : input.isInvited === true ? 'user' : 'user_new',
      super_slot: isFirst ? 1 : null,
      disabled_at: null,
      created_at: at,
      updated_at: at,
    };
    await accounts().insert(row);
    return toAccount(row);
  }

  async function find(column: 'id' | 'email_key', values: readonly string[]): Promise<Account | undefined> {
    const { AccountModel, toAccount } = await models();
    const row = await database.read(async (unit) =>
      AccountModel.query(unit.knex)
        .whereIn(column, [...values])
        .first(),
    );
    return row === undefined ? undefined : toAccount(row);
  }

  return {
    byId: (id) => byId.get(id, () => find('id', [id])),
    async byEmail(text) {
      const email = normalizeEmail(text);
      return email === undefined ? undefined : find('email_key', emailKeys(email));
    },
    addressOf: normalizeEmail,
    create: (input, unit) =>
      unit === undefined
        ? database.write((own) => insert(own, input), { retry: true })
        : insert(deps.unitOf(unit), input),
    async update(id, patch) {
      const { roles, ...names } = patch;
      const { AccountModel, toAccount } = await models();
      const row = await database.write(
        async (unit) => {
          // First, as in every change of accounts: transactions that lock the same rows in different orders would deadlock.
          await generations.bump(unit, 'accounts');
          const found = () => AccountModel.query(unit.knex).findById(id);
          await found().patch({ ...names, roles: roles?.join(','), updated_at: now() });
          return found();
        },
        { retry: true },
      );
      if (row === undefined) throw accountErrors.create('ACCOUNT_UNKNOWN');
      return toAccount(row);
    },
    async count() {
      const { AccountModel } = await models();
      return database.read(async (unit) => AccountModel.query(unit.knex).resultSize());
    },
  };
}
