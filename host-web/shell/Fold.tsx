import { useT } from '@trellis/sdk/web';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * A part of a bar that does not fit on a phone: there it is a list under a button; elsewhere its children are in the bar. They stay
 * mounted while the list is closed, so that a dialog that one of them opened stays open.
 */
export function Fold({ children }: { readonly children: ReactNode }) {
  const t = useT();
  const { key } = useLocation();
  /** The location at which the list was opened: it closes when the location changes. */
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === key;
  const button = useRef<HTMLButtonElement>(null);
  /** A press in something that an entry opened counts as inside the list, wherever it is drawn. */
  const isInside = useRef(false);
  useEffect(() => {
    if (!isOpen) return;
    const onPress = (): void => {
      if (!isInside.current) setOpenedAt(undefined);
      isInside.current = false;
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [isOpen]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const isOurs = event.currentTarget.contains(event.target as Node);
    if (event.key !== 'Escape' || event.defaultPrevented || !isOurs || !isOpen) return;
    event.preventDefault();
    setOpenedAt(undefined);
    button.current?.focus();
  };
  return (
    <div
      className="tr-fold"
      role="presentation"
      onKeyDown={onKeyDown}
      onPointerDownCapture={() => {
        isInside.current = true;
      }}
    >
      <button
        ref={button}
        type="button"
        className="tr-icon-button tr-only-phone"
        aria-label={t('More')}
        aria-expanded={isOpen}
        onClick={() => setOpenedAt(isOpen ? undefined : key)}
      >
        <i className="pi pi-ellipsis-v" aria-hidden="true" />
      </button>
      <div className="tr-fold-items" data-open={isOpen}>
        {children}
      </div>
    </div>
  );
}
