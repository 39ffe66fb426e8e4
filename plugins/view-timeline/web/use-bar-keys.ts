import type { DaySpan } from '@trellis/sdk/web/cards';
import { isRightToLeft } from '@trellis/sdk/web/ui';
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { movedDays } from './use-bar-drag.ts';

interface BarKeys {
  readonly days: DaySpan;
  readonly mayMove: boolean;
  readonly mayResize: boolean;
  /** Resolves to whether the change was accepted. */
  onMove(this: void, days: DaySpan): Promise<boolean>;
}

/** Moves a bar, or with Shift its end, by the arrow keys. Presses during a save add up and are saved together. */
export function useBarKeys(of: BarKeys) {
  /** The days after the presses so far. */
  const [ahead, setAhead] = useState<DaySpan>();
  const wanted = useRef<DaySpan>(undefined);
  const isSaving = useRef(false);
  const latest = useRef(of.onMove);
  useLayoutEffect(() => {
    latest.current = of.onMove;
  });

  async function save(): Promise<void> {
    if (isSaving.current) return;
    isSaving.current = true;
    while (wanted.current !== undefined) {
      const to = wanted.current;
      wanted.current = undefined;
      if (!(await latest.current(to))) wanted.current = undefined;
    }
    isSaving.current = false;
    setAhead(undefined);
  }

  return {
    ahead,
    onKeyDown(event: KeyboardEvent): void {
      // These are browser keys, such as Alt and an arrow for the previous page.
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const [back, on] = isRightToLeft() ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
      const by = event.key === on ? 1 : event.key === back ? -1 : undefined;
      if (by === undefined || !of.mayMove || (event.shiftKey && !of.mayResize)) return;
      event.preventDefault();
      wanted.current = movedDays(ahead ?? of.days, event.shiftKey ? 'end' : 'whole', by);
      setAhead(wanted.current);
      void save();
    },
  };
}
