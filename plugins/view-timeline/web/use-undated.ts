import type { RowKey } from '@trellis/sdk/shared';
import type { ViewProps } from '@trellis/sdk/web';
import { dayAfter, useUndatedRows, valuesOfDays, type DateRange } from '@trellis/sdk/web/cards';
import type { RowData } from '@trellis/sdk/web/rows';
import { useEffect, useRef, type RefObject } from 'react';
import { useRowDrag } from './use-row-drag.ts';

interface UndatedOf {
  readonly range: DateRange;
  /** The element that contains the bars. */
  readonly chart: RefObject<HTMLElement | null>;
  /** Returns the focus to a row after it was shown alone. */
  focus(this: void, rowKey: RowKey): void;
  /** See `useRowDrag`. */
  dayAt(this: void, at: { readonly x: number; readonly y: number }): string | undefined;
}

/** The rows without a date: whether they are shown next to the chart, and the ways to give them a day. */
export function useUndated(props: ViewProps, { range, chart, focus, dayAt }: UndatedOf) {
  const undated = useUndatedRows(props, range, focus);
  const putOn = (row: RowData, day: string): Promise<boolean> =>
    undated.put(row, valuesOfDays(range, { start: day, end: dayAfter(day, 1) }, row.values));
  /** The key of the row whose bar gets the focus when it is drawn: the button that put it there is gone. */
  const awaited = useRef<string>(undefined);
  useEffect(() => {
    if (awaited.current === undefined) return;
    const key = CSS.escape(awaited.current);
    const bar = chart.current?.querySelector<HTMLElement>(`.timeline-bar-body[data-key="${key}"]`);
    if (bar === null || bar === undefined) return;
    awaited.current = undefined;
    bar.focus();
  });

  return {
    ...undated,
    /** Puts a row on a day after a button press. */
    put: async (row: RowData, day: string): Promise<void> => {
      if (await putOn(row, day)) awaited.current = row.key;
    },
    drag: useRowDrag({ dayAt, onDrop: (row, day) => void putOn(row, day) }),
  };
}
