import { useT } from '@trellis/sdk/web';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** A primeicons name. */
  readonly icon: string;
  readonly title: string;
  readonly text: string;
  /** The one thing to do about it. */
  readonly children?: ReactNode;
}

/** What a place shows that has nothing to show. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  const t = useT();
  return (
    <section className="tr-empty">
      <i className={`pi pi-${icon}`} aria-hidden="true" />
      <h2>{t(title)}</h2>
      <p>{t(text)}</p>
      {children}
    </section>
  );
}
