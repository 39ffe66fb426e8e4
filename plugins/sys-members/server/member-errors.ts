import { defineErrors } from '@trellis/sdk/shared';

export const teamErrors = defineErrors({
  EMAIL_REQUIRED: { status: 400, message: 'E-mail is required' },
  EMAIL_INVALID: { status: 400, message: 'Invalid email address : {email}' },
  TOO_MANY_ADDRESSES: { status: 400, message: 'At most {limit} people can be invited at once.' },
  ROLE_INVALID: { status: 400, message: 'invalid user role' },
  PROJECT_ID_MISSING: { status: 400, message: 'Missing project id in request body.' },
  CANNOT_DELETE_SELF: { status: 400, message: "Admin can't delete themselves!" },
  NO_MAIL_TO_RESEND: {
    status: 400,
    message:
      'No Email Plugin is found. Please go to App Store to configure first or copy the invitation URL to users instead.',
  },
  NOT_INVITED: { status: 400, message: "User with id '{id}' not found" },
});
