import { useT } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { TemplateNames } from '../shared/index.ts';
import { TemplateField } from './TemplateField.tsx';

interface ChosenFieldProps {
  readonly label: string;
  readonly value: string;
  /** What is chosen from, beside texts with placeholders. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly names: TemplateNames;
  readonly onChange: (value: string) => void;
}

const own = 'own text';

/** A value that is chosen from a list, or written as a text with placeholders. */
export function ChosenField({ label, value, options, names, onChange }: ChosenFieldProps) {
  const t = useT();
  const isListed = value === '' || options.some((option) => option.value === value);
  const [isOwn, setOwn] = useState(!isListed);
  const choice = (
    <label className="tr-field">
      <span>{label}</span>
      <Select<string>
        label={label}
        value={isOwn ? own : `of ${value}`}
        options={[
          { value: 'of ', label: t('Empty') },
          ...options.map((option) => ({ value: `of ${option.value}`, label: option.label })),
          { value: own, label: t('A text with placeholders …') },
        ]}
        onChange={(chosen) => {
          setOwn(chosen === own);
          if (chosen !== own) onChange(chosen.slice('of '.length));
        }}
      />
    </label>
  );
  if (!isOwn) return choice;
  return (
    <div className="automations-chosen">
      {choice}
      <TemplateField
        label={t('{{column}} as a text', { column: label })}
        value={value}
        names={names}
        onChange={onChange}
      />
    </div>
  );
}
