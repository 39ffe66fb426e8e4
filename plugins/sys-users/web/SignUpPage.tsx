import { useServerData, useT } from '@trellis/sdk/web';
import { Link } from 'react-router-dom';
import { AuthCard } from './AuthCard.tsx';
import { CredentialsPage } from './CredentialsPage.tsx';
import { newPasswordProblem } from './new-password-problem.ts';
import { PasswordMeter } from './PasswordMeter.tsx';

const path = '/api/v1/auth/user/signup';

/** Makes an account for anybody, where the administrator lets everybody in. */
export default function SignUpPage() {
  const t = useT();
  const info = useServerData<{ readonly firstUser: boolean }>({ path: '/api/v1/db/meta/nocodb/info' });
  const signUp = useServerData<{ readonly isOpen: boolean }>({ path });
  if (signUp.data?.isOpen === false) return <InvitedOnly />;
  const isFirst = info.data?.firstUser === true;
  return (
    <CredentialsPage
      heading={t('Create your account')}
      intro={isFirst ? t('You are the first one here: this account becomes the super admin.') : undefined}
      path={path}
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

function InvitedOnly() {
  const t = useT();
  return (
    <AuthCard heading={t('Sign-up is by invitation only')}>
      <p>
        {t(
          'Ask an administrator of this server to invite you. If you have an invitation, open the link in its e-mail.',
        )}
      </p>
      <Link className="tr-button tr-button--primary" to="/user/authentication/signin">
        {t('Sign in')}
      </Link>
    </AuthCard>
  );
}
