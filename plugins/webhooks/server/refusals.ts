import type { DeliveryStore } from './delivery-store.ts';
import type { Hook } from './hook-store.ts';

/** Messages in a row, and milliseconds since the first of them, after which a receiver is taken to refuse all. */
const least = 10;
const longest = 24 * 3600_000;
/** Milliseconds between two looks at one webhook. */
const betweenLooks = 60_000;

/** Says whether all that a webhook sent lately was refused for good. Rows that cannot be told of come among others that can. */
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
    // What was refused before somebody changed it or let it go on says nothing of it as it is.
    const first = await deliveries.refusedSince(id, { least, after: updatedAt });
    return first !== undefined && now - first >= longest;
  };
}
