import type { PluginUnit, ServerPluginContext } from '@trellis/sdk/server';
import type { AuthParts } from './auth-steps.ts';
import { kindsOfSessions } from './tickets.ts';

/** The tables with rows of one account each. */
const ofAccount = ['password', 'identity', 'ticket', 'verified'] as const;

/** Ends the sessions and links of accounts that were disabled or reset, and deletes the data of deleted ones. */
export function followAccounts(
  ctx: ServerPluginContext,
  { sessions, tickets, pictures }: Pick<AuthParts, 'sessions' | 'tickets' | 'pictures'>,
): void {
  async function end(accountId: string, also: (unit: PluginUnit) => Promise<void>): Promise<void> {
    await ctx.db.write(async (unit) => {
      await sessions.endAll(accountId, unit);
      await also(unit);
    });
    // Also ends sockets that were opened with a token.
    sessions.didEndAll(accountId);
  }

  const signOut = ({ accountId }: { readonly accountId: string }) =>
    end(accountId, (unit) => tickets.revoke(accountId, kindsOfSessions, unit));
  ctx.tap('accounts.didDisable', signOut);
  ctx.tap('accounts.didReset', signOut);
  ctx.tap('accounts.didDelete', async ({ accountId }) => {
    await pictures.remove(accountId);
    await end(accountId, async (unit) => {
      for (const table of ofAccount)
        await unit.run(unit.table(table).where({ account_id: accountId }).delete());
    });
  });
}
