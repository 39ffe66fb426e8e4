import { useT, type WebColumnType } from '@trellis/sdk/web';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';

interface TypePickerProps {
  readonly types: readonly WebColumnType[];
  readonly value: string;
  readonly onChange: (type: WebColumnType) => void;
}

/** Chooses a column type: a list that can be searched and walked with the arrow keys. */
export function TypePicker({ types, value, onChange }: TypePickerProps) {
  const t = useT();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasClosed, setWasClosed] = useState(false);
  const chosen = types.find((type) => type.id === value);

  // The list takes its focus with it, and the keys of the form around would be dead.
  useEffect(() => {
    if (wasClosed && !isOpen) button.current?.focus();
  }, [wasClosed, isOpen]);

  function close() {
    setOpen(false);
    setWasClosed(true);
  }

  if (isOpen) {
    return (
      <TypeList
        types={types}
        value={value}
        onCancel={close}
        onChoose={(type) => {
          onChange(type);
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

function TypeList(props: {
  readonly types: readonly WebColumnType[];
  readonly value: string;
  readonly onChoose: (type: WebColumnType) => void;
  readonly onCancel: () => void;
}) {
  const t = useT();
  const id = useId();
  const [search, setSearch] = useState('');
  const [activeId, setActiveId] = useState(props.value);
  const wanted = search.trim().toLowerCase();
  const shown = props.types.filter((type) =>
    `${t(type.label)} ${t(type.description ?? '')}`.toLowerCase().includes(wanted),
  );
  const active = shown.find((type) => type.id === activeId) ?? shown[0];
  const optionId = (typeId: string) => `${id}-${typeId}`;
  const activeOption = active && optionId(active.id);

  useEffect(() => {
    if (activeOption !== undefined) {
      document.getElementById(activeOption)?.scrollIntoView?.({ block: 'nearest' });
    }
  }, [activeOption]);

  function onKeyDown(event: KeyboardEvent) {
    const at = active ? shown.indexOf(active) : -1;
    if (event.key === 'Enter') {
      if (active) props.onChoose(active);
    } else if (event.key === 'Escape') props.onCancel();
    else if (event.key === 'ArrowDown') setActiveId(shown[Math.min(at + 1, shown.length - 1)]?.id ?? '');
    else if (event.key === 'ArrowUp') setActiveId(shown[Math.max(at - 1, 0)]?.id ?? '');
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="tables-types">
      <input
        className="p-inputtext p-component"
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={activeOption}
        value={search}
        placeholder={t('Search types')}
        aria-label={t('Search types')}
        autoFocus
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <ul id={id} role="listbox" aria-label={t('Column types')}>
        {shown.map((type) => (
          <li
            key={type.id}
            id={optionId(type.id)}
            role="option"
            aria-selected={type.id === props.value}
            data-active={type === active}
            onPointerMove={() => setActiveId(type.id)}
            onClick={() => props.onChoose(type)}
          >
            <i className={`pi pi-${type.icon}`} aria-hidden="true" />
            <span>
              <strong>{t(type.label)}</strong>
              {type.description && <small>{t(type.description)}</small>}
            </span>
            {type.id === props.value && <i className="pi pi-check" aria-hidden="true" />}
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <p className="tables-note" role="status">
          {t('No type matches.')}
        </p>
      )}
    </div>
  );
}
