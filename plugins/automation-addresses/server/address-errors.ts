import { defineErrors } from '@trellis/sdk/shared';

export const addressErrors = defineErrors({
  ADDRESS_UNKNOWN: { status: 404, message: 'Nothing is started at this address.' },
  ADDRESS_FORMAT: {
    status: 400,
    message: 'This is no address that was made for this project. Ask for a new one.',
  },
  ADDRESS_BODY: { status: 400, message: 'The body is not what its content type says.' },
});
