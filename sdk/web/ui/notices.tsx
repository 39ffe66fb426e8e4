import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useSharedT } from '../host.tsx';

/** The props of a place without content. @public */
export interface EmptyProps {
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  readonly title: string;
  readonly text?: string;
  /** The one action for it. */
  readonly children?: ReactNode;
}

/** An icon, a title, a sentence and an action. @public */
export function Empty({ icon, title, text, children }: EmptyProps): ReactNode {
  return (
    <section className="tr-empty">
      <i className={`pi pi-${icon}`} aria-hidden="true" />
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children}
    </section>
  );
}

/** The props of an error with a button to retry. @public */
export interface ErrorNoticeProps {
  /** What failed; in a narrow place only the message is shown. */
  readonly title?: string;
  readonly message: string;
  /** Other actions, before the button to retry. */
  readonly children?: ReactNode;
  onRetry(this: void): void;
}

/** An error in place of the content that it prevented. When its button disappears, the focus moves to its container. @public */
export function ErrorNotice({ title, message, children, onRetry }: ErrorNoticeProps): ReactNode {
  const t = useSharedT();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element !== null && document.activeElement === element)
        element.parentElement?.closest<HTMLElement>('[tabindex]')?.focus();
    };
  }, []);
  return (
    <section className={title === undefined ? 'tr-error-notice' : 'tr-empty'} role="alert">
      {title !== undefined && (
        <>
          <i className="pi pi-exclamation-circle" aria-hidden="true" />
          <h2>{title}</h2>
        </>
      )}
      <p>{message}</p>
      {children}
      <button ref={button} type="button" className="tr-button" onClick={onRetry}>
        {t('Try again')}
      </button>
    </section>
  );
}
