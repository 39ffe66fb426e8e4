import { BrandMark } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';

/** The card in the middle of the pages around signing in. */
export function AuthCard({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <main className="auth">
      <section className="auth-card">
        <BrandMark size={36} />
        <h1>{heading}</h1>
        {children}
      </section>
    </main>
  );
}
