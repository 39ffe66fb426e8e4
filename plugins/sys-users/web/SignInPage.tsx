import { useHost, useServerData, useT } from '@trellis/sdk/web';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { CredentialsPage, type CredentialsPageProps } from './CredentialsPage.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import type { signUpForm as SignUpForm } from './sign-up-form.tsx';

/** Signs in, or creates the first account if there is none yet. What was typed before this is known stays. */
export default function SignInPage() {
  const t = useT();
  const { search } = useLocation();
  const { session } = useHost();
  // A person who signs in again has an account, and other requests wait until they have signed in.
  const [isAgain] = useState(session.user !== undefined);
  const info = useServerData<{ readonly firstUser: boolean }>(
    isAgain ? undefined : { path: '/api/v1/db/meta/nocodb/info' },
  );
  const isFirst = info.data?.firstUser === true;
  const [signUpForm, setSignUpForm] = useState<typeof SignUpForm>();
  useEffect(() => {
    // Loaded only if needed: one person ever needs it, and all others would wait for its files.
    if (isFirst) void import('./sign-up-form.tsx').then((loaded) => setSignUpForm(() => loaded.signUpForm));
  }, [isFirst]);
  const signIn: CredentialsPageProps = {
    heading: t('Sign in to Trellis'),
    path: '/api/v1/auth/user/signin',
    submitLabel: t('Sign in'),
    busyLabel: t('Signing in …'),
    passwordKind: 'current-password',
    passwordProblem: (password) => (password === '' ? 'Password is required' : undefined),
    others: <ProviderButtons target={new URLSearchParams(search).get('continue')} />,
    footer: (
      <>
        <Link to="/user/password/forgot">{t('Forgot your password?')}</Link>
        <br />
        {t('No account yet?')} <Link to="/user/authentication/signup">{t('Sign up')}</Link>
      </>
    ),
  };
  // Without any account, signing in is impossible; but a missing answer must not keep anybody out.
  const isUnknown = isFirst ? signUpForm === undefined : info.isLoading;
  const unknown: CredentialsPageProps = {
    ...signIn,
    heading: undefined,
    busyLabel: t('Loading …'),
    others: undefined,
    footer: undefined,
  };
  return <CredentialsPage {...(isUnknown ? unknown : (signUpForm?.(t, true) ?? signIn))} />;
}
