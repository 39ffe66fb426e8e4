import type { RowKey } from '@trellis/sdk/shared';
import type { RowWindow } from '@trellis/sdk/web/rows';
import { useSourceVersion } from './use-source-version.ts';

/** A row's position among the rows that it was opened from. */
export interface PlaceOfRow {
  readonly index: number;
  readonly total: number | undefined;
  isThere(this: void, at: number): boolean;
  /** Goes to the row above or below, if there is one. */
  onStep(this: void, by: 1 | -1): Promise<void>;
}

interface PlaceOptions {
  onMove(this: void, rowKey: RowKey): void;
  /** Called with the reason why a row could not be read. */
  onFailure(this: void, failure: unknown): void;
}

/** Tracks a row's position; undefined if it is not among the rows, or they are unknown. */
export function useRowPlace(
  source: RowWindow | undefined,
  rowKey: RowKey | undefined,
  { onMove, onFailure }: PlaceOptions,
): PlaceOfRow | undefined {
  useSourceVersion(source);
  const index = rowKey === undefined ? undefined : source?.indexOf(rowKey);
  if (source === undefined || index === undefined) return undefined;
  const { total } = source;
  const isThere = (at: number): boolean => at >= 0 && (total === undefined || at < total);

  async function onStep(by: 1 | -1): Promise<void> {
    if (source === undefined || index === undefined || !isThere(index + by)) return;
    try {
      if (source.rowAt(index + by) === undefined) await source.load(index + by, index + by + 1);
    } catch (failure) {
      return onFailure(failure);
    }
    const next = source.rowAt(index + by)?.key;
    if (next !== undefined) onMove(next);
  }

  return { index, total, isThere, onStep };
}
