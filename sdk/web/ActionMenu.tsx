import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

/** One entry of a menu. @public */
export interface MenuAction {
  readonly id: string;
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  readonly danger?: boolean;
  /** Draws a line above it. */
  readonly startsGroup?: boolean;
  readonly run: () => void;
}

/** A menu: its name for screen readers, its entries, and where it opens. @public */
export interface ActionMenuProps {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  /** Where it opens, in coordinates of the window. */
  readonly x: number;
  readonly y: number;
  readonly onClose: () => void;
}

/** A menu at a point of the window, worked by mouse or by the arrow keys; it keeps inside the window. @public */
export function ActionMenu({ label, actions, x, y, onClose }: ActionMenuProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(x, window.innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(y, window.innerHeight - height - 4))}px`;
    element.querySelector<HTMLElement>('[role=menuitem]')?.focus();
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
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[
      event.key
    ];
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (to !== undefined) items[to % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return createPortal(
    <div ref={box} role="menu" aria-label={label} className="tr-menu" onKeyDown={onKeyDown}>
      {actions.map((action) => (
        <button
          key={action.id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={[
            'tr-menu-item',
            action.danger === true ? 'is-danger' : '',
            action.startsGroup === true ? 'starts-group' : '',
          ].join(' ')}
          onClick={() => {
            onClose();
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
