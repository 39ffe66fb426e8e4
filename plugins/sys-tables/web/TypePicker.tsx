import { useT, type WebColumnType } from '@trellis/sdk/web';
import { SearchList } from '@trellis/sdk/web/ui';
import { useEffect, useRef, useState } from 'react';

interface TypePickerProps {
  readonly types: readonly WebColumnType[];
  readonly value: string;
  readonly onChange: (type: WebColumnType) => void;
}

/** Chooses a column type from a list with search and arrow keys. */
export function TypePicker({ types, value, onChange }: TypePickerProps) {
  const t = useT();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasClosed, setWasClosed] = useState(false);
  const chosen = types.find((type) => type.id === value);

  // The closing list takes the focus with it, and the form's keys would stop working.
  useEffect(() => {
    if (wasClosed && !isOpen) button.current?.focus();
  }, [wasClosed, isOpen]);

  function close() {
    setOpen(false);
    setWasClosed(true);
  }

  if (isOpen) {
    return (
      <SearchList
        label={t('Search types')}
        listLabel={t('Column types')}
        emptyText={t('No type matches.')}
        value={value}
        options={types.map(({ id, icon, label, description }) => ({
          id,
          icon,
          label: t(label),
          // Users of other products search for the name in the API.
          words: `${id} ${label}`,
          detail: description === undefined ? undefined : t(description),
        }))}
        onCancel={close}
        onChoose={(id) => {
          const type = types.find((of) => of.id === id);
          if (type) onChange(type);
          close();
        }}
      />
    );
  }
  return (
    <button
      ref={button}
      type="button"
      className="tables-type"
      aria-haspopup="listbox"
      aria-label={t('Column type: {{type}}', { type: t(chosen?.label ?? value) })}
      onClick={() => setOpen(true)}
    >
      <i className={`pi pi-${chosen?.icon ?? 'question-circle'}`} aria-hidden="true" />
      <span>{t(chosen?.label ?? value)}</span>
      <i className="pi pi-chevron-down" aria-hidden="true" />
    </button>
  );
}
