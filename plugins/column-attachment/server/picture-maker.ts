import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { pictureProgram, type CodecFiles } from './picture-program.ts';

/** Makes small pictures, in the order of the sides; undefined if that is impossible for the picture. Throws if it cannot tell. */
export type MakePictures = (
  picture: Uint8Array,
  sides: readonly number[],
) => Promise<readonly Uint8Array[] | undefined>;

/** The installed libraries do not run on this machine, for any picture. */
export class LibraryBroken extends Error {}

/** The most pixels of a picture, 200 MB in memory, and the most 64 KB pages of memory for its decoder. */
const mostPixels = 50_000_000;
const mostPages = 10_000;
/** Milliseconds. */
const longest = 20_000;
const ends = { broken: 3, refused: 4 } as const;

/**
 * The decoders of untrusted pictures are written in C and Rust. They are compiled to WebAssembly and run in a separate process
 * without access to the server, which is ended if a picture takes too much time or memory.
 */
export const makePictures: MakePictures = async (picture, sides) => {
  const { PATH, SystemRoot } = process.env;
  const program = pictureProgram({ ...libraries(), sides, mostPixels, mostPages, ends });
  const child = spawn(process.execPath, ['-e', program], {
    env: { PATH, SystemRoot },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: longest,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  // The exit code explains why the process stopped reading.
  child.stdin.on('error', () => undefined);
  child.stdin.end(picture);
  const [written, [code]] = await Promise.all([
    buffer(child.stdout),
    once(child, 'close') as Promise<[code: number | null]>,
  ]);
  if (code === ends.broken) throw new LibraryBroken('The packages that make small pictures do not run here');
  return code === 0 ? picturesIn(written) : undefined;
};

/** The paths of the packages that only the child process loads. */
function libraries() {
  const require = createRequire(import.meta.url);
  const at = (path: string) => pathToFileURL(path).href;
  const codec = (code: string, binary: string): CodecFiles => ({ code: at(code), binary: at(binary) });
  try {
    return {
      sizes: at(require.resolve('image-size')),
      decoders: {
        jpg: codec(
          require.resolve('@jsquash/jpeg/decode.js'),
          require.resolve('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'),
        ),
        png: codec(
          require.resolve('@jsquash/png/decode.js'),
          require.resolve('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'),
        ),
        webp: codec(
          require.resolve('@jsquash/webp/decode.js'),
          require.resolve('@jsquash/webp/codec/dec/webp_dec.wasm'),
        ),
      },
      encoder: codec(
        require.resolve('@jsquash/webp/encode.js'),
        require.resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm'),
      ),
    };
  } catch (error) {
    throw new LibraryBroken('The packages that make small pictures are not installed', { cause: error });
  }
}

function picturesIn(written: Buffer): readonly Uint8Array[] {
  const pictures: Uint8Array[] = [];
  for (let at = 0; at < written.length;) {
    const end = at + 4 + written.readUInt32BE(at);
    pictures.push(written.subarray(at + 4, end));
    at = end;
  }
  return pictures;
}
