import { createCheckAddress, type ServerPluginContext } from '@trellis/sdk/server';
import type { HookNotification } from '../shared/index.ts';

/** Refuses a webhook whose address this server must not call. @throws TrellisError 400 `OUTBOUND_REFUSED` */
export function createCheckTarget(ctx: ServerPluginContext) {
  const checkAddress = createCheckAddress(ctx, 'webhook');
  return async ({ type, payload }: HookNotification): Promise<void> => {
    if (type === 'URL') await checkAddress(String(payload.path));
  };
}
