import type { ReactNode } from 'react';
import { Slot } from '../shell/Slot.tsx';
import { BrandMark } from '../shell/BrandMark.tsx';

/** What is shared by a link: a slim bar with the brand over the content. */
export function SharedLayout({ children }: { readonly children: ReactNode }) {
  return (
    <div className="tr-shell">
      <header className="tr-top-bar tr-top-bar--slim">
        <BrandMark withName />
        <span className="tr-spacer" />
        <Slot name="top-bar-end" />
      </header>
      <main className="tr-main">{children}</main>
    </div>
  );
}
