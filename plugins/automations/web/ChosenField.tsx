import { useT } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { TemplateNames } from '../shared/index.ts';
import { TemplateField } from './TemplateField.tsx';

interface ChosenFieldProps {
  readonly label: string;
  readonly value: string;
  /** The choices besides texts with placeholders. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly names: TemplateNames;
  readonly placeholder?: string | undefined;
  /** The field's problem. */
  readonly problem?: string | undefined;
  readonly onChange: (value: string) => void;
}

const own = 'own text';

/** A value that is chosen from a list, or written as a text with placeholders. */
export function ChosenField(props: ChosenFieldProps) {
  const { label, value, options, names, placeholder, problem, onChange } = props;
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
      {!isOwn && problem !== undefined && <small className="tr-field-problem">{problem}</small>}
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
        placeholder={placeholder}
        problem={problem}
        onChange={onChange}
      />
    </div>
  );
}
