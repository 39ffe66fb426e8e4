import { useShell, useT } from '@trellis/sdk/web';
import { isRightToLeft } from '@trellis/sdk/web/ui';
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation, useNavigationType } from 'react-router-dom';
import type { HostState } from '../store/store.ts';
import { settingsSlice } from '../store/settings-slice.ts';
import { isCovered } from './keyboard.ts';
import { Slot, useSlotItems } from './Slot.tsx';

const minWidth = 200;
const maxWidth = 440;

export function useHasSideBar(): boolean {
  return useSlotItems('side-bar').length > 0;
}

interface ResizeHandleProps {
  readonly width: number;
  readonly onResize: (width: number) => void;
  readonly onDone: (width: number) => void;
}

interface SideBarProps {
  readonly drawerOpen: boolean;
  readonly onCloseDrawer: () => void;
}

/** The panes of plugins at the side. Its edge can be dragged; on a phone it slides over the page. */
export function SideBar({ drawerOpen, onCloseDrawer }: SideBarProps) {
  const t = useT();
  const dispatch = useDispatch();
  const kept = useSelector(({ settings }: HostState) => settings.sideBarWidth);
  /** The width during a drag; the stored width is written once, at the end. */
  const [dragged, setDragged] = useState<number>();
  const width = dragged ?? kept;
  const keep = (sideBarWidth: number) => {
    setDragged(undefined);
    dispatch(settingsSlice.actions.changed({ sideBarWidth }));
  };
  const shell = useShell();
  const { key } = useLocation();
  const how = useNavigationType();
  const isPressed = useRef(false);
  useEffect(() => {
    // Automatic navigation, such as to the first table, does not close a drawer that was just opened.
    if (how !== 'REPLACE' || isPressed.current) onCloseDrawer();
    isPressed.current = false;
  }, [key, how, onCloseDrawer]);
  useEffect(() => {
    // Presses before the drawer was opened do not count.
    isPressed.current = false;
  }, [drawerOpen]);
  useEffect(() => {
    // Opening the tab that is already open does not change the address.
    const opened = shell.onDidOpenTab(() => isPressed.current && onCloseDrawer());
    return () => opened.dispose();
  }, [shell, onCloseDrawer]);
  useEffect(() => {
    if (!drawerOpen) return undefined;
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isTaken = event.defaultPrevented || event.isComposing || isCovered();
      if (event.key === 'Escape' && !isTaken) onCloseDrawer();
    };
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
        onClickCapture={() => {
          isPressed.current = true;
        }}
      >
        <Slot name="side-bar" />
        <ResizeHandle width={width} onResize={setDragged} onDone={keep} />
      </aside>
    </>
  );
}

function ResizeHandle({ width, onResize, onDone }: ResizeHandleProps) {
  const t = useT();
  const clamped = (next: number) => Math.round(Math.min(maxWidth, Math.max(minWidth, next)));
  const isDragging = ({ currentTarget, pointerId }: PointerEvent<HTMLDivElement>) =>
    currentTarget.hasPointerCapture(pointerId);
  // In a right-to-left page the bar is at the right.
  const widthAt = ({ clientX }: PointerEvent<HTMLDivElement>) =>
    clamped(isRightToLeft() ? window.innerWidth - clientX : clientX);
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    const sign = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (sign !== undefined) onDone(clamped(width + 16 * (isRightToLeft() ? -sign : sign)));
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
      onPointerMove={(event) => isDragging(event) && onResize(widthAt(event))}
      onPointerUp={(event) => isDragging(event) && onDone(widthAt(event))}
      onPointerCancel={() => onDone(width)}
      onKeyDown={step}
    />
  );
}
