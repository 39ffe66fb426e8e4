import { useHost, useSession, useT } from '@trellis/sdk/web';
import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { minimumPasswordLength } from '../shared/index.ts';
import { messageOf } from './credentials-form.ts';
import { Field } from './Field.tsx';
import { PasswordMeter } from './PasswordMeter.tsx';

/** Changes the own password. Every session ends with it, so the person signs in again. */
export default function PasswordPage() {
  const host = useHost();
  const t = useT();
  const session = useSession();
  const navigate = useNavigate();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  const ready = current !== '' && next.length >= minimumPasswordLength && next === again;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!ready) return;
    setSending(true);
    setProblem(undefined);
    try {
      await host.api.request({
        method: 'POST',
        path: '/api/v1/auth/password/change',
        body: { currentPassword: current, newPassword: next },
      });
      host.toast({
        severity: 'success',
        summary: t('Password updated successfully'),
        detail: t('Please sign in with the new one.'),
      });
      await session.signOut();
      void navigate('/user/authentication/signin');
    } catch (error) {
      setProblem(t(messageOf(error)));
    } finally {
      setSending(false);
    }
  }

  return (
    <main className="account-page">
      <h1>{t('Account')}</h1>
      <p className="account-email">{session.user?.email}</p>
      <form className="account-card" onSubmit={(event) => void submit(event)}>
        <h2>{t('Change password')}</h2>
        <Field
          label={t('Current password')}
          type="password"
          value={current}
          autoComplete="current-password"
          onChange={setCurrent}
        />
        <Field
          label={t('New password')}
          type="password"
          value={next}
          autoComplete="new-password"
          onChange={setNext}
        />
        <PasswordMeter password={next} />
        <Field
          label={t('Repeat the new password')}
          type="password"
          value={again}
          autoComplete="new-password"
          problem={again !== '' && again !== next ? t('The two passwords differ') : undefined}
          onChange={setAgain}
        />
        {problem && (
          <p className="auth-problem" role="alert">
            <i className="pi pi-exclamation-circle" aria-hidden="true" /> {problem}
          </p>
        )}
        <p className="account-note">{t('All your sessions end, also on other devices.')}</p>
        <button type="submit" className="p-button p-component" disabled={!ready || isSending}>
          {t('Change password')}
        </button>
      </form>
    </main>
  );
}
