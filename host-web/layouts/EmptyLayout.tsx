import type { ReactNode } from 'react';

/** The page alone, without bars: signing in, a short question. */
export function EmptyLayout({ children }: { readonly children: ReactNode }) {
  return <main className="tr-empty-layout">{children}</main>;
}
