import { defineWebPlugin } from '@trellis/sdk/web';
import { lazy } from 'react';
import './sys-users.css';

const SignInPage = lazy(() => import('./SignInPage.tsx'));
const SignUpPage = lazy(() => import('./SignUpPage.tsx'));
const PasswordPage = lazy(() => import('./PasswordPage.tsx'));

export default defineWebPlugin({
  setup(ctx) {
    const { t } = ctx;
    ctx.register('routes', {
      id: 'user-authentication',
      path: '/user/authentication',
      Component: SignInPage,
      access: 'guest',
      layout: 'empty',
      title: t('Sign in'),
    });
    ctx.register('routes', {
      id: 'user-sign-in',
      path: '/user/authentication/signin',
      Component: SignInPage,
      access: 'guest',
      layout: 'empty',
      title: t('Sign in'),
    });
    ctx.register('routes', {
      id: 'user-sign-up',
      path: '/user/authentication/signup',
      Component: SignUpPage,
      access: 'guest',
      layout: 'empty',
      title: t('Sign up'),
    });
    ctx.register('routes', {
      id: 'user-settings-password',
      path: '/user/settings/password',
      Component: PasswordPage,
      title: t('Change password'),
    });
    ctx.register('routes', {
      id: 'user-settings',
      path: '/user/settings',
      Component: PasswordPage,
      title: t('Account'),
    });
  },
});
