import { useAttempt, useHost, useSession } from '@trellis/sdk/web';
import { Form, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { isUsable, NewPasswordFields, noPassword } from './NewPasswordFields.tsx';

/** Changes the person's password. This ends every session, so the person signs in again. */
export default function PasswordPanel() {
  const { t, api, toast } = useHost();
  const session = useSession();
  const navigate = useNavigate();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState(noPassword);
  const { isBusy, problem, attempt } = useAttempt();

  async function submit() {
    const path = '/api/v1/auth/password/change';
    const body = { currentPassword: current, newPassword: password.next };
    if (!(await attempt(() => api.request({ method: 'POST', path, body })))) return;
    toast({
      severity: 'success',
      summary: t('Password updated successfully'),
      detail: t('Please sign in with the new one.'),
    });
    await session.signOut();
    void navigate('/user/authentication/signin');
  }

  return (
    <section className="account-panel">
      <h2>{t('Change password')}</h2>
      <Form
        submitLabel={t('Change password')}
        isBusy={isBusy}
        canSubmit={current !== '' && isUsable(password)}
        problem={problem}
        onSubmit={() => void submit()}
      >
        <TextField
          label={t('Current password')}
          type="password"
          value={current}
          autoComplete="current-password"
          onChange={setCurrent}
        />
        <NewPasswordFields value={password} onChange={setPassword} />
        <p className="tr-note">{t('All your sessions end, also on other devices.')}</p>
      </Form>
    </section>
  );
}
