import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);
/** One step below the best costs a third of its time for 2 % of the bytes. */
const quality = 10;
/** Bytes below which a second file is not worth its place. */
const least = 1024;

/**
 * Puts a `.br` beside each text file of the build that never changes again. The server sends it to whoever takes that: an eighth
 * less than what it can compress while somebody waits.
 */
export function compressedFiles(): Plugin {
  return {
    name: 'trellis-compressed-files',
    apply: 'build',
    async writeBundle({ dir = '.' }) {
      const folder = join(dir, 'assets');
      const names = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(names.map((name) => writeCompressed(join(folder, name))));
    },
  };
}

async function writeCompressed(file: string): Promise<void> {
  const text = await readFile(file);
  if (text.length < least) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  await writeFile(`${file}.br`, await compress(text, { params }));
}
