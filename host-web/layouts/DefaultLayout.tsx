import { useT } from '@trellis/sdk/web';
import { useCallback, useState, type ReactNode } from 'react';
import { SideBar, useHasSideBar } from '../shell/SideBar.tsx';
import { TopBar } from '../shell/TopBar.tsx';
import { DrawerContext } from './drawer.ts';

/** Top bar, side bar and the page. On a phone the side bar is a drawer. */
export function DefaultLayout({ children }: { readonly children: ReactNode }) {
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
