import type { TemplateValues } from '@trellis/sdk/shared';
import type { Delivery } from './delivery-store.ts';
import { rowsOfSet } from './set-change.ts';
import type { Unit } from './units.ts';

/** The values for templates, for one message: one row, or the rows of a batch as lists in the order of their events. */
export function tellOf({
  id,
  deliveries,
  isBatch,
}: Pick<Unit<Delivery>, 'id' | 'deliveries' | 'isBatch'>): TemplateValues {
  const [{ payload: first }] = deliveries;
  // The message of a set of rows is already complete.
  if (!isBatch || rowsOfSet(first) !== undefined) return { ...first, row: first.data };
  const payloads = deliveries.map(({ payload }) => payload);
  const last = deliveries.at(-1) ?? deliveries[0];
  const data = payloads.map((payload) => payload.data);
  return {
    ...first,
    data,
    row: data,
    previous: first.previous === null ? null : payloads.map(({ previous }) => previous),
    event: {
      ...(first.event as Readonly<Record<string, unknown>>),
      id,
      row: undefined,
      rows: deliveries.map(({ rowKey }) => rowKey),
      count: deliveries.length,
      sequence: last.seq,
    },
  };
}
