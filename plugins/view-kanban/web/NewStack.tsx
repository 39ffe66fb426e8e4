import { useT } from '@trellis/sdk/web';
import { type ReactNode, useEffect, useRef, useState } from 'react';

interface NewStackProps {
  readonly hidden: readonly { readonly id: string; readonly title: string }[];
  onShow(this: void, id: string): void;
  /** Resolves to whether the stack was accepted; undefined if the person may not add one. */
  readonly onAdd: ((title: string) => Promise<boolean>) | undefined;
}

/** After the last stack: a field for a new one, and the hidden ones. */
export function NewStack({ hidden, onShow, onAdd }: NewStackProps): ReactNode {
  const t = useT();
  const [title, setTitle] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const isClosed = useRef(false);
  useEffect(() => {
    // The closed field had the focus.
    if (title === undefined && isClosed.current) addButton.current?.focus();
    isClosed.current = false;
  }, [title]);

  function close() {
    isClosed.current = true;
    setTitle(undefined);
  }

  async function add(named: string, onAdded: NonNullable<NewStackProps['onAdd']>) {
    if (named === '' || isBusy) return;
    setBusy(true);
    const isTaken = await onAdded(named);
    setBusy(false);
    if (isTaken) close();
  }

  if (onAdd === undefined && hidden.length === 0) return null;
  return (
    <div className="kanban-beyond">
      {onAdd && title === undefined && (
        <button ref={addButton} type="button" className="tr-button" onClick={() => setTitle('')}>
          <i className="pi pi-plus" aria-hidden="true" />
          {t('Add a stack')}
        </button>
      )}
      {onAdd && title !== undefined && (
        <form
          className="kanban-edit"
          onSubmit={(event) => {
            event.preventDefault();
            void add(title.trim(), onAdd);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.nativeEvent.isComposing) close();
          }}
        >
          <input
            className="p-inputtext p-component"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for it
            autoFocus
            aria-label={t('Name of the stack')}
            maxLength={100}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
          <button type="submit" className="tr-button tr-button--primary" aria-disabled={isBusy}>
            {t('Add')}
          </button>
        </form>
      )}
      {hidden.map((stack) => (
        <button key={stack.id} type="button" className="tr-button" onClick={() => onShow(stack.id)}>
          <i className="pi pi-eye" aria-hidden="true" />
          {t('Show {{title}}', { title: stack.title })}
        </button>
      ))}
    </div>
  );
}
