import { TabPanel, TabView } from 'primereact/tabview';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useSharedT } from '../host.tsx';
import { isRightToLeft } from './page-language.ts';

/** One tab. @public */
export interface TabItem {
  readonly id: string;
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon?: string;
}

/** The props of tabs with their content. @public */
export interface TabsProps {
  /** The name of the list of tabs. */
  readonly label: string;
  readonly items: readonly TabItem[];
  /** The chosen tab's id. */
  readonly value: string | undefined;
  /** The tabs are beside their content; above it on phones. */
  readonly vertical?: boolean;
  readonly className?: string;
  /** The content of the chosen tab. */
  readonly children: ReactNode;
  onChange(this: void, id: string): void;
  /** Lets tabs be closed: by their close button, the middle mouse button, or Delete. */
  onClose?(this: void, id: string): void;
}

/**
 * A list of tabs with the panel of the chosen one. The arrow keys choose the next one in reading direction, Home and End the first
 * and the last. (PrimeReact's tabs support neither the direction nor vertical tabs, and put the close button into the tab, where
 * screen readers cannot reach it.)
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
  // A closed tab loses the focus, which moves to the chosen one.
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

  // Before PrimeReact handles it.
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
                {/* For the mouse only: a tab list may contain nothing but tabs, and Delete closes one by keyboard. */}
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
