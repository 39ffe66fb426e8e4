import { defineErrors } from '@trellis/sdk/shared';
import { longestDescription, mostTokens } from '../shared/index.ts';

export const tokenErrors = defineErrors({
  TOKEN_ROLE: { status: 403, message: 'A token may not do more than you: choose a role up to your own.' },
  TOKEN_ROLE_UNKNOWN: { status: 400, message: 'invalid user role' },
  TOKEN_EXPIRY: { status: 400, message: 'A token ends on a day to come: YYYY-MM-DD.' },
  TOKEN_DESCRIPTION: {
    status: 400,
    message: `The name of a token has at most ${longestDescription} characters.`,
  },
  TOO_MANY_TOKENS: {
    status: 400,
    message: `One person has at most ${mostTokens} tokens. Delete one that nobody needs any more.`,
  },
  TOKEN_BY_TOKEN: { status: 403, message: 'A token cannot make or see tokens. Sign in to do that.' },
});
