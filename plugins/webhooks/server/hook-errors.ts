import { defineErrors } from '@trellis/sdk/shared';

export const hookErrors = defineErrors({
  HOOK_NOT_FOUND: { status: 404, message: 'Webhook not found' },
  HOOK_TITLE: { status: 400, message: 'A webhook needs a title of at most 255 characters.' },
  HOOK_NOTIFICATION: { status: 400, message: "The webhook's notification is no JSON object with a type." },
  HOOK_TYPE: { status: 400, message: "'{type}' is no way to tell somebody that this server knows." },
  HOOK_FILTER: { status: 400, message: 'A condition of the webhook has no column or no comparison.' },
  HOOK_COLUMN: { status: 400, message: "The webhook's table has no column '{column}'." },
  HOOK_MANY: { status: 400, message: 'A table has at most {most} webhooks.' },
  HOOK_ANSWER: { status: 400, message: 'The receiver answered with the status {status}.' },
  HOOK_CALL: { status: 400, message: '{reason}' },
});
