import type { ReactNode } from 'react';
import { BrandMark } from '../shell/BrandMark.tsx';

/** One thing in the middle of the page, under the brand: signing in, a short question. */
export function EmptyLayout({ children }: { readonly children: ReactNode }) {
  return (
    <main className="tr-empty-layout">
      <BrandMark withName />
      {children}
    </main>
  );
}
