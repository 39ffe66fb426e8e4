import { mostTogether } from '../shared/index.ts';
import type { WaitingDelivery } from './delivery-store.ts';

type WaitingOrTaken = Omit<WaitingDelivery, 'size'>;

/** The events of one message. */
export interface Unit<Of extends WaitingOrTaken = WaitingDelivery> {
  /** The id of its first event, by which receivers recognise a repetition. */
  readonly id: string;
  readonly deliveries: readonly [Of, ...Of[]];
  /** Whether rows are sent as a list, even a single one. */
  readonly isBatch: boolean;
}

/**
 * Groups events into messages: events that were grouped before stay together; a batching webhook groups the rows of one log entry,
 * up to the limit of one message.
 *
 * @param waiting the oldest first
 * @param isCut whether more events wait, which may belong to the last unit
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

/** Only the oldest unit of a row may be sent: the others wait behind it. */
export function firstOfEachRow(units: readonly Unit[]): readonly Unit[] {
  const rows = new Set<string>();
  return units.filter(({ deliveries }) => {
    const isFirst = deliveries.every(({ rowKey }) => !rows.has(rowKey));
    for (const { rowKey } of deliveries) rows.add(rowKey);
    return isFirst;
  });
}
