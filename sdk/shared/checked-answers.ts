import type { ParseResult } from './column-type.ts';
import type { CellValue } from './storage-kind.ts';

/** What `parse` of a column type answered. @throws TypeError for what is no answer: a plugin in plain JavaScript may give anything. @internal */
export function checkedRead(answer: ParseResult<CellValue>): ParseResult<CellValue> {
  const { ok, value, message }: { ok?: unknown; value?: unknown; message?: unknown } = Object(answer);
  if (ok === true && value !== undefined) return answer;
  if (ok === false && typeof message === 'string') return answer;
  throw new TypeError(
    `'parse' gave ${shownAnswer(answer)}; it answers { ok: true, value } or { ok: false, message }`,
  );
}

/** What `format` of a column type answered. @throws TypeError for what is no text. @internal */
export function checkedText(text: unknown): string {
  if (typeof text === 'string') return text;
  throw new TypeError(`'format' gave ${shownAnswer(text)}; it answers a text`);
}

/** An answer in a sentence about it. @internal */
export function shownAnswer(answer: unknown): string {
  return (JSON.stringify(answer) ?? String(answer)).slice(0, 60);
}
