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
  CUSTOM_ROLE_NOT_FOUND: { status: 404, message: 'This role is not there (any more).' },
  CUSTOM_ROLE_TITLE: { status: 409, message: "A role named '{title}' is there already." },
  CUSTOM_ROLE_KEY: {
    status: 400,
    message:
      "The column '{column}' belongs to the key of '{table}', by which rows are found. It cannot be hidden.",
  },
  CUSTOM_ROLE_UNKNOWN_ID: { status: 400, message: "The project has no table, column or permission '{id}'." },
  CUSTOM_ROLE_IN_USE: {
    status: 409,
    message: 'People have this role: {count}. Say which role they get in its place.',
  },
  HAND_OVER_OWNER: { status: 403, message: 'Only an owner who is signed in hands a project over.' },
  HAND_OVER_DISABLED: {
    status: 409,
    message: 'The account {email} is disabled: nobody would be there to give the project on.',
  },
  HAND_OVER_SELF: { status: 400, message: 'The project is yours already.' },
  TOO_MANY_ROLES: { status: 400, message: 'A project has at most {limit} custom roles.' },
  NOT_INVITED: { status: 400, message: "User with id '{id}' not found" },
});
