import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** The most milliseconds for reading the rest of an answer. */
const longestRest = 1000;

/**
 * Reads and discards the rest of a short answer, so that its sender is not cut off, and destroys the stream of a long one. For
 * calls whose status is all that matters.
 *
 * @param stream from `Outbound.open`; its errors are ignored
 * @public
 */
export async function drainAnswer(stream: Readable): Promise<void> {
  const late = setTimeout(() => stream.destroy(), longestRest);
  stream.resume();
  await finished(stream).catch(() => undefined);
  clearTimeout(late);
}
