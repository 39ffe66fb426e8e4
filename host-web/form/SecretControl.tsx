import { SECRET_MASK } from '@trellis/core';
import { useT } from '@trellis/sdk/web';
import { InputText } from 'primereact/inputtext';
import { InputTextarea } from 'primereact/inputtextarea';
import { useState } from 'react';
import type { ControlProps } from './Control.tsx';

interface SecretControlProps extends ControlProps {
  /** The value as text. */
  readonly text: string;
  readonly hasLines: boolean;
}

/**
 * A secret. What is stored is never sent here: a mask stands for it. It stays while nothing is typed, and when what was typed is erased
 * again; an optional one is taken away by its button, which takes that back as well.
 */
export function SecretControl(props: SecretControlProps) {
  const { id, schema, text, hasLines, required, disabled, invalid, describedBy, onChange, onBlur } = props;
  const t = useT();
  const [stored, setStored] = useState<'none' | 'kept' | 'removed'>('none');
  const isMasked = text === SECRET_MASK;
  if (isMasked && stored !== 'kept') setStored('kept');
  const emptied = stored === 'kept' ? SECRET_MASK : required ? '' : undefined;
  const shared = {
    id,
    value: isMasked ? '' : text,
    placeholder: isMasked ? t('Stored; type to replace it') : schema['x-ui']?.placeholder,
    disabled,
    invalid,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange(target.value === '' ? emptied : target.value),
    onBlur,
    'aria-describedby': describedBy,
    'aria-invalid': invalid,
    'aria-required': required,
  };
  return (
    <div className="tr-secret">
      {hasLines ? (
        <InputTextarea {...shared} autoComplete="off" spellCheck={false} rows={4} />
      ) : (
        <InputText {...shared} type="password" autoComplete="new-password" />
      )}
      {(isMasked || stored === 'removed') && !required && !disabled && (
        <button
          type="button"
          className="tr-link"
          onClick={() => {
            setStored(isMasked ? 'removed' : 'kept');
            onChange(isMasked ? undefined : SECRET_MASK);
          }}
        >
          {isMasked ? t('Remove what is stored') : t('Keep what is stored')}
        </button>
      )}
    </div>
  );
}
