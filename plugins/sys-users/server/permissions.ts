import type { Permission } from '@trellis/sdk/server';

export const permissions: readonly Permission[] = [
  {
    id: 'passwordChange',
    label: 'Change the own password',
    roles: ['user', 'user_new'],
    scope: 'account',
  },
  {
    id: 'ownAccount',
    label: 'Change the own profile and end own sessions',
    roles: ['user', 'user_new'],
    scope: 'account',
  },
  { id: 'accountInvite', label: 'Invite people to this server', roles: [], scope: 'account' },
  {
    id: 'accountReset',
    label: 'Make links with which others set a new password',
    roles: [],
    scope: 'account',
  },
];
