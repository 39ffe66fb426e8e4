import { Readable } from 'node:stream';

/** The first bytes of a stream, and the stream including them. */
export async function withHead(
  source: Readable,
  bytes: number,
): Promise<{ readonly head: Uint8Array; readonly content: Readable }> {
  const iterator = (source as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < bytes) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    chunks.push(value);
    size += value.byteLength;
  }
  async function* all() {
    try {
      yield* chunks;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      source.destroy();
    }
  }
  const content = Readable.from(all(), { objectMode: false });
  // A stream that is destroyed before it is read never starts the generator.
  content.on('close', () => source.destroy());
  return { head: Buffer.concat(chunks).subarray(0, bytes), content };
}
