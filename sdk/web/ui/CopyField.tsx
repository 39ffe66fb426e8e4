import { type ReactNode, useId } from 'react';
import { useHost } from '../host.tsx';
import { copyText } from './copy-text.ts';

/** The props of a text for copying. @public */
export interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** Its purpose, below it. */
  readonly hint?: string;
  /** The message after copying. */
  readonly copied: string;
  /** The message if the browser refuses: the text can be selected instead. */
  readonly refused: string;
  /** Called after the text was copied, by the button or by the browser's keys. */
  onCopied?(this: void): void;
}

/** A read-only text for copying, such as a link. @public */
export function CopyField({ label, value, hint, copied, refused, onCopied }: CopyFieldProps): ReactNode {
  const { sharedT: t, toast } = useHost();
  const id = useId();

  async function copy(): Promise<void> {
    const isCopied = await copyText(value);
    if (isCopied) onCopied?.();
    toast(isCopied ? { severity: 'success', summary: copied } : { severity: 'error', summary: refused });
  }

  return (
    <div className="tr-field">
      <label htmlFor={id}>{label}</label>
      <div className="tr-copy">
        <input
          id={id}
          className="p-inputtext p-component"
          readOnly
          dir="ltr"
          value={value}
          aria-describedby={hint === undefined ? undefined : `${id}-note`}
          onCopy={onCopied}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" className="tr-button" onClick={() => void copy()}>
          <i className="pi pi-copy" aria-hidden="true" /> {t('Copy')}
        </button>
      </div>
      {hint !== undefined && (
        <small id={`${id}-note`} className="tr-note">
          {hint}
        </small>
      )}
    </div>
  );
}
