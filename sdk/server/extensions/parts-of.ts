import type { Readable } from 'node:stream';

/** A part of a stream, and whether it is the last one. @public */
export interface StreamPart {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/**
 * Splits a stream into parts of `size` bytes and a last one with the rest: at least one, which may be empty. Only one part is in
 * memory at a time. For storage adapters whose store must know the length in advance.
 * @public
 */
export async function* partsOf(content: Readable, size: number): AsyncGenerator<StreamPart> {
  let chunks: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    let rest = chunk;
    while (held + rest.byteLength > size) {
      const fitting = size - held;
      yield { bytes: Buffer.concat([...chunks, rest.subarray(0, fitting)], size), isLast: false };
      rest = rest.subarray(fitting);
      chunks = [];
      held = 0;
    }
    chunks.push(rest);
    held += rest.byteLength;
  }
  yield { bytes: Buffer.concat(chunks, held), isLast: true };
}
