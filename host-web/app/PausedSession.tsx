import { useRegistry } from '@trellis/sdk/web';
import { Cover } from '@trellis/sdk/web/ui';
import { Suspense } from 'react';
import { MemoryRouter, useRoutes } from 'react-router-dom';
import { useObservable } from '../base/use-observable.ts';
import { signInPath } from '../router/route-guard.ts';
import { useHostParts } from './host-parts.ts';

/**
 * Covers the page with the sign-in pages when the session has run out. The page below waits: if the same person signs in, it
 * continues with what they typed; for another person, all of it is discarded.
 */
export function PausedSession() {
  const { session } = useHostParts();
  const isPaused = useObservable(session.onDidChange, () => session.isPaused);
  return isPaused ? <SignInAgain /> : null;
}

function SignInAgain() {
  const { session, translations } = useHostParts();
  const t = translations.translate;
  return (
    <Cover label={t('Sign in again')} className="paused-session">
      <p role="status">
        {t('Your session ended. Sign in again: what you were doing is still here.')}{' '}
        <button type="button" className="tr-link" onClick={() => session.leave()}>
          {t('Leave this page')}
        </button>
      </p>
      <MemoryRouter initialEntries={[signInPath]}>
        <Suspense>
          <GuestPages />
        </Suspense>
      </MemoryRouter>
    </Cover>
  );
}

function GuestPages() {
  const routes = useRegistry('routes');
  const ofGuests = routes.filter(({ access, layout }) => access !== undefined && layout === 'empty');
  return useRoutes(ofGuests.map(({ id, path, Component }) => ({ path, element: <Component key={id} /> })));
}
