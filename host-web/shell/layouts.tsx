import { lazyPart, type WebLayout } from '@trellis/sdk/web';
import type { ReactNode } from 'react';

// Bars and menus are more than half of the frame's code, and the sign-in page shows none of them.
const DefaultLayout = lazyPart(async () => ({
  default: (await import('./framed-layouts.tsx')).DefaultLayout,
}));
const SharedLayout = lazyPart(async () => ({ default: (await import('./framed-layouts.tsx')).SharedLayout }));

/** Only the page, without bars. */
function plainLayout(className: string) {
  return function PlainLayout({ children }: { readonly children: ReactNode }) {
    return <main className={className}>{children}</main>;
  };
}

/**
 * The layouts that every page can use: `empty` for signing in, `public` inside other pages, `rpa` for an app that fills the page.
 */
export const layouts: readonly WebLayout[] = [
  { id: 'default', Component: DefaultLayout },
  { id: 'shared', Component: SharedLayout },
  { id: 'empty', Component: plainLayout('tr-empty-layout') },
  { id: 'error', Component: plainLayout('tr-error-layout') },
  { id: 'public', Component: plainLayout('tr-public-layout') },
  { id: 'rpa', Component: plainLayout('tr-rpa-layout') },
];
