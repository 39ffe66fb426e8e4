import { Dialog as PrimeDialog } from 'primereact/dialog';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { askBeforeLeaving } from '../ask-before-leaving.ts';
import type { ConfirmQuestion } from '../host.tsx';
import { HoldOpenContext } from './held-open.ts';
import { useReturnFocus } from './use-return-focus.ts';
import { useThrowAway } from './use-throw-away.ts';

/** The props of a dialog in the middle of the page. @public */
export interface DialogProps {
  readonly title: string;
  /** Pixels. Default: the width of a form. */
  readonly width?: number;
  readonly className?: string;
  /** Whether a press outside closes it. Default: no, because input would be lost. */
  readonly dismissable?: boolean;
  /**
   * Whether something is running whose result must be seen: the dialog cannot be closed meanwhile. A `Form` inside sets this by
   * itself. Default: no.
   */
  readonly isBusy?: boolean;
  /** Whether Escape, the close button and browser navigation ask first once more than one field was edited. Default: no. */
  readonly keepsInput?: boolean;
  /** Whether something in it is unsaved: Escape, the close button and browser navigation ask first. Default: no. */
  readonly isUnsaved?: boolean;
  /** The question in that case. Default: whether to discard the input. */
  readonly lossQuestion?: ConfirmQuestion;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. The element with `autoFocus` gets the focus first; the focus returns at the end. @public */
export function Dialog(props: DialogProps): ReactNode {
  const {
    title,
    width = 480,
    className = '',
    dismissable = false,
    isBusy = false,
    keepsInput = false,
    isUnsaved = false,
    lossQuestion,
    onClose,
    children,
  } = props;
  const throwsAway = useThrowAway(lossQuestion);
  const typedInto = useRef(new Set<EventTarget>());
  const holders = useRef(new Set<object>());
  const holdOpen = useCallback(() => {
    const holder = {};
    holders.current.add(holder);
    return () => void holders.current.delete(holder);
  }, []);

  const question = useRef(lossQuestion);
  useLayoutEffect(() => {
    question.current = lossQuestion;
  });
  useEffect(() => {
    if (isUnsaved) return askBeforeLeaving(undefined, 'place', () => question.current);
    // A form that is being sent may navigate by itself.
    if (keepsInput) return askBeforeLeaving(() => typedInto.current.size >= 2 && holders.current.size === 0);
    return undefined;
  }, [isUnsaved, keepsInput]);

  async function leave(): Promise<void> {
    if (isBusy || holders.current.size > 0) return;
    const isKept = isUnsaved || (keepsInput && typedInto.current.size >= 2);
    if (!isKept || (await throwsAway())) onClose();
  }

  return (
    <PrimeDialog
      visible
      modal
      draggable={false}
      resizable={false}
      header={title}
      className={`tr-dialog ${className}`}
      style={{ width }}
      dismissableMask={dismissable}
      focusOnShow={false}
      onHide={() => void leave()}
    >
      <HoldOpenContext value={holdOpen}>
        <Content onTyped={(field) => typedInto.current.add(field)}>{children}</Content>
      </HoldOpenContext>
    </PrimeDialog>
  );
}

function Content({
  children,
  onTyped,
}: {
  readonly children: ReactNode;
  readonly onTyped: (field: EventTarget) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useReturnFocus(box);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || element.contains(document.activeElement)) return;
    // Without a control yet, the dialog itself gets the focus: elements under it must not get keys.
    const begin = (): boolean => {
      const first = element.querySelector<HTMLElement>('input, select, textarea, button');
      (first ?? element).focus();
      return first !== null;
    };
    if (begin()) return;
    const late = new MutationObserver(() => {
      if (document.activeElement !== element || begin()) late.disconnect();
    });
    late.observe(element, { childList: true, subtree: true });
    return () => late.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className="tr-dialog-body"
      tabIndex={-1}
      // Escape ends a composition or closes an open list, and not the dialog.
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || (event.key === 'Escape' && isInOpenList(event.target)))
          event.stopPropagation();
      }}
      onInput={({ target }) => {
        if (!(target instanceof HTMLInputElement && target.type === 'radio')) onTyped(target);
      }}
    >
      {children}
    </div>
  );
}

/** Whether a key was pressed in an open list of PrimeReact, or in its field. */
function isInOpenList(target: EventTarget): boolean {
  const list = '[role=combobox][aria-expanded=true], .p-multiselect-panel, .p-dropdown-panel';
  return target instanceof Element && target.closest(list) !== null;
}
