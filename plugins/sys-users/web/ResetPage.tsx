import { useAttempt, useHost, useSession } from '@trellis/sdk/web';
import { ErrorNotice, Form, PageSkeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { AuthCard } from './AuthCard.tsx';
import { isUsable, NewPasswordFields, noPassword } from './NewPasswordFields.tsx';
import ResetRefused from './ResetRefused.tsx';
import { useLink } from './use-link.ts';

/** The target of the mail's link: sets a new password. */
export default function ResetPage() {
  const { token = '' } = useParams();
  const { t, api } = useHost();
  const session = useSession();
  const navigate = useNavigate();
  const [password, setPassword] = useState(noPassword);
  const link = useLink(`/api/v1/auth/token/validate/${encodeURIComponent(token)}`);
  const { isBusy, problem, attempt } = useAttempt();

  async function submit() {
    const path = `/api/v1/auth/password/reset/${encodeURIComponent(token)}`;
    const body = { password: password.next };
    if (!(await attempt(() => api.request({ method: 'POST', path, body })))) return;
    if (session.status === 'signedIn') await session.signOut();
    void navigate('/user/password/reset/success');
  }

  if (link.state === 'refused') return <ResetRefused reason={link.reason} />;
  if (link.state === 'reading') return <PageSkeleton />;
  if (link.state === 'failed')
    return (
      <AuthCard heading={t('Set a new password')}>
        <ErrorNotice message={link.message} onRetry={link.retry} />
      </AuthCard>
    );
  return (
    <AuthCard heading={t('Set a new password')}>
      <Form
        submitLabel={t('Set the password')}
        isBusy={isBusy}
        canSubmit={isUsable(password)}
        problem={problem}
        onSubmit={() => void submit()}
      >
        <NewPasswordFields value={password} autoFocus onChange={setPassword} />
        <p className="tr-note">{t('All your sessions end, also on other devices.')}</p>
      </Form>
    </AuthCard>
  );
}
