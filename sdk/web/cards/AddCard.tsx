import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { askBeforeLeaving } from '../ask-before-leaving.ts';
import { useSharedT } from '../host.tsx';
import './cards.css';

interface NewCardProps {
  /** What it is for: `New row in Done`. */
  readonly label: string;
  /** Adds the row; resolves with whether it was taken. */
  onAdd(this: void, name: string): Promise<boolean>;
  /** `byKey`: by Escape, and not because the person went elsewhere. */
  onClose(this: void, byKey: boolean): void;
}

/** A field that adds one row after the other: Enter adds, Escape and an empty field that is left close it. A name in it is asked about before it is lost. */
function NewCard({ label, onAdd, onClose }: NewCardProps): ReactNode {
  const t = useSharedT();
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isNamed = name.trim() !== '';
  useEffect(() => (isNamed ? askBeforeLeaving() : undefined), [isNamed]);

  const add = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    if (await onAdd(name.trim())) setName('');
    setBusy(false);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    // Both are the input method's while it composes.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose(true);
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void add();
  };
  return (
    <div className="tr-card-new">
      <input
        ref={field}
        className="p-inputtext p-component"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for it
        autoFocus
        aria-label={label}
        aria-busy={isBusy}
        placeholder={t('Name, then Enter')}
        value={name}
        maxLength={1000}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (name === '' && !isBusy) onClose(false);
        }}
      />
      <button type="button" className="tr-icon-button" aria-label={t('Add row')} onClick={() => void add()}>
        <i className="pi pi-check" aria-hidden="true" />
      </button>
    </div>
  );
}

/** What adds rows by their names. @public */
export interface AddCardProps {
  /** What it is for, said by the field and the button: `New row in Done`. */
  readonly label: string;
  /** What the button says to those who see it. */
  readonly text: string;
  readonly buttonClass?: string;
  /** Whether the field is there in place of the button. */
  readonly isOpen: boolean;
  onOpen(this: void, isOpen: boolean): void;
  /** Adds the row; resolves with whether it was taken. */
  onAdd(this: void, name: string): Promise<boolean>;
}

/**
 * A button, and once it is pressed a field that adds one row after the other: Enter adds, Escape and an empty field that is left close it.
 * A name in it is asked about before it is lost.
 *
 * @public
 */
export function AddCard(props: AddCardProps): ReactNode {
  const { label, text, buttonClass = 'tr-button', isOpen, onOpen, onAdd } = props;
  const button = useRef<HTMLButtonElement>(null);
  const isLeftByKey = useRef(false);
  useLayoutEffect(() => {
    // The field took the keys along.
    if (!isOpen && isLeftByKey.current) button.current?.focus();
    isLeftByKey.current = false;
  }, [isOpen]);
  if (isOpen)
    return (
      <NewCard
        label={label}
        onAdd={onAdd}
        onClose={(byKey) => {
          isLeftByKey.current = byKey;
          onOpen(false);
        }}
      />
    );
  return (
    <button
      ref={button}
      type="button"
      className={buttonClass}
      aria-label={label}
      onClick={() => onOpen(true)}
    >
      <i className="pi pi-plus" aria-hidden="true" />
      {text}
    </button>
  );
}
