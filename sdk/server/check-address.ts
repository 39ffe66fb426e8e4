import { isIP } from 'node:net';
import type { ServerPluginContext } from './context.ts';
import { OutboundToken, type Outbound } from './outbound.ts';

/**
 * Makes what refuses an address that could never be called, because it stands for itself and is closed to this server. What a name stands for
 * is asked with each call, since it may change.
 *
 * @returns throws TrellisError 400 `OUTBOUND_REFUSED` for the template of an address, whose host holds no placeholders
 * @public
 */
export function createCheckAddress(
  ctx: Pick<ServerPluginContext, 'get'>,
  purpose: Parameters<Outbound['resolve']>[2]['purpose'],
): (template: string) => Promise<void> {
  const outbound = ctx.get(OutboundToken);
  return async (template) => {
    const { hostname, port, protocol } = new URL(template.trim().replaceAll(/\{\{.*?\}\}/gs, 'x'));
    const host = hostname.replaceAll(/[[\]]/g, '');
    if (isIP(host) === 0 && host !== 'localhost') return;
    await outbound.resolve(host, Number(port || (protocol === 'https:' ? 443 : 80)), { purpose });
  };
}
