import { defineErrors } from '@trellis/sdk/shared';

export const hookErrors = defineErrors({
  HOOK_NOT_FOUND: { status: 404, message: 'Webhook not found' },
  HOOK_TITLE: {
    status: 400,
    message: 'A webhook needs a title of at most 255 characters, none of them a control character.',
  },
  HOOK_NOTIFICATION: { status: 400, message: "The webhook's notification is no JSON object with a type." },
  HOOK_TYPE: { status: 400, message: "'{type}' is no way to tell somebody that this server knows." },
  HOOK_FILTER: { status: 400, message: 'A condition of the webhook has no column or no comparison.' },
  HOOK_COLUMN: { status: 400, message: "The webhook's table has no column '{column}'." },
  HOOK_SEVERAL: {
    status: 400,
    message: 'A placeholder of an address stands for one address, or for several people of the project.',
  },
  HOOK_PLACEHOLDER_OPEN: {
    status: 400,
    message:
      'In line {line} of a text the placeholder {placeholder} is not closed: its closing braces are missing.',
  },
  HOOK_TEXT_LONG: { status: 400, message: 'With its values filled in, a text is longer than 256 KB.' },
  HOOK_ALL_REFUSED: {
    status: 409,
    message:
      'Every message was refused for a day. The log says why; what was refused can be sent again from there.',
  },
  HOOK_SET_ROWS: {
    status: 409,
    message:
      '{count} rows were changed at once, and this webhook tells of each row by itself: of so many the server does not keep which they are. One that sends one message for all rows of a call is told of such a change.',
  },
  HOOK_SET_CONDITIONS: {
    status: 409,
    message:
      '{count} rows were changed at once, and this webhook tells of some rows alone: of so many the server does not keep which they are, nor what they held. One without conditions and without a view is told of such a change.',
  },
  HOOK_WAITED: {
    status: 409,
    message: 'It waited for {days} days for the webhook to go on, and was given up.',
  },
  HOOK_STOPPED: { status: 500, message: 'The server stopped each time while it was sent.' },
  HOOK_MOMENT: { status: 400, message: "There is no such day: '{moment}'." },
  HOOK_CONDITIONS_MANY: { status: 400, message: 'A webhook has at most {most} conditions.' },
  HOOK_MANY: { status: 400, message: 'A table has at most {most} webhooks.' },
  HOOK_IGNORE: {
    status: 403,
    message: 'Only who may change webhooks of the project can write without telling them.',
  },
  HOOK_FILTER_MISSING: { status: 404, message: 'Filter not found' },
  HOOK_BEFORE: {
    status: 400,
    message:
      'What is computed cannot be asked for before a change: please choose a column whose values are stored.',
  },
  HOOK_LIMITED: {
    status: 403,
    message: 'A webhook tells of whole rows, and a part of these is hidden from you.',
  },
  HOOK_VIEW: { status: 400, message: "The webhook's table has no such view." },
  HOOK_VIEW_GONE: {
    status: 409,
    message:
      'The view whose rows it tells of is gone. Nothing is told of until another view is chosen, or none.',
  },
  HOOK_CONDITIONS_GONE: {
    status: 409,
    message:
      'A column or a comparison that its conditions, or the filters of its view, ask for is gone. Nothing is told of until they are set anew and the webhook is switched on again.',
  },
  HOOK_VALUE_GONE: {
    status: 409,
    message:
      'Its conditions name an option that was deleted. Nothing is told of until they are set anew and the webhook is switched on again.',
  },
  HOOK_OWNER_RIGHTS: {
    status: 409,
    message:
      'Whoever answers for it may not keep webhooks of this table any more. It goes on in the name of whoever switches it on again.',
  },
  HOOK_OWNER_TOKEN: {
    status: 409,
    message:
      'The API token by which it was made was deleted or has expired. It goes on in the name of whoever switches it on again.',
  },
  HOOK_OWNER_LIMITED: {
    status: 409,
    message:
      'It tells of whole rows, and a part of these is hidden by now from whoever answers for it. It goes on in the name of whoever switches it on again and sees them whole.',
  },
  HOOK_LOOP: {
    status: 409,
    message:
      'It runs in a circle: what it tells of is changed because it tells of it. Its receiver must not change what the webhook tells of, or must write with ignoreWebhook=true.',
  },
  HOOK_OFF: { status: 409, message: "The webhook '{webhook}' is switched off. Nothing was sent." },
  HOOK_PAUSED: {
    status: 409,
    message:
      "The webhook '{webhook}' is paused. Nothing was sent; whoever looks after the webhooks of the table can let it go on.",
  },
  HOOK_CHANNEL: {
    status: 409,
    message:
      "The plugin for {channel} is switched off, by which the webhook '{webhook}' tells. Nothing was sent.",
  },
  HOOK_MAIL_OFF: {
    status: 409,
    message:
      "The webhook '{webhook}' tells by mail, and this server cannot send mail: no plugin for mail is switched on and set up. Nothing was sent.",
  },
  HOOK_GONE: {
    status: 404,
    message:
      'The webhook of this button is gone. Nothing was sent; please choose another one for the button.',
  },
  HOOK_REFUSED: {
    status: 502,
    message:
      "The receiver of '{webhook}' did not take the row: it answered with the status {status}. It is tried again by itself.",
  },
  HOOK_UNTOLD: {
    status: 502,
    message:
      "'{webhook}' could not tell of the row. The log of the webhook says why, and what becomes of it.",
  },
  HOOK_NO_ANSWER: {
    status: 504,
    message: "The receiver of '{webhook}' has not answered so far. It is tried again by itself.",
  },
  HOOK_BY_HAND: {
    status: 400,
    message: 'A webhook of deleted rows cannot be sent by hand: there is no row to tell of.',
  },
  HOOK_ROW: { status: 404, message: "'{table}' has no row '{key}'." },
  HOOK_ANSWER: { status: 400, message: 'The receiver answered with the status {status}.' },
  HOOK_CALL: { status: 400, message: '{reason}' },
});
