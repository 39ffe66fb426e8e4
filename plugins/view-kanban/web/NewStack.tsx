import { useT } from '@trellis/sdk/web';
import { type ReactNode, useState } from 'react';

interface NewStackProps {
  readonly hidden: readonly { readonly id: string; readonly title: string }[];
  onShow(this: void, id: string): void;
  /** Resolves with whether it was taken; undefined where nobody may add one. */
  readonly onAdd: ((title: string) => Promise<boolean>) | undefined;
}

/** Behind the last stack: a field for a new one, and those that are hidden. */
export function NewStack({ hidden, onShow, onAdd }: NewStackProps): ReactNode {
  const t = useT();
  const [title, setTitle] = useState<string>();
  if (onAdd === undefined && hidden.length === 0) return null;
  return (
    <div className="kanban-beyond">
      {onAdd && title === undefined && (
        <button type="button" className="tr-button" onClick={() => setTitle('')}>
          <i className="pi pi-plus" aria-hidden="true" />
          {t('Add a stack')}
        </button>
      )}
      {onAdd && title !== undefined && (
        <form
          className="kanban-edit"
          onSubmit={(event) => {
            event.preventDefault();
            if (title.trim() === '') return;
            void onAdd(title.trim()).then((isTaken) => isTaken && setTitle(undefined));
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setTitle(undefined);
          }}
        >
          <input
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for it
            autoFocus
            aria-label={t('Name of the stack')}
            maxLength={100}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
          <button type="submit" className="tr-button tr-button--primary">
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
