import type { FormEvent, ReactNode } from 'react';

/** The card that sign-in and sign-up share: brand, heading, form, and the way to the other page. */
export function AuthFrame(props: {
  readonly heading: string;
  readonly intro?: string;
  readonly problem?: string;
  readonly footer: ReactNode;
  readonly children: ReactNode;
  readonly onSubmit: () => void;
}) {
  function submit(event: FormEvent) {
    event.preventDefault();
    props.onSubmit();
  }
  return (
    <main className="auth">
      <form className="auth-card" onSubmit={submit} noValidate>
        <div className="auth-brand">
          <svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true">
            <rect width="32" height="32" rx="8" fill="currentColor" />
            <path
              d="M9 9h14M9 16h14M9 23h14M9 9v14M16 9v14M23 9v14"
              stroke="var(--trellis-primary-contrast)"
              strokeWidth="2"
              strokeLinecap="round"
            />
          </svg>
        </div>
        <h1>{props.heading}</h1>
        {props.intro && <p className="auth-intro">{props.intro}</p>}
        {props.children}
        {props.problem && (
          <p className="auth-problem" role="alert">
            <i className="pi pi-exclamation-circle" aria-hidden="true" /> {props.problem}
          </p>
        )}
        <p className="auth-footer">{props.footer}</p>
      </form>
    </main>
  );
}
