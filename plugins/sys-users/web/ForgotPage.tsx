import { useAttempt, useHost } from '@trellis/sdk/web';
import { Form, Notice, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { AuthCard } from './AuthCard.tsx';
import { emailProblem } from './email-problem.ts';

/** Requests a link to set a new password. */
export default function ForgotPage() {
  const { t, api } = useHost();
  const [email, setEmail] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isSent, setSent] = useState(false);
  const { isBusy, problem, attempt } = useAttempt();
  const wrong = emailProblem(email);

  async function submit() {
    setChecked(true);
    if (wrong !== undefined) return;
    const path = '/api/v1/auth/password/forgot';
    const body = { email: email.trim() };
    setSent(await attempt(() => api.request({ method: 'POST', path, body })));
  }

  return (
    <AuthCard heading={t('Forgot your password?')}>
      {isSent ? (
        <Notice severity="success">
          {t(
            'If {{email}} has an account here, a mail with a link is on its way. The link works for 30 minutes.',
            {
              email: email.trim(),
            },
          )}
        </Notice>
      ) : (
        <Form
          submitLabel={t('Send the link')}
          isBusy={isBusy}
          problem={problem}
          onSubmit={() => void submit()}
        >
          <TextField
            label={t('E-mail')}
            type="email"
            value={email}
            autoComplete="username"
            autoFocus
            hint={t('We send you a link to set a new password.')}
            problem={isChecked && wrong !== undefined ? t(wrong) : undefined}
            onChange={setEmail}
          />
        </Form>
      )}
      <p className="auth-footer">
        <Link to="/user/authentication/signin">{t('Back to sign-in')}</Link>
      </p>
    </AuthCard>
  );
}
