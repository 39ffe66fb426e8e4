import { AccountStoreToken, type ServerPluginContext } from '@trellis/sdk/server';
import { authErrors } from './auth-errors.ts';

/**
 * Refuses to switch off a plugin that is the only way for a super admin to sign in: nobody could switch it on again. Accounts with
 * a password, or with another provider, are not affected.
 */
export function keepWayIn(ctx: ServerPluginContext): void {
  const providers = ctx.registry('authProviders');
  const accounts = ctx.get(AccountStoreToken);

  /** The accounts that have these providers and no other way to sign in. */
  function dependents(ending: readonly string[]): Promise<readonly { readonly account_id: string }[]> {
    const others = providers.list().flatMap(({ id }) => (ending.includes(id) ? [] : [id]));
    return ctx.db.read((unit) =>
      unit.all<{ account_id: string }>(
        unit
          .table('identity')
          .whereIn('provider', [...ending])
          .whereNotIn('account_id', unit.table('password').select('account_id'))
          .whereNotIn(
            'account_id',
            unit
              .table('identity')
              .whereIn('provider', [...others])
              .select('account_id'),
          )
          .distinct('account_id'),
      ),
    );
  }

  ctx.tap('plugins.willDisable', async ({ id }) => {
    const ending = providers.entries().flatMap(({ item, owner }) => (owner === id ? [item.id] : []));
    if (ending.length === 0) return undefined;
    for (const { account_id } of await dependents(ending)) {
      const account = await accounts.byId(account_id);
      if (account?.roles.includes('super') === true && !account.isDisabled)
        throw authErrors.create('LAST_WAY_IN', { email: account.email });
    }
    return undefined;
  });
}
