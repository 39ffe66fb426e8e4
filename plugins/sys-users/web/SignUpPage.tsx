import { useServerData, useT } from '@trellis/sdk/web';
import { Link } from 'react-router-dom';
import { AuthCard } from './AuthCard.tsx';
import { CredentialsPage } from './CredentialsPage.tsx';
import { signUpPath, signUpForm } from './sign-up-form.tsx';

/** Creates an account for anybody, if the administrator permits that. */
export default function SignUpPage() {
  const t = useT();
  const info = useServerData<{ readonly firstUser: boolean }>({ path: '/api/v1/db/meta/nocodb/info' });
  const signUp = useServerData<{ readonly isOpen: boolean }>({ path: signUpPath });
  return signUp.data?.isOpen === false ? (
    <InvitedOnly />
  ) : (
    <CredentialsPage {...signUpForm(t, info.data?.firstUser === true)} />
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
