import { type ReactNode, useId } from 'react';
import { useHost } from '../host.tsx';
import { copyText } from './copy-text.ts';

/** A text to be copied. @public */
export interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** What it is good for, below it. */
  readonly hint?: string;
  /** Told when the text is in the clipboard. */
  readonly copied: string;
  /** Told when the browser refuses: the text can be selected instead. */
  readonly refused: string;
  /** Called when the text is in the clipboard, by the button or by the keys of the browser. */
  onCopied?(this: void): void;
}

/** A text that is read and copied but not changed, such as a link. @public */
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
