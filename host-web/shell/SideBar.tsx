import { useT } from '@trellis/sdk/web';
import { useEffect, type PointerEvent } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import type { HostState } from '../store/store.ts';
import { settingsSlice } from '../store/settings-slice.ts';
import { Slot, useSlotItems } from './Slot.tsx';

const minWidth = 200;
const maxWidth = 440;

export function useHasSideBar(): boolean {
  return useSlotItems('side-bar').length > 0;
}

interface SideBarProps {
  readonly drawerOpen: boolean;
  readonly onCloseDrawer: () => void;
}

/** The panes that plugins put at the side. Its edge can be dragged; on a phone it slides over the page. */
export function SideBar({ drawerOpen, onCloseDrawer }: SideBarProps) {
  const t = useT();
  const width = useSelector(({ settings }: HostState) => settings.sideBarWidth);
  const { key } = useLocation();
  useEffect(onCloseDrawer, [key, onCloseDrawer]);
  useEffect(() => {
    if (!drawerOpen) return undefined;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onCloseDrawer();
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [drawerOpen, onCloseDrawer]);
  return (
    <>
      {drawerOpen && <div className="tr-drawer-mask" onClick={onCloseDrawer} role="presentation" />}
      <aside
        className={drawerOpen ? 'tr-side-bar tr-side-bar--open' : 'tr-side-bar'}
        style={{ width }}
        aria-label={t('Side bar')}
      >
        <Slot name="side-bar" />
        <ResizeHandle width={width} />
      </aside>
    </>
  );
}

function ResizeHandle({ width }: { readonly width: number }) {
  const t = useT();
  const dispatch = useDispatch();
  const resize = (next: number) => {
    const sideBarWidth = Math.round(Math.min(maxWidth, Math.max(minWidth, next)));
    dispatch(settingsSlice.actions.changed({ sideBarWidth }));
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(event.clientX);
  };
  return (
    <div
      className="tr-side-bar-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={t('Width of the side bar')}
      aria-valuenow={width}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') resize(width - 16);
        if (event.key === 'ArrowRight') resize(width + 16);
      }}
    />
  );
}
