import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { createPortal } from 'react-dom';
import { isRightToLeft } from './page-language.ts';
import { useReturnFocus } from './use-return-focus.ts';

/** The props of a panel over the page. @public */
export interface PopoverProps {
  /** Its name for screen readers. */
  readonly label: string;
  /** The element above it; the middle of the window without one. */
  readonly anchor?: HTMLElement | undefined;
  /** Pixels. Default: the width of its content. */
  readonly width?: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const gap = 6;
const margin = 8;
const stops =
  'input:not(:disabled), button:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/**
 * A panel below the element that opened it; on phones, a sheet at the lower edge. A press outside and Escape close it, Tab cycles
 * inside, and the focus returns. (PrimeReact's overlay panel does none of the last three.)
 *
 * @public
 */
export function Popover({ label, anchor, width, onClose, children }: PopoverProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useReturnFocus(box, anchor);

  // After each render, because the anchor may have moved.
  useLayoutEffect(() => {
    if (box.current) place(box.current, anchor);
  });

  useLayoutEffect(() => {
    const panel = box.current;
    if (panel === null) return;
    const placeAgain = (): void => place(panel, anchor);
    // Its content may be loaded later and make it wider, without a render of this component.
    const sizes = new ResizeObserver(placeAgain);
    sizes.observe(panel);
    window.addEventListener('resize', placeAgain);
    return () => {
      sizes.disconnect();
      window.removeEventListener('resize', placeAgain);
    };
  }, [anchor]);

  useEffect(() => {
    const element = box.current;
    if (element === null || element.contains(document.activeElement)) return;
    const [first, second] = element.querySelectorAll<HTMLElement>(stops);
    // A person who has just opened the panel does not want its close button first.
    const target = first?.closest('.tr-popover-head') ? (second ?? first) : first;
    // Without a control in it, the panel itself gets Escape.
    (target ?? element).focus();
  }, []);

  useEffect(() => {
    // On the document: the focused element may have been removed or disabled, and then nothing in the box gets the key.
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (
        event.key !== 'Escape' ||
        event.isComposing ||
        (event.defaultPrevented && !isNumberField(event.target))
      )
        return;
      const isOurs = event.target === document.body || box.current?.contains(event.target as Node) === true;
      if (isOurs) onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onClose]);

  return createPortal(
    <div className="tr-popover-layer" style={{ zIndex: aboveDialog(anchor) }}>
      <div className="tr-popover-mask" role="presentation" onMouseDown={stay} onClick={onClose} />
      <div
        ref={box}
        className="tr-popover"
        role="dialog"
        aria-modal="true"
        aria-label={label}
        tabIndex={-1}
        style={{ width }}
        onKeyDown={(event) => {
          if (event.key === 'Tab') goRound(event);
        }}
      >
        {children}
      </div>
    </div>,
    document.body,
  );
}

/** Right above the dialog that contains the anchor; undefined for the default layer, which dialogs cover. */
function aboveDialog(anchor: HTMLElement | undefined): number | undefined {
  const dialog = anchor?.closest('.p-dialog-mask');
  const layer = Number(dialog ? getComputedStyle(dialog).zIndex : undefined);
  return Number.isFinite(layer) ? layer + 1 : undefined;
}

/** PrimeReact's number field prevents every key that is no digit, including Escape. */
function isNumberField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.p-inputnumber') !== null;
}

/** A press inside the panel keeps the focus in it, from where it returns when the panel closes. */
function stay(event: MouseEvent): void {
  event.preventDefault();
}

/** Below the anchor, at its leading edge, and inside the window. The style sheet overrides it on phones. */
function place(box: HTMLElement, anchor: HTMLElement | undefined): void {
  const { innerWidth, innerHeight } = window;
  const rect = anchor?.isConnected === true ? anchor.getBoundingClientRect() : undefined;
  const { width } = box.getBoundingClientRect();
  const wished =
    rect === undefined ? (innerWidth - width) / 2 : isRightToLeft() ? rect.right - width : rect.left;
  // A third of the window is enough to work in, and longer content scrolls.
  const top = Math.min((rect?.bottom ?? 114) + gap, Math.max(margin, (innerHeight * 2) / 3));
  box.style.left = `${Math.max(margin, Math.min(wished, innerWidth - width - margin))}px`;
  box.style.top = `${top}px`;
  box.style.maxHeight = `${innerHeight - top - margin}px`;
}

function goRound(event: KeyboardEvent<HTMLElement>): void {
  const all = event.currentTarget.querySelectorAll<HTMLElement>(stops);
  const [from, to] = event.shiftKey ? [all[0], all[all.length - 1]] : [all[all.length - 1], all[0]];
  if (document.activeElement !== from) return;
  event.preventDefault();
  to?.focus();
}
