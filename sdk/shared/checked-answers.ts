import type { ParseResult } from './column-type.ts';
import type { Refusal } from './refusal.ts';
import type { CellValue } from './storage-kind.ts';

/**
 * Checks the result of a column type's `parse`. @throws TypeError for an invalid result, which a plugin in plain JavaScript may
 * return. @internal
 */
export function checkedRead(answer: ParseResult<CellValue>): ParseResult<CellValue> {
  const { ok, value }: { ok?: unknown; value?: unknown } = Object(answer);
  if (ok === true && value !== undefined) return answer;
  if (ok === false && isRefusal(answer)) return answer;
  throw new TypeError(
    `'parse' gave ${shownAnswer(answer)}; it answers { ok: true, value } or { ok: false, message }`,
  );
}

/** Checks the result of a column type's `validate` or `checkOptions`. @throws TypeError for an invalid result. @internal */
export function checkedReason(name: string, reason: unknown): Refusal | undefined {
  if (reason === undefined || isRefusal(reason)) return reason;
  throw new TypeError(
    `'${name}' gave ${shownAnswer(reason)}; it answers { message }, or undefined where all is well`,
  );
}

function isRefusal(answer: unknown): answer is Refusal {
  const { message, params = {} }: { message?: unknown; params?: unknown } = Object(answer);
  return typeof message === 'string' && typeof params === 'object' && params !== null;
}

/** Checks the result of a column type's `format`. @throws TypeError for a result that is no text. @internal */
export function checkedText(text: unknown): string {
  if (typeof text === 'string') return text;
  throw new TypeError(`'format' gave ${shownAnswer(text)}; it answers a text`);
}

/** An invalid result as text for an error message. */
function shownAnswer(answer: unknown): string {
  return (JSON.stringify(answer) ?? String(answer)).slice(0, 60);
}
