import type { DeliveryStore } from './delivery-store.ts';
import type { Hook } from './hook-store.ts';

/** Consecutive messages, and milliseconds since the first of them, after which a receiver counts as refusing all. */
const least = 10;
const longest = 24 * 3600_000;
/** Milliseconds between two checks of one webhook. */
const betweenLooks = 60_000;

/**
 * Tells whether all recent messages of a webhook were finally refused. Single rows that cannot be sent occur among others that can.
 */
export type RefusesAll = (hook: Pick<Hook, 'id' | 'updatedAt'>) => Promise<boolean>;

export function createRefusesAll(deliveries: Pick<DeliveryStore, 'refusedSince'>): RefusesAll {
  const looked = new Map<string, number>();
  return async ({ id, updatedAt }) => {
    const now = Date.now();
    if (now - (looked.get(id) ?? -Infinity) < betweenLooks) return false;
    looked.delete(id);
    looked.set(id, now);
    for (const [other, at] of looked) {
      if (now - at < betweenLooks) break;
      looked.delete(other);
    }
    // Refusals before somebody changed or resumed it do not count for its current settings.
    const first = await deliveries.refusedSince(id, { least, after: updatedAt });
    return first !== undefined && now - first >= longest;
  };
}
