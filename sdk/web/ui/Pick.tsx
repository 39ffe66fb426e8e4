import type { ReactNode, Ref } from 'react';
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
