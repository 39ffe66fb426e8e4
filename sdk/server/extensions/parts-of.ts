import type { Readable } from 'node:stream';

/** A part of a stream, and whether it is the last one. @public */
export interface StreamPart {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/**
 * Cuts a stream into parts of so many bytes, the last one with what is left: at least one, which may be empty. One part is held at a time.
 * For storage adapters of stores that must know how much comes.
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
