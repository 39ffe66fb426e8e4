import { useT } from '@trellis/sdk/web';
import { useEffect, useEffectEvent, useRef } from 'react';
import { isPlainAddress, type FormOptions } from '../shared/index.ts';

/** Milliseconds before an empty form is shown again. */
const blankAfter = 5000;

/** Shown after sending: the message, another form, or another page. */
export function FormSent({
  options,
  onAgain,
}: {
  readonly options: FormOptions;
  readonly onAgain: () => void;
}) {
  const { successMessage, submitsAnother, showsBlank, redirectUrl } = options;
  const t = useT();
  const message = useRef<HTMLDivElement>(null);
  const again = useEffectEvent(onAgain);
  const isLeaving = isPlainAddress(redirectUrl) && URL.canParse(redirectUrl);
  useEffect(() => {
    // The button that had the focus is gone.
    message.current?.focus();
    if (isLeaving) {
      window.location.assign(redirectUrl);
      return undefined;
    }
    const timer = showsBlank ? setTimeout(() => again(), blankAfter) : undefined;
    return () => clearTimeout(timer);
  }, [isLeaving, redirectUrl, showsBlank]);
  return (
    <div className="form-sent" ref={message} tabIndex={-1} role="status">
      <i className="pi pi-check-circle" aria-hidden="true" />
      <p dir="auto">{successMessage || t('Thank you! Your answer was sent.')}</p>
      {isLeaving ? (
        <a href={redirectUrl} rel="noopener noreferrer">
          {t('Continue to {{address}}', { address: new URL(redirectUrl).host })}
        </a>
      ) : (
        <>
          {submitsAnother && (
            <button type="button" className="tr-button" onClick={onAgain}>
              {t('Submit another form')}
            </button>
          )}
          {showsBlank && <small className="tr-note">{t('A blank form is shown in 5 seconds.')}</small>}
        </>
      )}
    </div>
  );
}
