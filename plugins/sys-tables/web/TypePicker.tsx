import { useT, type WebColumnType } from '@trellis/sdk/web';
import { useId, useState } from 'react';

/** Chooses a column type: a list that can be searched and walked with the arrow keys. */
export function TypePicker(props: {
  readonly types: readonly WebColumnType[];
  readonly value: string;
  readonly onChange: (type: WebColumnType) => void;
}) {
  const t = useT();
  const id = useId();
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const chosen = props.types.find((type) => type.id === props.value);
  const shown = props.types.filter((type) =>
    `${type.label} ${type.description ?? ''}`.toLowerCase().includes(search.trim().toLowerCase()),
  );

  function choose(type: WebColumnType) {
    props.onChange(type);
    setOpen(false);
    setSearch('');
  }

  if (!isOpen) {
    return (
      <button
        type="button"
        className="tables-type"
        aria-haspopup="listbox"
        aria-label={t('Column type: {{type}}', { type: chosen?.label ?? props.value })}
        onClick={() => setOpen(true)}
      >
        <i className={`pi pi-${chosen?.icon ?? 'question-circle'}`} aria-hidden="true" />
        <span>{chosen?.label ?? props.value}</span>
        <i className="pi pi-chevron-down" aria-hidden="true" />
      </button>
    );
  }
  return (
    <div className="tables-types">
      <input
        className="p-inputtext p-component"
        value={search}
        placeholder={t('Search types')}
        aria-label={t('Search types')}
        aria-controls={id}
        autoFocus
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          const [first] = shown;
          if (event.key === 'Enter') {
            event.preventDefault();
            if (first) choose(first);
          } else if (event.key === 'Escape') {
            event.stopPropagation();
            setOpen(false);
          } else if (event.key === 'ArrowDown') {
            event.preventDefault();
            document.getElementById(id)?.querySelector('button')?.focus();
          }
        }}
      />
      <ul id={id} role="listbox" aria-label={t('Column types')}>
        {shown.map((type) => (
          <li key={type.id} role="option" aria-selected={type.id === props.value}>
            <button
              type="button"
              onClick={() => choose(type)}
              onKeyDown={(event) => {
                const item = event.currentTarget.parentElement;
                const next =
                  event.key === 'ArrowDown'
                    ? item?.nextElementSibling
                    : event.key === 'ArrowUp'
                      ? item?.previousElementSibling
                      : undefined;
                if (next) {
                  event.preventDefault();
                  next.querySelector('button')?.focus();
                }
              }}
            >
              <i className={`pi pi-${type.icon}`} aria-hidden="true" />
              <span>
                <strong>{type.label}</strong>
                {type.description && <small>{type.description}</small>}
              </span>
            </button>
          </li>
        ))}
        {shown.length === 0 && <li className="tables-note">{t('No type matches.')}</li>}
      </ul>
    </div>
  );
}
