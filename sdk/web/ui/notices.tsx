import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useSharedT } from '../host.tsx';

/** What a place shows that has nothing to show. @public */
export interface EmptyProps {
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  readonly title: string;
  readonly text?: string;
  /** The one thing to do about it. */
  readonly children?: ReactNode;
}

/** An icon, a title, a sentence and what to do. @public */
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

/** What could not be read, and the way to try again. @public */
export interface ErrorNoticeProps {
  /** What failed; the message alone in a narrow place. */
  readonly title?: string;
  readonly message: string;
  /** Other ways on, before the one to try again. */
  readonly children?: ReactNode;
  onRetry(this: void): void;
}

/** An error in the place of what it kept from being shown. Its button goes with it, and the keys go to what it stands in. @public */
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
