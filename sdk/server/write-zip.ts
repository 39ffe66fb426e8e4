import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive. @public */
export interface ZipEntry {
  /** With slashes between folders. */
  readonly path: string;
  readonly body: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

/** An archive, written as a stream: each file begins after the previous one is written. @public */
export function writeZip(entries: AsyncIterable<ZipEntry>, { at }: { readonly at: Date }): Readable {
  const archive = new ZipFile();
  const output = archive.outputStream as Readable;
  // If the archive is not read to its end, reading for it ends as well.
  const ending = new AbortController();
  output.once('close', () => ending.abort());
  archive.on('error', (error: Error) => output.destroy(error));
  const write = async () => {
    for await (const { path, body } of entries) {
      const content = Readable.from(body, { objectMode: false });
      archive.addReadStream(content, path, { mtime: at });
      await finished(content, { writable: false, signal: ending.signal }).catch((error: unknown) => {
        content.destroy();
        throw error;
      });
    }
    archive.end();
  };
  write().catch((error: unknown) => output.destroy(error as Error));
  return output;
}
