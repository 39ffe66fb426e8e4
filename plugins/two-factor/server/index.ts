import { defineServerPlugin, RateLimiterToken, SecretsToken } from '@trellis/sdk/server';
import { factorRoutes, type FactorSettings } from './factor-routes.ts';
import { FactorStore } from './factor-store.ts';
import { migrations } from './migrations.ts';

export default defineServerPlugin<FactorSettings>({
  migrations,
  setup(ctx) {
    const factors = new FactorStore({
      db: ctx.db,
      secrets: ctx.get(SecretsToken),
      limiter: ctx.get(RateLimiterToken),
    });
    ctx.register('signInSteps', {
      id: 'two-factor',
      async isDue({ id }, way) {
        if (way === 'provider' && !ctx.settings.current.asksAfterProviders) return false;
        return ctx.settings.current.isRequired || factors.isSetUp(id);
      },
      async begin(account) {
        return (await factors.isSetUp(account.id))
          ? { kind: 'code' }
          : { kind: 'setup', ...(await factors.begin(account)) };
      },
      async finish(account, answer) {
        const textOf = (name: string, most: number) =>
          typeof answer[name] === 'string' ? answer[name].slice(0, most) : '';
        const code = textOf('code', 40);
        if (!(await factors.isSetUp(account.id)))
          return { recoveryCodes: await factors.confirm(account, code, textOf('setup', 1000)) };
        await factors.check(account, code);
        return {};
      },
    });
    ctx.tap('accounts.didDelete', async ({ accountId }) => {
      await factors.forget(accountId);
    });
    ctx.routes(...factorRoutes(ctx, factors));
  },
});
