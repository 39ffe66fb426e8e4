import { taskErrors } from './task-errors.ts';

const limit = 1024 * 1024;

/** @throws TrellisError `TASK_TOO_LARGE`. */
export function asJson(part: 'payload' | 'checkpoint' | 'result', value: unknown): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > limit) throw taskErrors.create('TASK_TOO_LARGE', { part, limit });
  return text;
}
