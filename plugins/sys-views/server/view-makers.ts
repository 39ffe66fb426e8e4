import { AccountStoreToken, type ServerPluginContext } from '@trellis/sdk/server';

/** Adds the author to views for members: a name, or else the part of the address before the @; and whether it is the caller. */
export function tellMakers(ctx: ServerPluginContext): void {
  const accounts = ctx.get(AccountStoreToken);

  async function nameOf(accountId: string): Promise<string | undefined> {
    const account = await accounts.byId(accountId);
    if (account === undefined) return undefined;
    const name = [account.firstname, account.lastname].filter(Boolean).join(' ').trim();
    return name || account.email.split('@')[0];
  }

  ctx.tap('views.willTell', async (views, { scope, table }) => {
    // Visitors of a link learn of no people.
    if (scope.principal.kind !== 'user' && scope.principal.kind !== 'token') return views;
    const makers = new Map(table.views.map(({ id, madeBy }) => [id, madeBy]));
    const names = new Map<string, string | undefined>();
    for (const id of new Set(makers.values())) if (id !== undefined) names.set(id, await nameOf(id));
    return views.map((view) => {
      const maker = makers.get(view.id);
      return { ...view, made_by: names.get(maker ?? '') ?? null, made_by_me: maker === scope.principal.id };
    });
  });
}
