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
 * A secret. The server never sends a stored secret, only a mask. The mask stays while nothing is typed, and returns when the typed
 * text is erased. An optional secret is removed by its button, which also undoes that.
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
