import { AutomationsToken, defineServerPlugin, SecretsToken, SignedChains } from '@trellis/sdk/server';
import { addressCalled } from '../shared/index.ts';
import { addressErrors } from './address-errors.ts';
import { addressRoutes } from './address-routes.ts';
import { Addresses } from './addresses.ts';

export default defineServerPlugin({
  setup(ctx) {
    const addresses = new Addresses(ctx.get(SecretsToken), ctx.kv);
    ctx.register('automationTriggers', {
      ...addressCalled,
      copy: (settings, projectId) => ({ ...settings, address: addresses.create(projectId) }),
      check({ address }, { project }) {
        if (typeof address !== 'string' || !addresses.isOf(address, project.id))
          throw addressErrors.create('ADDRESS_FORMAT');
      },
    });
    const automations = ctx.get(AutomationsToken);
    const chains = new SignedChains(ctx.get(SecretsToken));
    ctx.register('jobs', {
      id: 'automation-addresses.sweep',
      every: 3600,
      run: () =>
        addresses.forgetAllBut(async () =>
          [
            ...(await automations.list(addressCalled.id)),
            ...(await automations.listOff(addressCalled.id)),
          ].map(({ settings }) => String(settings.address)),
        ),
    });
    ctx.routes(...addressRoutes(ctx, { addresses, automations, chains }));
  },
});
