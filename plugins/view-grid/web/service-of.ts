import type { Token } from '@trellis/sdk/shared';
import type { WebHost } from '@trellis/sdk/web';

/** A service of another plugin, or undefined while no plugin provides it: what needs it is then not offered. */
export function serviceOf<T>(host: WebHost, token: Token<T>): T | undefined {
  try {
    return host.get(token);
  } catch {
    // The host throws for a token without a provider and offers no way to ask first.
    return undefined;
  }
}
