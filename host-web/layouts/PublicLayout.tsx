import type { ReactNode } from 'react';

/** A page for everyone, often inside another one: nothing but the content. */
export function PublicLayout({ children }: { readonly children: ReactNode }) {
  return <main className="tr-public-layout">{children}</main>;
}
