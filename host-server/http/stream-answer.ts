import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Milliseconds that a client may take nothing of an answer, or send nothing of a body, before its connection is cut. */
export const stallMs = 30_000;

/** What became of a streamed answer. */
export type StreamEnd =
  | { readonly kind: 'sent' }
  /** The client hung up. */
  | { readonly kind: 'left' }
  /** The source failed, or the client took nothing for too long: the connection was cut, since a short file must not look whole. */
  | { readonly kind: 'cut'; readonly error: unknown };

/** Sends pieces as the client takes them. The head must have been set. */
export async function streamAnswer(
  response: ServerResponse,
  body: AsyncIterable<unknown>,
  stallMs: number,
): Promise<StreamEnd> {
  const source = Readable.from(body, { objectMode: false, highWaterMark: 64 * 1024 });
  const release = cutStalled(response, stallMs);
  try {
    await pipeline(source, response);
    return { kind: 'sent' };
  } catch (caught) {
    const error: unknown = response.errored ?? caught;
    const hasLeft = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    response.destroy();
    return hasLeft ? { kind: 'left' } : { kind: 'cut', error };
  } finally {
    release();
  }
}

/**
 * Cuts a response whose client takes nothing for so many milliseconds while something waits to be sent. A source that is slow
 * itself does not count.
 *
 * @returns ends the watching.
 */
export function cutStalled(response: ServerResponse, stallMs: number): () => void {
  const { socket } = response;
  if (socket === null) return () => undefined;
  const onTimeout = () => {
    if (socket.writableLength > 0) response.destroy(new Error('The client takes nothing of the answer.'));
    else socket.setTimeout(stallMs);
  };
  // Node renews the socket's timer with each byte that the system takes, and sets its own once the answer is out.
  response.on('timeout', onTimeout);
  socket.setTimeout(stallMs);
  return () => response.off('timeout', onTimeout);
}
