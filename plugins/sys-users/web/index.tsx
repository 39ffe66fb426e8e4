import { defineWebPlugin, lazyPart, type AccountPanel, type Command, type WebRoute } from '@trellis/sdk/web';
import './sys-users.css';

const SignInPage = lazyPart(() => import('./SignInPage.tsx'));
const SignUpPage = lazyPart(() => import('./SignUpPage.tsx'));
const InvitationPage = lazyPart(() => import('./InvitationPage.tsx'));
const CallbackPage = lazyPart(() => import('./CallbackPage.tsx'));
const StepPage = lazyPart(() => import('./StepPage.tsx'));
const ForgotPage = lazyPart(() => import('./ForgotPage.tsx'));
const ResetPage = lazyPart(() => import('./ResetPage.tsx'));
const ResetRefused = lazyPart(() => import('./ResetRefused.tsx'));
const ResetDone = lazyPart(() => import('./ResetDone.tsx'));
const ConfirmEmailPage = lazyPart(() => import('./ConfirmEmailPage.tsx'));
const AccountPage = lazyPart(() => import('./AccountPage.tsx'));

/** For guests, and for signed-in people who open a mail's link. */
const ofEverybody = { access: 'everyone', layout: 'empty' } as const;
const ofGuests = { access: 'guest', layout: 'empty' } as const;
const signIn = { ...ofGuests, Component: SignInPage, title: 'Sign in' };

const routes: readonly WebRoute[] = [
  { id: 'user-authentication', path: '/user/authentication', ...signIn },
  { id: 'user-sign-in', path: '/user/authentication/signin', ...signIn },
  {
    id: 'user-callback',
    path: '/user/authentication/callback',
    ...ofEverybody,
    Component: CallbackPage,
    title: 'Sign in',
  },
  {
    id: 'user-step',
    path: '/user/authentication/step',
    ...ofGuests,
    Component: StepPage,
    title: 'Sign in',
  },
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
    ...ofEverybody,
    Component: InvitationPage,
    title: 'Invitation',
  },
  ...['/user/password', '/user/password/forgot', '/user/password/reset'].map((path) => ({
    id: `forgot ${path}`,
    path,
    ...ofEverybody,
    Component: ForgotPage,
    title: 'Forgot your password?',
  })),
  {
    id: 'user-password-reset-form',
    path: '/user/password/reset/form/:token',
    ...ofEverybody,
    Component: ResetPage,
    title: 'Set a new password',
  },
  {
    id: 'user-password-reset-invalid',
    path: '/user/password/reset/invalid',
    ...ofEverybody,
    Component: ResetRefused,
    title: 'Set a new password',
  },
  {
    id: 'user-password-reset-success',
    path: '/user/password/reset/success',
    ...ofEverybody,
    Component: ResetDone,
    title: 'Set a new password',
  },
  {
    id: 'user-email-validate',
    path: '/user/email/validate/:token',
    ...ofEverybody,
    Component: ConfirmEmailPage,
    title: 'Confirm your address',
  },
  ...['/user/settings', '/user/settings/:panel'].map((path) => ({
    id: `account ${path}`,
    path,
    Component: AccountPage,
    title: 'Account',
  })),
];

const panels: readonly AccountPanel[] = [
  {
    id: 'profile',
    label: 'Profile',
    icon: 'user',
    order: 10,
    Component: lazyPart(() => import('./ProfilePanel.tsx')),
  },
  {
    id: 'password',
    label: 'Password',
    icon: 'lock',
    order: 20,
    permission: 'passwordChange',
    Component: lazyPart(() => import('./PasswordPanel.tsx')),
  },
  {
    id: 'sessions',
    label: 'Sessions',
    icon: 'desktop',
    order: 30,
    Component: lazyPart(() => import('./SessionsPanel.tsx')),
  },
  {
    id: 'users',
    label: 'Users',
    icon: 'users',
    order: 90,
    permission: 'accountList',
    Component: lazyPart(() => import('./UsersPanel.tsx')),
  },
];

/** Opens the panels from the palette, under the names that people search for. */
const commands: readonly Command[] = [
  { panel: 'profile', label: 'Your name and picture', icon: 'user' },
  { panel: 'password', label: 'Change your password', icon: 'lock', permission: 'passwordChange' },
  { panel: 'sessions', label: 'Your sessions', icon: 'desktop' },
  { panel: 'users', label: 'Users of this server', icon: 'users', permission: 'accountList' },
].map(({ panel, ...offer }) => ({
  ...offer,
  id: `account-${panel}`,
  category: 'Account',
  run: (_context, { navigate }) => navigate(`/user/settings/${panel}`),
}));

export default defineWebPlugin({
  setup(ctx) {
    ctx.messages('de', () => import('./messages/de.json', { with: { type: 'json' } }));
    for (const route of routes) ctx.register('routes', route);
    for (const panel of panels) ctx.register('accountPanels', panel);
    ctx.register('menuItems', {
      id: 'account',
      menu: 'account',
      label: 'Account',
      icon: 'user',
      order: 5,
      run: (_context, { navigate }) => navigate('/user/settings'),
    });
    for (const command of commands) ctx.register('commands', command);
  },
});
