import type { PluginUnit, ServerPluginContext } from '@trellis/sdk/server';
import type { AuthParts } from './auth-steps.ts';
import { resetKinds } from './tickets.ts';

/** The tables with rows of one account each. */
const ofAccount = ['password', 'identity', 'ticket', 'verified'] as const;

/** Ends the sessions and links of accounts that were disabled, and forgets those that were deleted. */
export function followAccounts(
  ctx: ServerPluginContext,
  { sessions, tickets }: Pick<AuthParts, 'sessions' | 'tickets'>,
): void {
  async function end(accountId: string, also: (unit: PluginUnit) => Promise<void>): Promise<void> {
    await ctx.db.write(async (unit) => {
      await sessions.endAll(accountId, unit);
      await also(unit);
    });
    // Sockets that came with a token end here too.
    sessions.didEndAll(accountId);
  }

  ctx.tap('accounts.didDisable', ({ accountId }) =>
    end(accountId, (unit) => tickets.revoke(accountId, resetKinds, unit)),
  );
  ctx.tap('accounts.didDelete', ({ accountId }) =>
    end(accountId, async (unit) => {
      for (const table of ofAccount)
        await unit.run(unit.table(table).where({ account_id: accountId }).delete());
    }),
  );
}
