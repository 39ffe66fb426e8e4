import { messageOfError, useAttempt, useHost, useSession } from '@trellis/sdk/web';
import { Form, PageSkeleton } from '@trellis/sdk/web/ui';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { AuthCard } from './AuthCard.tsx';
import { isUsable, NewPasswordFields, noPassword } from './NewPasswordFields.tsx';
import ResetRefused from './ResetRefused.tsx';

/** Where the link of the mail leads: sets a new password. */
export default function ResetPage() {
  const { token = '' } = useParams();
  const { t, api } = useHost();
  const session = useSession();
  const navigate = useNavigate();
  const [password, setPassword] = useState(noPassword);
  const [refusal, setRefusal] = useState<string>();
  const [isChecked, setChecked] = useState(false);
  const { isBusy, problem, attempt } = useAttempt();

  useEffect(() => {
    const abort = new AbortController();
    const path = `/api/v1/auth/token/validate/${encodeURIComponent(token)}`;
    api.request({ method: 'POST', path, signal: abort.signal }).then(
      () => setChecked(true),
      (error: unknown) => {
        if (!abort.signal.aborted) setRefusal(messageOfError(error, t));
      },
    );
    return () => abort.abort();
  }, [api, t, token]);

  async function submit() {
    const path = `/api/v1/auth/password/reset/${encodeURIComponent(token)}`;
    const body = { password: password.next };
    if (!(await attempt(() => api.request({ method: 'POST', path, body })))) return;
    if (session.status === 'signedIn') await session.signOut();
    void navigate('/user/password/reset/success');
  }

  if (refusal !== undefined) return <ResetRefused reason={refusal} />;
  if (!isChecked) return <PageSkeleton />;
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
