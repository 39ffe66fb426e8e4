import { useServerData, useT } from '@trellis/sdk/web';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { minimumPasswordLength } from '../shared/index.ts';
import { AuthFrame } from './AuthFrame.tsx';
import { emailProblem, useCredentials } from './credentials-form.ts';
import { Field } from './Field.tsx';
import { PasswordMeter } from './PasswordMeter.tsx';

function passwordProblem(password: string): string | undefined {
  if (password === '') return 'Password is required';
  return password.length < minimumPasswordLength ? 'You password must be atleast 8 characters' : undefined;
}

export default function SignUpPage() {
  const t = useT();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const { problem, isSending, send } = useCredentials('/api/v1/auth/user/signup');
  const info = useServerData<{ readonly firstUser: boolean }>({ path: '/api/v1/db/meta/nocodb/info' });
  const problems = { email: emailProblem(email), password: passwordProblem(password) };

  async function submit() {
    setChecked(true);
    if (problems.email || problems.password) return;
    // Once signed in, the page leads on by itself: to where the person came from, or home.
    await send({ email: email.trim(), password });
  }

  return (
    <AuthFrame
      heading={t('Create your account')}
      intro={
        info.data?.firstUser
          ? t('You are the first one here: this account becomes the super admin.')
          : undefined
      }
      problem={problem}
      onSubmit={() => void submit()}
      footer={
        <>
          {t('Already have an account?')} <Link to="/user/authentication/signin">{t('Sign in')}</Link>
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
        autoComplete="new-password"
        problem={isChecked && problems.password ? t(problems.password) : undefined}
        onChange={setPassword}
      />
      <PasswordMeter password={password} />
      <button type="submit" className="p-button p-component auth-submit" disabled={isSending}>
        {isSending ? t('Signing up …') : t('Sign up')}
      </button>
    </AuthFrame>
  );
}
