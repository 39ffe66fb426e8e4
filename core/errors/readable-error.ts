import { errorOrigin, recordErrorOrigin } from './error-origin.ts';
import { isExpected, TrellisError } from './trellis-error.ts';

const longestMessage = 10_000;
const longestStack = 20_000;
const mostCauses = 10;

/** The message of whatever was thrown, cut to 10,000 characters. Never throws: plugins may throw what has no text. */
export function messageOf(thrown: unknown): string {
  try {
    return cut(thrown instanceof Error ? thrown.message : thrown, longestMessage);
  } catch {
    return 'What was thrown has no text.';
  }
}

/**
 * Whatever was thrown, in a form that all code can read: itself, or an error with its texts if reading it throws, if it is no
 * error and has no text, if it is longer than anybody reads, or if its causes lead back to it.
 */
export function readableError(thrown: unknown): unknown {
  if (isReadable(thrown)) return thrown;
  const message = messageOf(thrown);
  const error = isExpected(thrown) ? new TrellisError(...expectedParts(thrown, message)) : new Error(message);
  // Its own stack would name the code that reads it.
  error.stack = stackOf(thrown) ?? message;
  const origin = errorOrigin(thrown);
  if (origin !== undefined) recordErrorOrigin(error, origin);
  return error;
}

function expectedParts(thrown: TrellisError, message: string): ConstructorParameters<typeof TrellisError> {
  try {
    const { code, status, params } = thrown;
    return [String(code), message, { status, params }];
  } catch {
    return ['INTERNAL', message];
  }
}

function isReadable(thrown: unknown): boolean {
  try {
    const seen = new Set<unknown>();
    for (let at = thrown; typeof at === 'object' && at !== null;) {
      if (seen.has(at) || seen.size >= mostCauses) return false;
      seen.add(at);
      if (!(at instanceof Error)) return textOf(at).length <= longestMessage;
      const { message, stack = '', cause }: { message: unknown; stack?: unknown; cause?: unknown } = at;
      if (typeof message !== 'string' || typeof stack !== 'string') return false;
      // The text of a stack begins with the message.
      if (message.length > longestMessage || stack.length > longestStack) return false;
      at = cause;
    }
    return true;
  } catch {
    return false;
  }
}

function stackOf(thrown: unknown): string | undefined {
  try {
    const { stack } = thrown as { readonly stack?: unknown };
    if (typeof stack !== 'string') return undefined;
    // The lines of the places stand behind the message, however long that is.
    return stack.length <= longestStack
      ? stack
      : `${stack.slice(0, longestMessage)}…\n${stack.slice(-longestMessage)}`;
  } catch {
    return undefined;
  }
}

function cut(value: unknown, length: number): string {
  const text = textOf(value);
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

function textOf(value: unknown): string {
  return String(value);
}
