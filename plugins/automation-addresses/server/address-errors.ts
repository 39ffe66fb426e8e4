import { defineErrors } from '@trellis/sdk/shared';

export const addressErrors = defineErrors({
  ADDRESS_UNKNOWN: { status: 404, message: 'Nothing is started at this address.' },
  ADDRESS_FORMAT: {
    status: 400,
    message: 'This is no address that was made for this project. Ask for a new one.',
  },
  ADDRESS_KEY_OTHER: {
    status: 422,
    message: 'This Idempotency-Key was used for a call of the address that sent something else.',
  },
  ADDRESS_FULL: {
    status: 503,
    message:
      'What is started at this address is paused, and so much waits for it that no more is kept. Send it again later.',
  },
  ADDRESS_ROUND: {
    status: 409,
    message: 'What is started at this address led to this call itself, and is paused.',
  },
  ADDRESS_OFF: {
    status: 409,
    message:
      'What is started at this address is switched off. What was sent is kept as an example for whoever sets it up.',
  },
  ADDRESS_METHOD: { status: 405, message: 'This address is called by POST.' },
  ADDRESS_BODY: { status: 400, message: 'The body is not what its content type says.' },
});
