import type { RowSource } from '@trellis/sdk/web/rows';
import type { CardMenuRequest, CardSelection, LongList } from '@trellis/sdk/web/cards';
import { isRightToLeft } from '@trellis/sdk/web/ui';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

interface KeysOf {
  readonly source: RowSource;
  readonly list: LongList & { readonly perLine: number };
  readonly count: number;
  /** Undefined if there are no actions for selected cards. */
  readonly selection: CardSelection | undefined;
  onNew(this: void): void;
  onMenu(this: void, menu: CardMenuRequest): void;
}

/** Moves between cards by the arrow keys, also to cards that are not drawn yet; Enter opens, Space selects, N adds. */
export function useGalleryKeys({ source, list, count, selection, onNew, onMenu }: KeysOf) {
  const [current, setCurrent] = useState(0);
  const { box, reveal, perLine } = list;
  const cardAt = (index: number) =>
    box.current?.querySelector<HTMLElement>(`[data-index="${index}"] > .tr-card`) ?? undefined;
  /** A card to focus when it is drawn. */
  const awaited = useRef<number>(undefined);

  useEffect(() => {
    const card = awaited.current === undefined ? undefined : cardAt(awaited.current);
    if (card === undefined) return;
    awaited.current = undefined;
    card.focus({ preventScroll: true });
  });

  const focus = (index: number): void => {
    const to = Math.max(0, Math.min(index, count - 1));
    reveal(to);
    setCurrent(to);
    awaited.current = to;
    const card = cardAt(to);
    // The list receives the keys until the card is drawn, because the formerly focused card goes out of sight.
    if (card === undefined)
      box.current?.querySelector<HTMLElement>('[role=list]')?.focus({ preventScroll: true });
    else card.focus({ preventScroll: true });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || (event.ctrlKey && event.key !== 'Home' && event.key !== 'End') || event.metaKey)
      return;
    const forward = isRightToLeft() ? -1 : 1;
    const by: Readonly<Record<string, number>> = {
      ArrowRight: forward,
      ArrowLeft: -forward,
      ArrowDown: perLine,
      ArrowUp: -perLine,
      Home: -count,
      End: count,
    };
    const step = by[event.key];
    const row = source.rowAt(current);
    const card = cardAt(current);
    if (step !== undefined) focus(current + step);
    else if (event.key === 'Enter') card?.click();
    else if (event.key === ' ' && row) selection?.toggle(row);
    else if (event.key === 'Escape') selection?.clear();
    else if (event.key.toLowerCase() === 'n') onNew();
    else if (row && card && (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))) {
      const { left, top } = card.getBoundingClientRect();
      onMenu({ row, x: left + 12, y: top + 32 });
    } else return;
    event.preventDefault();
  };

  return {
    /** The card that Tab reaches. */
    current: Math.min(current, Math.max(0, count - 1)),
    focus,
    onKeyDown,
    onFocus: setCurrent,
  };
}
