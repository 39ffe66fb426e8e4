import type { ReactNode } from 'react';

/** What stands around a page: nothing but room. */
export function QuietFrame({ children }: { readonly children: ReactNode }) {
  return <main style={{ padding: '32px', background: 'var(--trellis-surface-2)' }}>{children}</main>;
}
