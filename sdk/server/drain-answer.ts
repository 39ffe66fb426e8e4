import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** Milliseconds for what comes behind the head of an answer. */
const longestRest = 1000;

/**
 * Reads the rest of an answer away where it is short, so that its sender is not cut off, and destroys it where it is not. For a call of
 * which the status alone decides.
 *
 * @param stream as `Outbound.open` gives it; what it fails with is of no matter
 * @public
 */
export async function drainAnswer(stream: Readable): Promise<void> {
  const late = setTimeout(() => stream.destroy(), longestRest);
  stream.resume();
  await finished(stream).catch(() => undefined);
  clearTimeout(late);
}
