import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { askBeforeLeaving } from '../ask-before-leaving.ts';
import { useSharedT } from '../host.tsx';
import './cards.css';

/** A field that adds a row by its name. @public */
export interface NewCardProps {
  /** What it is for: `New row in Done`. */
  readonly label: string;
  /** Adds the row; resolves with whether it was taken. */
  onAdd(this: void, name: string): Promise<boolean>;
  onClose(this: void): void;
}

/** A field that adds one row after the other: Enter adds, Escape and an empty field that is left close it. A name in it is asked about before it is lost. @public */
export function NewCard({ label, onAdd, onClose }: NewCardProps): ReactNode {
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
    if (event.key === 'Escape') onClose();
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void add();
  };
  return (
    <div className="tr-card-new">
      <input
        ref={field}
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
          if (name === '' && !isBusy) onClose();
        }}
      />
      <button type="button" className="tr-icon-button" aria-label={t('Add row')} onClick={() => void add()}>
        <i className="pi pi-check" aria-hidden="true" />
      </button>
    </div>
  );
}
