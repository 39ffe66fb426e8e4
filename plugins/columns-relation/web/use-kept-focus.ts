import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Keeps the focus in a list whose entries go away when they are pressed: on the entry that takes the place of the pressed one, or, in
 * a list that is empty, where `instead` says. `pressed` notes which entry was pressed.
 */
export function useKeptFocus(instead: () => HTMLElement | null | undefined): {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly pressed: (index: number) => void;
} {
  const list = useRef<HTMLUListElement>(null);
  const at = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (at.current === undefined) return;
    const focused = document.activeElement;
    if (focused !== null && focused !== document.body) {
      // The pressed entry is still there, or the person went elsewhere.
      if (list.current?.contains(focused) !== true) at.current = undefined;
      return;
    }
    const buttons = list.current?.querySelectorAll<HTMLElement>('[data-entry-action]') ?? [];
    const next = buttons[Math.min(at.current, buttons.length - 1)] ?? instead();
    at.current = undefined;
    next?.focus();
  });
  return {
    list,
    pressed: (index) => {
      at.current = index;
    },
  };
}
