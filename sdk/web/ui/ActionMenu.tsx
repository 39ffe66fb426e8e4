import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { isRightToLeft } from './page-language.ts';
import { useReturnFocus } from './use-return-focus.ts';

/** One entry of a menu. @public */
export interface MenuAction {
  readonly id: string;
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** For one of several exclusive entries: whether it is the active one, for screen readers. */
  readonly isChosen?: boolean;
  /** Draws a separator above it. */
  readonly startsGroup?: boolean;
  readonly run: () => void;
}

/** The props of a menu: its name for screen readers, its entries, and its position. @public */
export interface ActionMenuProps {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  /** Shown above the entries. */
  readonly header?: ReactNode;
  /** Its position, in coordinates of the window. */
  readonly x: number;
  readonly y: number;
  readonly onClose: () => void;
}

const itemsOf = (box: HTMLElement | null): readonly HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])') ?? []),
];

/**
 * A menu at a point of the window, operated by mouse, arrow keys or first letters; it stays inside the window and returns the
 * focus.
 *
 * @public
 */
export function ActionMenu({ label, header, actions, x, y, onClose }: ActionMenuProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useReturnFocus(box);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    const wished = isRightToLeft() ? x - width : x;
    element.style.left = `${Math.max(4, Math.min(wished, window.innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(y, window.innerHeight - height - 4))}px`;
    itemsOf(element)[0]?.focus();
  }, [x, y]);

  useEffect(() => {
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) === false) onClose();
    };
    window.addEventListener('pointerdown', outside, true);
    window.addEventListener('blur', onClose);
    return () => {
      window.removeEventListener('pointerdown', outside, true);
      window.removeEventListener('blur', onClose);
    };
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const items = itemsOf(box.current);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[
      event.key
    ];
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (to !== undefined) items[to % items.length]?.focus();
    else if (!focusByLetter(items, at, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return createPortal(
    <div ref={box} role="menu" tabIndex={-1} aria-label={label} className="tr-menu" onKeyDown={onKeyDown}>
      {header}
      {actions.map((action, index) => (
        <button
          key={action.id}
          type="button"
          role={action.isChosen === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={action.isChosen}
          tabIndex={-1}
          aria-disabled={action.disabled}
          className={[
            'tr-menu-item',
            action.danger === true ? 'is-danger' : '',
            // The first entry needs no separator.
            action.startsGroup === true && (index > 0 || header !== undefined) ? 'starts-group' : '',
          ].join(' ')}
          onClick={() => {
            if (action.disabled === true) return;
            // Closed first, so that whatever the action opens finds the focus where it was before the menu.
            flushSync(onClose);
            action.run();
          }}
        >
          <i className={`pi pi-${action.icon}`} aria-hidden="true" />
          {action.label}
        </button>
      ))}
    </div>,
    document.body,
  );
}

/** Focuses the next entry that begins with the typed letter. */
function focusByLetter(items: readonly HTMLElement[], at: number, event: KeyboardEvent): boolean {
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  const letter = event.key.toLowerCase();
  const next = [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
    item.textContent.trim().toLowerCase().startsWith(letter),
  );
  next?.focus();
  return next !== undefined;
}
