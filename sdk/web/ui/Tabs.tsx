import { TabPanel, TabView } from 'primereact/tabview';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useSharedT } from '../host.tsx';
import { isRightToLeft } from './page-language.ts';

/** One of several things in one place. @public */
export interface TabItem {
  readonly id: string;
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon?: string;
}

/** Tabs over what the chosen one shows. @public */
export interface TabsProps {
  /** The name of the list of tabs. */
  readonly label: string;
  readonly items: readonly TabItem[];
  /** The chosen tab's id. */
  readonly value: string | undefined;
  /** The tabs stand beside their content; a phone shows them above it. */
  readonly vertical?: boolean;
  readonly className?: string;
  /** What the chosen tab shows. */
  readonly children: ReactNode;
  onChange(this: void, id: string): void;
  /** Lets tabs be closed: by their cross, the middle button, or Delete. */
  onClose?(this: void, id: string): void;
}

/**
 * A list of tabs with the panel of the chosen one. The arrow keys choose the next in the direction that is read, Home and End the first
 * and the last. (PrimeReact's tabs know neither the direction nor columns of tabs, and put the cross into the tab, where a screen reader
 * cannot reach it.)
 *
 * @public
 */
export function Tabs(props: TabsProps): ReactNode {
  const { label, items, value, vertical = false, className, children, onChange, onClose } = props;
  const t = useSharedT();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const active = items.findIndex((item) => item.id === value);

  useEffect(() => {
    box.current?.querySelector('[role=tab][aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' });
  }, [value]);
  // What had the focus goes with its tab: the keys belong to the one that is chosen then.
  const isClosing = useRef(false);
  useEffect(() => {
    if (!isClosing.current) return;
    isClosing.current = false;
    if (document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
  }, [items.length]);

  function close(item: string): void {
    isClosing.current = true;
    onClose?.(item);
  }

  // Before PrimeReact hears it.
  function onKeyDown(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLElement) || event.target.role !== 'tab') return;
    const [back, on] = vertical
      ? ['ArrowUp', 'ArrowDown']
      : isRightToLeft()
        ? ['ArrowRight', 'ArrowLeft']
        : ['ArrowLeft', 'ArrowRight'];
    const to = {
      [back]: active - 1 + items.length,
      [on]: active + 1,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    const next = to === undefined ? undefined : items[to % items.length];
    if (next !== undefined) choose(next.id);
    else if (event.key === 'Delete' && onClose !== undefined && value !== undefined) close(value);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function choose(next: string): void {
    onChange(next);
    const at = items.findIndex((item) => item.id === next);
    box.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus();
  }

  return (
    <div
      ref={box}
      className={`tr-tabs ${className ?? ''}`}
      data-vertical={vertical}
      onKeyDownCapture={onKeyDown}
    >
      <TabView
        id={id}
        activeIndex={active}
        onTabChange={({ index }) => {
          const item = items[index];
          if (item !== undefined) onChange(item.id);
        }}
        pt={{ nav: { 'aria-label': label, 'aria-orientation': vertical ? 'vertical' : 'horizontal' } }}
      >
        {items.map((item) => (
          <TabPanel
            key={item.id}
            header={item.label}
            leftIcon={item.icon === undefined ? undefined : `pi pi-${item.icon}`}
            headerTemplate={({ element }) => (
              <>
                {element}
                {/* For the mouse alone: a list of tabs may hold nothing but tabs, and Delete closes one by keyboard. */}
                {onClose !== undefined && (
                  <button
                    type="button"
                    tabIndex={-1}
                    aria-hidden="true"
                    className="tr-tab-close"
                    title={t('Close {{name}}', { name: item.label })}
                    onClick={() => close(item.id)}
                  >
                    <i className="pi pi-times" aria-hidden="true" />
                  </button>
                )}
              </>
            )}
            pt={{
              headerAction: {
                title: item.label,
                'aria-keyshortcuts': onClose === undefined ? undefined : 'Delete',
                onAuxClick: (event: { button: number }) => event.button === 1 && close(item.id),
              },
            }}
          >
            {item.id === value && children}
          </TabPanel>
        ))}
      </TabView>
    </div>
  );
}
