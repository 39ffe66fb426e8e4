import type { RowKey } from '@trellis/sdk/shared';
import { messageOfError, type HostActions } from '@trellis/sdk/web';
import type { RowData, RowPlace, RowsClient, RowWindow } from '@trellis/sdk/web/rows';
import type { Stack } from './stack-list.ts';

/** The moved cards in order, and their target. */
export interface CardsMove {
  readonly cards: readonly RowData[];
  readonly to: Stack;
  /** An index among the shown cards, including the moved ones. */
  readonly index: number;
}

interface MovesOf {
  readonly isArranged: boolean;
  readonly host: Pick<HostActions, 't' | 'toast'>;
}

/**
 * Moves cards, at once on the screen and in one step; refused ones return, and the person is told why. Resolves to the keys of the
 * moved cards.
 */
export async function moveCards(
  rows: RowsClient,
  { cards, to, index }: CardsMove,
  { isArranged, host }: MovesOf,
): Promise<ReadonlySet<RowKey>> {
  const { t } = host;
  const window = rows.stacks.of(to.value);
  const movable = cards.filter(({ readOnly }) => readOnly !== true);
  const moving = new Set(movable.map(({ key }) => key));
  const own = [...moving].map((key) => window.indexOf(key) ?? -1).filter((at) => at >= 0);
  if (own.length === moving.size && (!isArranged || isSamePlace(own, index))) return new Set();
  const isOther = (key: RowKey) => !moving.has(key);
  const count = window.count ?? window.atLeast;
  try {
    // A place among unread cards has neighbours too, so these are read.
    if (isArranged && count > 0 && neighbourAt(window, index, isOther) === undefined)
      await window.load(Math.max(0, Math.min(index, count - 1) - 1), Math.min(index + 2, count));
    const place = isArranged
      ? { index: index - own.filter((at) => at < index).length, beside: neighbourAt(window, index, isOther) }
      : { index: 0 };
    const failures = await rows.moveToStack(movable, { value: to.value, ...place });
    const reason = failures[0]?.message ?? t('They can only be read.');
    for (const { rowKey } of failures) moving.delete(rowKey);
    const left = cards.length - moving.size;
    if (left > 0)
      host.toast({
        severity: 'error',
        summary: t('{{count}} cards stay where they were: {{reason}}', {
          count: left,
          one: 'One card stays where it was: {{reason}}',
          reason,
        }),
      });
    return moving;
  } catch (error) {
    host.toast({ severity: 'error', summary: messageOfError(error, t) });
    return new Set();
  }
}

/** Whether consecutive cards would be put where they already are. */
function isSamePlace(own: readonly number[], index: number): boolean {
  const [first, last] = [Math.min(...own), Math.max(...own)];
  return last - first === own.length - 1 && index >= first && index <= last + 1;
}

/** The nearest card at a place that does not move itself: the one below, or else the one above. */
function neighbourAt(
  window: RowWindow,
  index: number,
  isOther: (key: RowKey) => boolean,
): RowPlace | undefined {
  const search = (from: number, step: 1 | -1): RowKey | undefined => {
    for (let at = from, row = window.rowAt(at); row !== undefined; at += step, row = window.rowAt(at))
      if (isOther(row.key)) return row.key;
    return undefined;
  };
  const below = search(index, 1);
  if (below !== undefined) return { side: 'before', row: below };
  const above = search(index - 1, -1);
  return above === undefined ? undefined : { side: 'after', row: above };
}
