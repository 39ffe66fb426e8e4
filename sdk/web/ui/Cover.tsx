import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** The props of a cover over the page. @public */
export interface CoverProps {
  /** Its purpose, for screen readers. */
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * Covers the whole page, including dialogs and menus, until its owner removes it: neither a key nor a click does. The page under it
 * keeps its state, but can be neither read nor reached; at the end the focus returns there.
 * @public
 */
export function Cover({ label, className = '', children }: CoverProps): ReactNode {
  return (
    <dialog
      className={`tr-cover ${className}`}
      tabIndex={-1}
      aria-label={label}
      // Keyboard commands check it, even if nothing inside has the focus.
      aria-modal="true"
      // Escape must not uncover the page.
      onCancel={(event) => event.preventDefault()}
      // Browsers close a dialog at the second Escape, even if the first was prevented.
      onClose={({ currentTarget }) => cover(currentTarget)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.preventDefault();
        event.stopPropagation();
      }}
    >
      {/* The first element inside: a field with autofocus gets the focus only in an open dialog. */}
      <Opening />
      {children}
    </dialog>
  );
}

/** Opens the dialog that contains it, and returns the focus at the end. */
function Opening() {
  const place = useRef<HTMLSpanElement>(null);
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const dialog = place.current?.closest('dialog');
    if (dialog) cover(dialog);
  }, []);
  useEffect(
    () => () => {
      // By now the dialog is removed: nothing under an open one can get the focus.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
  return <span ref={place} hidden />;
}

/** Shows a dialog above all other layers. */
function cover(dialog: HTMLDialogElement): void {
  dialog.showModal();
  // Not the first button, the browsers' default: a person who is typing would press it with Enter.
  dialog.focus();
}
