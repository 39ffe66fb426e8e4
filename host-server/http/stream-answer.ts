import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Milliseconds for which a client may accept nothing of an answer, or send nothing of a body, before its connection is closed. */
export const stallMs = 30_000;

/** The result of a streamed answer. */
export type StreamEnd =
  | { readonly kind: 'sent' }
  /** The client disconnected. */
  | { readonly kind: 'left' }
  /**
   * The source failed, or the client accepted nothing for too long: the connection was closed, since a truncated file must not look
   * complete.
   */
  | { readonly kind: 'cut'; readonly error: unknown };

/** Sends chunks as the client accepts them. The head must have been set. */
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
 * Closes the connection of a response whose client accepts nothing for `stallMs` while data waits. A slow source does not count.
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
  // Node restarts the socket's timer with each byte that the system accepts, and sets its own after the answer.
  response.on('timeout', onTimeout);
  socket.setTimeout(stallMs);
  return () => response.off('timeout', onTimeout);
}
