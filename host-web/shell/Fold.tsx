import { useT } from '@trellis/sdk/web';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * A part of a bar that a phone has no room for: there it is a list under a button, everywhere else its children stand in the bar as
 * they are. They stay mounted while the list is closed, so that a dialog that one of them opened outlives it.
 */
export function Fold({ children }: { readonly children: ReactNode }) {
  const t = useT();
  const { key } = useLocation();
  /** Where the page was when the list was opened: it belongs to that place alone. */
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === key;
  const button = useRef<HTMLButtonElement>(null);
  /** A press in what an entry opened is a press in the list, wherever it is drawn. */
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
