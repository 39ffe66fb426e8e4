import { messageOfRefusal, useServerData, useSession, useT, type Refusal } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { AuthCard, continueQuery } from './AuthCard.tsx';
import { continueKey } from './ProviderButtons.tsx';

/** The page that a provider's page leads back to. It sends signed-in people where they came from, and shows others the problem. */
export default function CallbackPage() {
  const t = useT();
  const session = useSession();
  const { search } = useLocation();
  const outcome = useServerData<{ readonly problem?: Refusal }>({ path: '/api/v1/auth/providers/outcome' });
  const target = sessionStorage.getItem(continueKey);
  if (session.status === 'signedIn') {
    sessionStorage.removeItem(continueKey);
    return <Navigate to={ownPath(target)} replace />;
  }
  if (new URLSearchParams(search).has('step'))
    return <Navigate to={`/user/authentication/step${continueQuery(ownPath(target))}`} replace />;
  const problem = outcome.data?.problem;
  const back = target === null ? search : continueQuery(target);
  return (
    <AuthCard heading={t('Sign in to Trellis')}>
      {outcome.isLoading ? (
        <p role="status">{t('Signing in …')}</p>
      ) : (
        <Notice severity="error">
          {problem === undefined
            ? t('Nobody was signed in. Please begin again.')
            : messageOfRefusal(problem, t)}
        </Notice>
      )}
      <p className="auth-footer">
        <Link to={`/user/authentication/signin${back}`}>{t('Back to sign-in')}</Link>
      </p>
    </AuthCard>
  );
}

/** A path of this page, never another site. */
function ownPath(target: string | null): string {
  return target !== null && /^\/(?![/\\])[^\\]*$/.test(target) ? target : '/';
}
