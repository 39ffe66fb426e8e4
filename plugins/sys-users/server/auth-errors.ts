import { defineErrors } from '@trellis/sdk/shared';

export const authErrors = defineErrors({
  MISSING_CREDENTIALS: { status: 400, message: 'Missing credentials' },
  EMAIL_REQUIRED: { status: 400, message: 'E-mail is required' },
  PASSWORD_REQUIRED: { status: 400, message: 'Password is required' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'Password : At least 8 letters. ' },
  PASSWORD_BLANK: { status: 400, message: 'Password : Blanks alone are no password.' },
  PASSWORD_TOO_LONG: { status: 400, message: 'Password : At most 256 letters. ' },
  SIGN_IN_FAILED: { status: 400, message: 'The e-mail or the password is not right.' },
  ACCOUNT_DISABLED: {
    status: 403,
    message: 'This account is disabled. Please ask the administrator of this server.',
  },
  RESET_OF_DISABLED: { status: 400, message: 'Enable the account {email} first: it cannot sign in.' },
  INVITED_HERE: { status: 400, message: '{email} has an account on this server already.' },
  NOTHING_TO_CHANGE: { status: 400, message: "Nothing to change: say 'is_disabled' or 'is_super'." },
  MISSING_PASSWORDS: { status: 400, message: 'Missing new/old password' },
  CURRENT_PASSWORD_WRONG: { status: 400, message: 'Current password is wrong' },
  MISSING_REFRESH_TOKEN: { status: 401, message: 'Missing refresh token' },
  INVALID_REFRESH_TOKEN: { status: 401, message: 'Invalid refresh token' },
  SITE_URL_MISSING: {
    status: 503,
    message: 'The operator must set TRELLIS_SITE_URL before people can sign in elsewhere.',
  },
  PROVIDER_UNKNOWN: { status: 400, message: 'Unknown authentication strategy "{provider}"' },
  ACCOUNT_ELSEWHERE: {
    status: 409,
    message: "'{email}' has an account here already. Sign in to it as before.",
  },
  SIGN_IN_STEP_STALE: { status: 400, message: 'Too much time went by. Please sign in again.' },
  LAST_WAY_IN: {
    status: 409,
    message: '{email} could no longer sign in: set a password for that account first.',
  },
  EMAIL_MISSING: { status: 400, message: 'Please enter your email address.' },
  RESET_NEEDS_MAIL: {
    status: 400,
    message: 'Email Plugin is not found. Please contact administrators to configure it in App Store first.',
  },
  RESET_LINK_INVALID: { status: 400, message: 'Invalid reset url' },
  RESET_LINK_EXPIRED: { status: 400, message: 'Password reset url expired' },
  VERIFICATION_LINK_INVALID: { status: 400, message: 'Invalid verification url' },
  INVITATION_UNKNOWN: { status: 400, message: 'Invalid invite url' },
  INVITATION_EXPIRED: {
    status: 400,
    message: 'Expired invite url, Please contact super admin to get a new invite url',
  },
  INVITATION_OF_OTHER: {
    status: 403,
    message: 'This invitation is for {email}. Sign in with that address to accept it.',
  },
  INVITATION_ABOVE_OWN: {
    status: 409,
    message: '{email} is invited already, with a role above yours.',
  },
  INVITATION_LAPSED: {
    status: 403,
    message: 'Whoever invited you may no longer do so. Ask for another invitation.',
  },
  SESSION_MISSING: { status: 404, message: 'This session has ended already.' },
  STORAGE_SESSION: {
    status: 403,
    message: 'A token neither reads nor sets the small values of its owner. Sign in to do that.',
  },
  INVITATION_MISSING: { status: 400, message: "User with id '{id}' not found" },
  ROLE_NOT_GIVABLE: {
    status: 403,
    message: 'Insufficient privilege: nobody gives or takes a role above the own.',
  },
  INVALID_ADDRESS: { status: 400, message: 'Invalid email address : {address}' },
  SIGN_UP_CLOSED: { status: 400, message: 'Not allowed to signup, contact super admin.' },
});
