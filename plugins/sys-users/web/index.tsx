import { defineWebPlugin, lazyPart, type WebRoute } from '@trellis/sdk/web';
import './sys-users.css';

const SignInPage = lazyPart(() => import('./SignInPage.tsx'));
const SignUpPage = lazyPart(() => import('./SignUpPage.tsx'));
const InvitationPage = lazyPart(() => import('./InvitationPage.tsx'));
const PasswordPage = lazyPart(() => import('./PasswordPage.tsx'));

const ofGuests = { access: 'guest', layout: 'empty' } as const;
const signIn = { ...ofGuests, Component: SignInPage, title: 'Sign in' };

const routes: readonly WebRoute[] = [
  { id: 'user-authentication', path: '/user/authentication', ...signIn },
  { id: 'user-sign-in', path: '/user/authentication/signin', ...signIn },
  {
    id: 'user-sign-up',
    path: '/user/authentication/signup',
    ...ofGuests,
    Component: SignUpPage,
    title: 'Sign up',
  },
  {
    id: 'user-invitation',
    path: '/user/authentication/signup/:token',
    access: 'everyone',
    layout: 'empty',
    Component: InvitationPage,
    title: 'Invitation',
  },
  {
    id: 'user-settings-password',
    path: '/user/settings/password',
    Component: PasswordPage,
    title: 'Change password',
  },
  { id: 'user-settings', path: '/user/settings', Component: PasswordPage, title: 'Account' },
];

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const route of routes) ctx.register('routes', route);
  },
});
