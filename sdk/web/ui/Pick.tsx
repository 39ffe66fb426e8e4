import { useState, type ReactNode, type Ref } from 'react';
import { useSharedT } from '../host.tsx';
import { Popover } from './Popover.tsx';

/** What shows what is chosen, and opens a list under itself. @public */
export interface PickButtonProps {
  readonly ref?: Ref<HTMLButtonElement>;
  /** Its name, with what is chosen. */
  readonly label: string;
  readonly isOpen: boolean;
  /** What is chosen. */
  readonly children: ReactNode;
  onOpen(this: void): void;
  /** Delete or Backspace was pressed on it. */
  onClear?(this: void): void;
}

/** A button that fills its cell or field: what is chosen, and a mark that there is more. @public */
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

/** What shows what is chosen in a cell or field, and lists what may be. @public */
export interface PickFieldProps {
  /** What is chosen for: the title of the column. */
  readonly title: string;
  /** What is chosen, in words. */
  readonly chosen: readonly string[];
  /** Whether the list is open from the beginning, where the person has come to edit; in a form it opens when it is pressed. */
  readonly isOpenAtFirst: boolean;
  /** What is chosen, as it is drawn. */
  readonly shown: ReactNode;
  /** Delete or Backspace was pressed on it. */
  onClear?(this: void): void;
  /** The list, such as a `PickPanel`: under what it stands, and what makes of an act one that closes it first. */
  children(
    this: void,
    anchor: HTMLElement,
    closing: <Arguments extends readonly unknown[]>(
      act: (...args: Arguments) => void,
    ) => (...args: Arguments) => void,
  ): ReactNode;
}

/** A `PickButton` with its list under it. @public */
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

/** The list of a `PickButton`. @public */
export interface PickPanelProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  /** Pixels. */
  readonly width: number;
  readonly isMultiple: boolean;
  /** The list itself, such as a `SearchList`. */
  readonly children: ReactNode;
  /** Takes all that is chosen away; absent where there is nothing, or something must be chosen. */
  readonly onClear?: (() => void) | undefined;
  /** A press outside or on the button that closes the list. */
  onDone(this: void): void;
  /** Escape. */
  onCancel(this: void): void;
}

/** A list to choose from, over its button, with what takes the choice away and what ends it. @public */
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
