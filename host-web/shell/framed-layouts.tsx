import { useT } from '@trellis/sdk/web';
import { BrandMark } from '@trellis/sdk/web/ui';
import { useCallback, useState, type ReactNode } from 'react';
import { DrawerContext } from './drawer.ts';
import { SideBar, useHasSideBar } from './SideBar.tsx';
import { Slot } from './Slot.tsx';
import { TopBar } from './TopBar.tsx';

interface LayoutProps {
  readonly children: ReactNode;
}

/** Top bar, side bar and page. On a phone the side bar is a drawer. */
export function DefaultLayout({ children }: LayoutProps) {
  const t = useT();
  const hasSideBar = useHasSideBar();
  const [drawerOpen, setDrawerOpen] = useState(false);
  const closeDrawer = useCallback(() => setDrawerOpen(false), []);
  const openDrawer = useCallback(() => setDrawerOpen(true), []);
  const focusMain = () => document.getElementById('tr-main')?.focus();
  return (
    <div className="tr-shell">
      <button type="button" className="tr-skip" onClick={focusMain}>
        {t('Skip to the content')}
      </button>
      <TopBar
        onToggleDrawer={hasSideBar ? () => setDrawerOpen(!drawerOpen) : undefined}
        drawerOpen={drawerOpen}
      />
      <div className="tr-body">
        {hasSideBar && <SideBar drawerOpen={drawerOpen} onCloseDrawer={closeDrawer} />}
        <main className="tr-main" id="tr-main" tabIndex={-1}>
          <DrawerContext value={hasSideBar ? openDrawer : undefined}>{children}</DrawerContext>
        </main>
      </div>
    </div>
  );
}

/** For content that is shared by a link: a slim bar with the brand above the content. */
export function SharedLayout({ children }: LayoutProps) {
  return (
    <div className="tr-shell">
      <header className="tr-top-bar tr-top-bar--slim">
        <BrandMark withName />
        <span className="tr-gap" />
        <Slot name="top-bar-end" />
      </header>
      <main className="tr-main">{children}</main>
    </div>
  );
}
