import { useState, type ReactNode, type Ref } from 'react';
import { useSharedT } from '../host.tsx';
import { Popover } from './Popover.tsx';

/** The props of a button that shows the choice, and opens a list below itself. @public */
export interface PickButtonProps {
  readonly ref?: Ref<HTMLButtonElement>;
  /** Its name, including the choice. */
  readonly label: string;
  readonly isOpen: boolean;
  /** The choice. */
  readonly children: ReactNode;
  onOpen(this: void): void;
  /** Called when Delete or Backspace was pressed on it. */
  onClear?(this: void): void;
}

/** A button that fills its cell or field: the choice, and an arrow. @public */
export function PickButton({ ref, label, isOpen, children, onOpen, onClear }: PickButtonProps): ReactNode {
  return (
    <button
      ref={ref}
      type="button"
      className="tr-pick"
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={onOpen}
      onKeyDown={(event) => {
        if (onClear === undefined || (event.key !== 'Delete' && event.key !== 'Backspace')) return;
        event.preventDefault();
        onClear();
      }}
    >
      {children}
      <i className="pi pi-chevron-down tr-pick-mark" aria-hidden="true" />
    </button>
  );
}

/** The props of a cell or field with a choice and its list. @public */
export interface PickFieldProps {
  /** What is chosen for: the title of the column. */
  readonly title: string;
  /** The choice as text. */
  readonly chosen: readonly string[];
  /** Whether the list is open at first, if the person is already editing; in a form it opens when pressed. */
  readonly isOpenAtFirst: boolean;
  /** The choice as drawn. */
  readonly shown: ReactNode;
  /** Called when Delete or Backspace was pressed on it. */
  onClear?(this: void): void;
  /** The list, such as a `PickPanel`: with its anchor, and a function that makes an action close the list first. */
  children(
    this: void,
    anchor: HTMLElement,
    closing: <Arguments extends readonly unknown[]>(
      act: (...args: Arguments) => void,
    ) => (...args: Arguments) => void,
  ): ReactNode;
}

/** A `PickButton` with its list below it. @public */
export function PickField(props: PickFieldProps): ReactNode {
  const { title, chosen, isOpenAtFirst, shown, onClear, children } = props;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <>
      <PickButton
        ref={setAnchor}
        label={chosen.length === 0 ? title : `${title}: ${chosen.join(', ')}`}
        isOpen={isOpen}
        onOpen={() => setOpen(true)}
        onClear={onClear}
      >
        {shown}
      </PickButton>
      {isOpen &&
        anchor !== null &&
        children(anchor, (act) => (...args) => {
          setOpen(false);
          act(...args);
        })}
    </>
  );
}

/** The props of a `PickButton`'s list. @public */
export interface PickPanelProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  /** Pixels. */
  readonly width: number;
  readonly isMultiple: boolean;
  /** The list itself, such as a `SearchList`. */
  readonly children: ReactNode;
  /** Clears the choice; absent if there is none, or one is required. */
  readonly onClear?: (() => void) | undefined;
  /** A press outside or on the button that closes the list. */
  onDone(this: void): void;
  /** Escape. */
  onCancel(this: void): void;
}

/** A list to choose from, below its button, with buttons to clear the choice and to close. @public */
export function PickPanel(props: PickPanelProps): ReactNode {
  const { label, anchor, width, isMultiple, children, onClear, onDone, onCancel } = props;
  const t = useSharedT();
  return (
    <Popover label={label} anchor={anchor} width={width} onClose={onDone}>
      <div
        role="presentation"
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          onCancel();
        }}
      >
        {children}
        <footer className="tr-pick-foot">
          {onClear && (
            <button type="button" className="tr-link" onClick={onClear}>
              {t('Clear')}
            </button>
          )}
          <button
            type="button"
            className={isMultiple ? 'tr-link tr-pick-done' : 'tr-link tr-pick-done tr-pick-done--single'}
            onClick={onDone}
          >
            {isMultiple ? t('Done') : t('Close')}
          </button>
        </footer>
      </div>
    </Popover>
  );
}
