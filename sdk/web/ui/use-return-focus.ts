import { useLayoutEffect, useState, type RefObject } from 'react';

/**
 * Gives the focus back, when the component goes away, to what had it when the component came. Who has taken the focus elsewhere
 * keeps it there.
 *
 * @param box what the component draws.
 * @param otherwise gets the focus when what had it is gone, such as the entry of a menu.
 * @public
 */
export function useReturnFocus(box: RefObject<HTMLElement | null>, otherwise?: HTMLElement): void {
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(
    () => () => {
      const now = document.activeElement;
      // The box is still in the document here: React takes it out after its effects were undone.
      const isElsewhere = now !== null && now !== document.body && box.current?.contains(now) !== true;
      if (isElsewhere) return;
      const target = before !== document.body && before?.isConnected === true ? before : otherwise;
      if (target instanceof HTMLElement) target.focus();
    },
    // eslint-disable-next-line react/exhaustive-deps -- what had the focus at first keeps its claim
    [],
  );
}
