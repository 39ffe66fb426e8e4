import { useServerData, useT } from '@trellis/sdk/web';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { CredentialsPage } from './CredentialsPage.tsx';

export default function SignInPage() {
  const t = useT();
  const { search } = useLocation();
  const info = useServerData<{ readonly firstUser: boolean }>({ path: '/api/v1/db/meta/nocodb/info' });
  // There is nobody yet who could sign in.
  if (info.data?.firstUser === true) return <Navigate to={`/user/authentication/signup${search}`} replace />;
  return (
    <CredentialsPage
      heading={t('Sign in to Trellis')}
      path="/api/v1/auth/user/signin"
      submitLabel={t('Sign in')}
      busyLabel={t('Signing in …')}
      passwordKind="current-password"
      passwordProblem={(password) => (password === '' ? 'Password is required' : undefined)}
      footer={
        <>
          <Link to="/user/password/forgot">{t('Forgot your password?')}</Link>
          <br />
          {t('No account yet?')} <Link to="/user/authentication/signup">{t('Sign up')}</Link>
        </>
      }
    />
  );
}
