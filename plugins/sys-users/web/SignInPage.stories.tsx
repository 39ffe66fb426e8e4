import type { Meta, StoryObj } from '@storybook/react-vite';
import SignInPage from './SignInPage.tsx';
import './sys-users.css';

const meta: Meta<typeof SignInPage> = { title: 'Accounts/Sign in', component: SignInPage };
export default meta;

const page = (firstUser: boolean, list: readonly object[] = []) => ({
  host: {
    user: null,
    api: {
      'GET /api/v1/db/meta/nocodb/info': { firstUser },
      'GET /api/v1/auth/providers': { list },
    },
  },
});

export const WithOtherWays: StoryObj = {
  parameters: page(false, [{ id: 'github', label: 'GitHub', icon: 'github' }]),
};

/** Nobody has an account yet. */
export const FirstVisitor: StoryObj = { parameters: page(true) };
