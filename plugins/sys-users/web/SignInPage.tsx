import { useServerData, useT } from '@trellis/sdk/web';
import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { AuthFrame } from './AuthFrame.tsx';
import { emailProblem, useCredentials } from './credentials-form.ts';
import { Field } from './Field.tsx';

export default function SignInPage() {
  const t = useT();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const { problem, isSending, send } = useCredentials('/api/v1/auth/user/signin');
  const { search } = useLocation();
  const info = useServerData<{ readonly firstUser: boolean }>({ path: '/api/v1/db/meta/nocodb/info' });
  const problems = {
    email: emailProblem(email),
    password: password === '' ? 'Password is required' : undefined,
  };

  async function submit() {
    setChecked(true);
    if (problems.email || problems.password) return;
    // Once signed in, the page leads on by itself: to where the person came from, or home.
    await send({ email: email.trim(), password });
  }

  // There is nobody yet who could sign in.
  if (info.data?.firstUser === true) return <Navigate to={`/user/authentication/signup${search}`} replace />;
  return (
    <AuthFrame
      heading={t('Sign in to Trellis')}
      problem={problem}
      onSubmit={() => void submit()}
      footer={
        <>
          {t('No account yet?')} <Link to="/user/authentication/signup">{t('Sign up')}</Link>
        </>
      }
    >
      <Field
        label={t('E-mail')}
        type="email"
        value={email}
        autoComplete="username"
        autoFocus
        problem={isChecked && problems.email ? t(problems.email) : undefined}
        onChange={setEmail}
      />
      <Field
        label={t('Password')}
        type="password"
        value={password}
        autoComplete="current-password"
        problem={isChecked && problems.password ? t(problems.password) : undefined}
        onChange={setPassword}
      />
      <button type="submit" className="p-button p-component auth-submit" disabled={isSending}>
        {isSending ? t('Signing in …') : t('Sign in')}
      </button>
    </AuthFrame>
  );
}
