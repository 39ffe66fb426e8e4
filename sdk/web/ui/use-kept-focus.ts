import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A list whose entries disappear when they are pressed. @public */
export interface KeptFocus {
  readonly list: RefObject<HTMLUListElement | null>;
  /** Records which entry was pressed, right before it may disappear. */
  pressed(this: void, index: number): void;
}

/**
 * Keeps the focus in a list whose entries disappear when they are pressed: on the entry that takes the place of the pressed one. In
 * each entry one button has the attribute `data-entry-action`.
 *
 * @param instead gets the focus once the list is empty; default: the list, which then needs `tabIndex={-1}`
 * @public
 */
export function useKeptFocus(instead?: () => HTMLElement | null | undefined): KeptFocus {
  const list = useRef<HTMLUListElement>(null);
  const last = useRef<{ readonly index: number; readonly button: Element | null }>(undefined);
  useLayoutEffect(() => {
    if (last.current === undefined) return;
    const { index, button } = last.current;
    const focused = document.activeElement;
    if (focused !== null && focused !== document.body) {
      // The pressed entry still exists, or the person went elsewhere.
      if (list.current?.contains(focused) !== true) last.current = undefined;
      return;
    }
    last.current = undefined;
    // The pressed entry stayed, and the person left it for an element that takes no focus.
    if (list.current?.contains(button) === true) return;
    // Not those of lists inside an entry.
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-entry-action]') ?? [])].filter(
      (each) => each.closest('ul') === list.current,
    );
    const next = buttons[Math.min(index, buttons.length - 1)] ?? instead?.() ?? list.current;
    next?.focus();
  });
  return {
    list,
    pressed: (index) => {
      last.current = { index, button: document.activeElement };
    },
  };
}
