import { defineErrors } from '@trellis/sdk/shared';

export const factorErrors = defineErrors({
  FACTOR_CODE_WRONG: { status: 400, message: 'The code is not right, or was used already.' },
  FACTOR_ALREADY_SET_UP: { status: 409, message: 'It is set up already. Switch it off first.' },
  FACTOR_NOT_BEGUN: { status: 409, message: 'Begin the set-up first.' },
  FACTOR_REQUIRED: { status: 403, message: 'This server requires it of everybody.' },
  FACTOR_SESSION: { status: 403, message: 'Only somebody who is signed in can do so, no API token.' },
});
