import type { ReactNode } from 'react';

/** The container of an app that fills the page. */
export function RpaLayout({ children }: { readonly children: ReactNode }) {
  return <main className="tr-rpa-layout">{children}</main>;
}
