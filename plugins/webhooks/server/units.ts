import { mostTogether } from '../shared/index.ts';
import type { WaitingDelivery } from './delivery-store.ts';

type WaitingOrTaken = Omit<WaitingDelivery, 'size'>;

/** Events that one message tells of. */
export interface Unit<Of extends WaitingOrTaken = WaitingDelivery> {
  /** The id of its first event, by which receivers know a repetition. */
  readonly id: string;
  readonly deliveries: readonly [Of, ...Of[]];
  /** Whether rows are told of as a list, be it of one. */
  readonly isBatch: boolean;
}

/**
 * Puts together what is told together: what was told together before stays so, and of a webhook that tells of many rows at once the rows of
 * one entry of the log are, up to what one message may hold.
 *
 * @param waiting the oldest first
 * @param isCut whether more waits behind: what belongs to the last unit may be there
 */
export function unitsOf(
  waiting: readonly WaitingDelivery[],
  { isBatching, isCut }: { readonly isBatching: boolean; readonly isCut: boolean },
): readonly Unit[] {
  const units: {
    id: string;
    deliveries: [WaitingDelivery, ...WaitingDelivery[]];
    isBatch: boolean;
    size: number;
  }[] = [];
  const formed = new Map<string, WaitingDelivery[]>();
  for (const delivery of waiting) {
    const { batchId, eventId } = delivery;
    const together = batchId === undefined ? undefined : formed.get(batchId);
    if (together !== undefined) {
      together.push(delivery);
      continue;
    }
    const { size } = delivery;
    const last = units.at(-1);
    if (batchId === undefined && last !== undefined && isBatching && fits(last, delivery, size)) {
      last.deliveries.push(delivery);
      last.size += size;
      continue;
    }
    const deliveries: [WaitingDelivery, ...WaitingDelivery[]] = [delivery];
    units.push({ id: batchId ?? eventId, deliveries, isBatch: isBatching || batchId !== undefined, size });
    if (batchId !== undefined) formed.set(batchId, deliveries);
  }
  return isCut && units.length > 1 ? units.slice(0, -1) : units;
}

function fits(
  unit: Pick<Unit, 'deliveries'> & { readonly size: number },
  { seq, nextAt }: WaitingDelivery,
  size: number,
): boolean {
  const [first] = unit.deliveries;
  return (
    first.batchId === undefined &&
    first.seq === seq &&
    first.nextAt === nextAt &&
    unit.deliveries.length < mostTogether.rows &&
    unit.size + size <= mostTogether.characters
  );
}

/** Only the oldest unit of a row may go: the others wait behind it. */
export function firstOfEachRow(units: readonly Unit[]): readonly Unit[] {
  const rows = new Set<string>();
  return units.filter(({ deliveries }) => {
    const isFirst = deliveries.every(({ rowKey }) => !rows.has(rowKey));
    for (const { rowKey } of deliveries) rows.add(rowKey);
    return isFirst;
  });
}
