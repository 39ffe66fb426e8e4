import { useT } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { Link } from 'react-router-dom';
import { AuthCard } from './AuthCard.tsx';

/** Shown after the new password was set. */
export default function ResetDone() {
  const t = useT();
  return (
    <AuthCard heading={t('Your new password is set')}>
      <Notice severity="success">{t('Please sign in with the new one.')}</Notice>
      <p className="auth-footer">
        <Link to="/user/authentication/signin">{t('Sign in')}</Link>
      </p>
    </AuthCard>
  );
}
