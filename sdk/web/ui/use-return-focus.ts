import { useLayoutEffect, useState, type RefObject } from 'react';

/**
 * Returns the focus, when the component is removed, to the element that had it when the component was mounted, unless the focus has
 * moved elsewhere.
 *
 * @param box the element of the component.
 * @param otherwise gets the focus if the former element is gone, such as the entry of a menu.
 * @public
 */
export function useReturnFocus(box: RefObject<HTMLElement | null>, otherwise?: HTMLElement): void {
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(
    () => () => {
      const now = document.activeElement;
      // The box is still in the document here: React removes it after the clean-up of effects.
      const isElsewhere = now !== null && now !== document.body && box.current?.contains(now) !== true;
      if (isElsewhere) return;
      const target = before !== document.body && before?.isConnected === true ? before : otherwise;
      if (target instanceof HTMLElement) target.focus();
    },
    // eslint-disable-next-line react/exhaustive-deps -- what had the focus at first keeps its claim
    [],
  );
}
