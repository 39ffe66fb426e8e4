import { defineErrors } from '@trellis/sdk/shared';

export const formErrors = defineErrors({
  FORM_COLUMN_NOT_FOUND: { status: 404, message: 'Form column not found' },
  FORM_PICTURE_PLACE: { status: 404, message: 'A form has a banner and a logo, and no other pictures.' },
  FORM_DATES: { status: 400, message: 'A form closes after it has opened.' },
  FORM_MOMENT: { status: 400, message: "'{text}' is no moment." },
  FORM_ADDRESS: {
    status: 400,
    message:
      "'{address}' is no address that people can be sent to: it begins with https://, and has no name before the host, no quotes and no angle brackets.",
  },
  FORM_NEEDS_FIELD: {
    status: 400,
    message: 'The table takes no row without {column}: its field stays in the form.',
  },
  FORM_PATTERN: { status: 400, message: 'The pattern of {column} is no regular expression.' },
  FORM_PATTERN_LONG: { status: 400, message: 'The pattern of {column} is too long, or counts too far.' },
  FORM_PATTERN_PART: {
    status: 400,
    message: 'The pattern of {column} holds {part}, which the patterns of forms do not know.',
  },
  FORM_LIMITS: { status: 400, message: 'The least of {column} is more than its most.' },
  FORM_FIELD_DATES: { status: 400, message: 'The earliest of {column} is after its latest.' },
  FORM_CONDITION_NEEDED: {
    status: 400,
    message: 'The table takes no row without {column}: its field has no condition.',
  },
  FORM_CONDITION_FIELD: {
    status: 400,
    message:
      'The condition of {column} must ask of fields that stand before it, and that everybody sees who sees its own.',
  },
  FORM_CREATORS_NEEDED: {
    status: 400,
    message: 'The table takes no row without {column}: its field is for everybody.',
  },
  FORM_CREATORS_ASKED: {
    status: 400,
    message:
      'The condition of {asking} asks of {column}, which others would not see. Change the condition first.',
  },
  FORM_CONDITION: { status: 400, message: 'The condition of {column} cannot be used: {reason}.' },
  FORM_CONDITION_SHAPE: { status: 400, message: 'A condition is a list of filters with their kind.' },
  FORM_NOT_OPEN: { status: 400, message: 'This form is not open yet.' },
  FORM_CLOSED: { status: 400, message: 'This form is closed.' },
  FORM_FULL: { status: 400, message: 'This form takes no more answers.' },
  FORM_ANSWERED: {
    status: 400,
    message: 'You have answered this form already. It takes one answer per person.',
  },
  FORM_MISSING: { status: 400, message: 'Please answer “{field}”.' },
  FORM_LOW: { status: 400, message: '“{field}” must be {limit} or more.' },
  FORM_HIGH: { status: 400, message: '“{field}” must be {limit} or less.' },
  FORM_SHORT: { status: 400, message: '“{field}” must have {limit} characters or more.' },
  FORM_LONG: { status: 400, message: '“{field}” must have {limit} characters or less.' },
  FORM_EARLY: { status: 400, message: '“{field}” must be {limit} or later.' },
  FORM_LATE: { status: 400, message: '“{field}” must be {limit} or earlier.' },
  FORM_MISMATCH: { status: 400, message: '“{field}” does not have the form that is asked for.' },
  FORM_OWN_RULE: { status: 400, message: '{message}' },
});
