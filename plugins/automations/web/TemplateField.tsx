import { useT } from '@trellis/sdk/web';
import { PopoverButton, SearchList } from '@trellis/sdk/web/ui';
import { useId, useRef } from 'react';
import { offeredNames, wrongPlaceholders, type OfferedName, type TemplateNames } from '../shared/index.ts';

interface TemplateFieldProps {
  readonly label: string;
  readonly value: string;
  readonly names: TemplateNames;
  readonly isLong?: boolean;
  readonly placeholder?: string | undefined;
  readonly help?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A text with placeholders: a list puts them in, and one behind which nothing stands is told at once. */
export function TemplateField(props: TemplateFieldProps) {
  const { label, value, names, isLong = false, placeholder, help, onChange } = props;
  const t = useT();
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const wrong = wrongPlaceholders(value, names);
  const groups: Readonly<Record<OfferedName['group'], string>> = {
    item: t('The row of this turn'),
    row: t('The row'),
    previous: t('The row before the change'),
    trigger: t('What started it'),
    steps: t('Earlier steps'),
  };
  const offered = offeredNames(names);

  function put(placeholderText: string) {
    const at = field.current?.selectionStart ?? value.length;
    const end = field.current?.selectionEnd ?? at;
    onChange(value.slice(0, at) + placeholderText + value.slice(end));
    field.current?.focus();
  }

  const common = {
    id,
    ref: field,
    className: `p-inputtext p-component${isLong ? ' automations-code' : ''}`,
    value,
    placeholder,
    spellCheck: false,
    'aria-invalid': wrong.length > 0,
    'aria-describedby': `${id}-note`,
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="tr-field">
      <label htmlFor={id}>{label}</label>
      <div className="automations-template">
        {isLong ? <textarea rows={5} {...common} /> : <input {...common} />}
        {offered.length > 0 && (
          <PopoverButton compact icon="code" label={t('Put a value into {{field}}', { field: label })}>
            {(close) => (
              <SearchList
                label={t('Search values')}
                listLabel={t('Values')}
                emptyText={t('There is no such value')}
                options={offered.map((name) => ({
                  id: name.placeholder,
                  label: name.label,
                  detail: name.placeholder,
                  group: groups[name.group],
                }))}
                onChoose={(chosen) => {
                  close();
                  put(chosen);
                }}
              />
            )}
          </PopoverButton>
        )}
      </div>
      <small id={`${id}-note`} className={wrong.length > 0 ? 'tr-field-problem' : 'tr-note'} role="status">
        {wrong.length > 0
          ? t('Nothing stands behind {{placeholders}}', { placeholders: wrong.join(', ') })
          : help}
      </small>
    </div>
  );
}
