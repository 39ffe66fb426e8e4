import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** What covers the page. @public */
export interface CoverProps {
  /** What it is for, to whoever does not see it. */
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * Covers the whole page, its dialogs and menus too, until its owner takes it away: neither a key nor a press does. What stands under it
 * stays as it is, and can be neither read nor reached; the focus goes back there at the end.
 * @public
 */
export function Cover({ label, className = '', children }: CoverProps): ReactNode {
  return (
    <dialog
      className={`tr-cover ${className}`}
      tabIndex={-1}
      aria-label={label}
      // Commands by keys ask for it, also while nothing within has the focus.
      aria-modal="true"
      // Escape must not open the page to whoever stands before it.
      onCancel={(event) => event.preventDefault()}
      // Browsers close a dialog at the second Escape, whatever is said to the first.
      onClose={({ currentTarget }) => cover(currentTarget)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.preventDefault();
        event.stopPropagation();
      }}
    >
      {/* The first thing within: a field that takes the focus by itself gets it only in a dialog that is open. */}
      <Opening />
      {children}
    </dialog>
  );
}

/** Opens the dialog that it stands in, and gives the focus back at the end. */
function Opening() {
  const place = useRef<HTMLSpanElement>(null);
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const dialog = place.current?.closest('dialog');
    if (dialog) cover(dialog);
  }, []);
  useEffect(
    () => () => {
      // By now the dialog is gone from the page: nothing takes the focus under one that is open.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
  return <span ref={place} hidden />;
}

/** Shows a dialog above all other layers. */
function cover(dialog: HTMLDialogElement): void {
  dialog.showModal();
  // Not the first button, which browsers would choose: whoever types just then would press it by Enter.
  dialog.focus();
}
