import { useServerData, useT } from '@trellis/sdk/web';
import { Link } from 'react-router-dom';
import { CredentialsPage } from './CredentialsPage.tsx';
import { newPasswordProblem } from './new-password-problem.ts';
import { PasswordMeter } from './PasswordMeter.tsx';

export default function SignUpPage() {
  const t = useT();
  const info = useServerData<{ readonly firstUser: boolean }>({ path: '/api/v1/db/meta/nocodb/info' });
  const isFirst = info.data?.firstUser === true;
  return (
    <CredentialsPage
      heading={t('Create your account')}
      intro={isFirst ? t('You are the first one here: this account becomes the super admin.') : undefined}
      path="/api/v1/auth/user/signup"
      submitLabel={t('Sign up')}
      busyLabel={t('Signing up …')}
      passwordKind="new-password"
      passwordProblem={newPasswordProblem}
      footer={
        <>
          {t('Already have an account?')} <Link to="/user/authentication/signin">{t('Sign in')}</Link>
        </>
      }
    >
      {(password) => <PasswordMeter password={password} />}
    </CredentialsPage>
  );
}
