import { useT } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { Link } from 'react-router-dom';
import { AuthCard } from './AuthCard.tsx';

/** Shown for a link that was used, is too old or is invalid. */
export default function ResetRefused({ reason }: { readonly reason?: string }) {
  const t = useT();
  return (
    <AuthCard heading={t('This link does not work')}>
      <Notice severity="error">{reason ?? t('It was used already, or it is too old.')}</Notice>
      <p className="auth-footer">
        <Link to="/user/password/forgot">{t('Ask for a new link')}</Link>
      </p>
    </AuthCard>
  );
}
