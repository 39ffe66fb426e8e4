import { useRegistry } from '@trellis/sdk/web';
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { MemoryRouter, useRoutes } from 'react-router-dom';
import { useObservable } from '../base/use-observable.ts';
import { signInPath } from '../router/route-guard.ts';
import { useHostParts } from './host-parts.ts';

/**
 * Covers the page when its session ran out, with the pages by which people sign in. What stands under it waits: for the same person it
 * goes on, with what they typed, and for another one nothing of it is left.
 */
export function PausedSession() {
  const { session } = useHostParts();
  const isPaused = useObservable(session.onDidChange, () => session.isPaused);
  return isPaused ? <SignInAgain /> : null;
}

function SignInAgain() {
  const { translations } = useHostParts();
  const t = translations.translate;
  return (
    <dialog
      className="paused-session"
      tabIndex={-1}
      aria-label={t('Sign in again')}
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
      <Cover />
      <MemoryRouter initialEntries={[signInPath]}>
        <Suspense>
          <GuestPages />
        </Suspense>
      </MemoryRouter>
    </dialog>
  );
}

/** Opens the dialog that it stands in, says why, and gives the focus back at the end. */
function Cover() {
  const { session, translations } = useHostParts();
  const t = translations.translate;
  const line = useRef<HTMLParagraphElement>(null);
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const dialog = line.current?.closest('dialog');
    if (dialog) cover(dialog);
  }, []);
  useEffect(
    () => () => {
      // By now the dialog is gone from the page: nothing takes the focus under one that is open.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
  return (
    <p ref={line} role="status">
      {t('Your session ended. Sign in again: what you were doing is still here.')}{' '}
      <button type="button" className="tr-link" onClick={() => session.leave()}>
        {t('Leave this page')}
      </button>
    </p>
  );
}

/** Shows a dialog above all other layers, which can be neither read nor reached until it is gone. */
function cover(dialog: HTMLDialogElement): void {
  dialog.showModal();
  // Not the way out, which browsers would choose: whoever types just then would leave by Enter, and lose what they typed.
  dialog.focus();
}

function GuestPages() {
  const routes = useRegistry('routes');
  const ofGuests = routes.filter(({ access, layout }) => access !== undefined && layout === 'empty');
  return useRoutes(ofGuests.map(({ id, path, Component }) => ({ path, element: <Component key={id} /> })));
}
