import { defineErrors } from '@trellis/core';

export const accountErrors = defineErrors({
  INVALID_EMAIL: { status: 400, message: 'Invalid email' },
  ACCOUNT_EXISTS: { status: 400, message: 'User already exist' },
  ACCOUNT_UNKNOWN: { status: 400, message: 'This account does not exist any more.' },
  ACCOUNT_OWN: {
    status: 400,
    message: 'Nobody does this to the own account: another super admin can.',
  },
  LAST_SUPER_ADMIN: {
    status: 400,
    message: 'A server needs a super admin who can sign in: make somebody else one first.',
  },
  ONLY_OWNER: {
    status: 400,
    message:
      '{email} is the only owner of {projects}. Make somebody else an owner there first, or disable the account instead. Deleted projects count until they are gone for good.',
  },
});
