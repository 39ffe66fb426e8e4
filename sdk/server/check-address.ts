import { isIP } from 'node:net';
import type { ServerPluginContext } from './context.ts';
import { OutboundToken, type Outbound } from './outbound.ts';

/**
 * Makes a check that refuses an address which could never be called: its host is an IP address that is closed to this server.
 * Host names are resolved at each call, since they may change.
 *
 * @returns a function that throws TrellisError 400 `OUTBOUND_REFUSED` for the template of an address, whose host contains no
 * placeholders
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
