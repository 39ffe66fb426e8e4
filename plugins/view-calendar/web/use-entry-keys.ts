import {
  dayAfter,
  daysOfRow,
  timesOfRow,
  valuesOfDays,
  valuesOfTimes,
  type DateRange,
} from '@trellis/sdk/web/cards';
import type { RowData } from '@trellis/sdk/web/rows';
import { isRightToLeft } from '@trellis/sdk/web/ui';
import { useEffect, useRef, type KeyboardEvent } from 'react';

type Values = ReturnType<typeof valuesOfDays>;

interface EntryKeys {
  /** The kind of display: `dayGridMonth`, `timeGridWeek`, `listMonth`. */
  readonly kind: string;
  readonly range: DateRange;
  readonly mayMove: boolean;
  rowOf(this: void, key: string): RowData | undefined;
  /** Resolves to whether the change was accepted. */
  onMove(this: void, row: RowData, values: Values): Promise<boolean>;
  /** Scrolls to a day. */
  onShow(this: void, day: string): void;
}

/** Minutes by which a key moves an entry with a time. */
const step = 30;
const minute = 60_000;
/** Maximum number of frames before a drawn entry becomes visible. */
const mostFrames = 30;

const shifted = (clock: string, minutes: number): string =>
  new Date(Date.parse(`${clock}Z`) + minutes * minute).toISOString().slice(0, 19);

/**
 * The cells after a key press on the focused entry: it moves by a day or a week, among hours by half an hour; with Shift it becomes
 * a day longer or shorter. Undefined for other keys.
 */
export function movedByKey(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  { values }: Pick<RowData, 'values'>,
  { kind, range, isMirrored = false }: Pick<EntryKeys, 'kind' | 'range'> & { readonly isMirrored?: boolean },
): Values | undefined {
  const days = daysOfRow(values, range);
  if (days === undefined) return undefined;
  const on = isMirrored ? -1 : 1;
  const sideways = { ArrowRight: on, ArrowLeft: -on }[key];
  const down = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (shiftKey) {
    if (sideways === undefined || range.to === undefined) return undefined;
    const end = dayAfter(days.end, sideways);
    return end > days.start ? valuesOfDays(range, { ...days, end }, values) : undefined;
  }
  const times = timesOfRow(values, range);
  if (down !== undefined && kind.startsWith('timeGrid') && times !== undefined)
    return valuesOfTimes(range, {
      start: shifted(times.start, down * step),
      ...(times.end !== undefined && { end: shifted(times.end, down * step) }),
    });
  const by = sideways ?? (kind === 'dayGridMonth' && down !== undefined ? down * 7 : undefined);
  if (by === undefined) return undefined;
  return valuesOfDays(range, { start: dayAfter(days.start, by), end: dayAfter(days.end, by) }, values);
}

const sideKeys = ['ArrowLeft', 'ArrowRight'];
const shortcuts = [...sideKeys, 'ArrowUp', 'ArrowDown', ...sideKeys.map((key) => `Shift+${key}`)].join(' ');

/** Moves calendar entries by keys, one press after another; the moved entry keeps the focus on its new day. */
export function useEntryKeys(of: EntryKeys) {
  const { range, kind, mayMove, rowOf, onMove, onShow } = of;
  const moved = useRef<string>(undefined);
  const last = useRef<Promise<void>>(Promise.resolve());
  const latest = useRef(rowOf);
  useEffect(() => {
    latest.current = rowOf;
  });

  async function move(key: string, press: Pick<KeyboardEvent, 'key' | 'shiftKey'>): Promise<void> {
    // The row as the previous press left it.
    const row = latest.current(key);
    const values = row && movedByKey(press, row, { kind, range, isMirrored: isRightToLeft() });
    if (row === undefined || values === undefined) return;
    const day = (await onMove(row, values))
      ? range.from.show(values[range.from.id])?.slice(0, 10)
      : undefined;
    if (day !== undefined) onShow(day);
  }

  /** The calendar first draws entries invisibly to measure them, and an invisible element cannot be focused. */
  function focusOnceSeen(element: HTMLElement, framesLeft: number): void {
    const { key } = element.dataset;
    const focused = document.activeElement;
    const isElsewhere =
      focused !== document.body && focused?.closest<HTMLElement>('[data-key]')?.dataset.key !== key;
    // If the focus is elsewhere, the person has moved it.
    if (isElsewhere || moved.current !== key) return;
    element.focus();
    if (document.activeElement !== element && framesLeft > 0)
      requestAnimationFrame(() => focusOnceSeen(element, framesLeft - 1));
  }

  return {
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      const key = (event.target as HTMLElement).closest<HTMLElement>('[data-key]')?.dataset.key;
      const row = key === undefined ? undefined : rowOf(key);
      if (!mayMove || row === undefined || row.readOnly === true) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const press = { key: event.key, shiftKey: event.shiftKey };
      if (movedByKey(press, row, { kind, range }) === undefined) return;
      event.preventDefault();
      moved.current = row.key;
      last.current = last.current.then(() => move(row.key, press));
    },
    /** Called when an entry is drawn, possibly again on another day. */
    onDrawn(element: HTMLElement, key: string): void {
      element.dataset.key = key;
      if (mayMove) element.setAttribute('aria-keyshortcuts', shortcuts);
      if (moved.current === key) focusOnceSeen(element, mostFrames);
    },
  };
}
