import { createHash } from 'node:crypto';
import { Transform, Writable, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Passes bytes through, and computes their number and hash. */
export class Measure extends Transform {
  /** Bytes. */
  size = 0;
  /** Called after each chunk. */
  onPassed = (): void => undefined;
  readonly #hash = createHash('sha256');

  override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.byteLength;
    this.#hash.update(chunk);
    this.onPassed();
    done(null, chunk);
  }

  /** SHA-256 of the bytes so far, in hexadecimal. */
  hash(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** Reads a stream to its end and discards the bytes. */
export async function measured(content: Readable): Promise<Measure> {
  const measure = new Measure();
  await pipeline(content, measure, new Writable({ write: (_chunk, _encoding, done) => done() }));
  return measure;
}
