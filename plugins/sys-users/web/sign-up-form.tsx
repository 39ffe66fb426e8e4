import type { Translate } from '@trellis/sdk/web';
import { Link } from 'react-router-dom';
import type { CredentialsPageProps } from './CredentialsPage.tsx';
import { newPasswordProblem } from './new-password-problem.ts';
import { PasswordMeter } from './PasswordMeter.tsx';

/** The path that creates accounts, and that tells whether anybody may. */
export const signUpPath = '/api/v1/auth/user/signup';

/** The form for a new account. The first person has no other account to sign in to. */
export function signUpForm(t: Translate, isFirst: boolean): CredentialsPageProps {
  return {
    heading: t('Create your account'),
    path: signUpPath,
    submitLabel: t('Sign up'),
    busyLabel: t('Signing up …'),
    passwordKind: 'new-password',
    passwordProblem: newPasswordProblem,
    children: (password) => <PasswordMeter password={password} />,
    ...(isFirst
      ? { intro: t('You are the first one here: this account becomes the super admin.') }
      : {
          footer: (
            <>
              {t('Already have an account?')} <Link to="/user/authentication/signin">{t('Sign in')}</Link>
            </>
          ),
        }),
  };
}
