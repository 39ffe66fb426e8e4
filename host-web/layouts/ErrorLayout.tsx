import type { ReactNode } from 'react';

/** A page that says what went wrong. */
export function ErrorLayout({ children }: { readonly children: ReactNode }) {
  return <main className="tr-error-layout">{children}</main>;
}
