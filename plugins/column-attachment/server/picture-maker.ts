import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { pictureProgram, type CodecFiles } from './picture-program.ts';

/** Makes small pictures, in the order of the sides; undefined where none can be made of a picture. Throws where it cannot say. */
export type MakePictures = (
  picture: Uint8Array,
  sides: readonly number[],
) => Promise<readonly Uint8Array[] | undefined>;

/** What is installed does not run on this machine, and will not for the next picture either. */
export class LibraryBroken extends Error {}

/** Pixels of a picture that is read, 200 MB in memory, and pages of 64 KB that its reader may take for them and for itself. */
const mostPixels = 50_000_000;
const mostPages = 10_000;
/** Milliseconds. */
const longest = 20_000;
const ends = { broken: 3, refused: 4 } as const;

/**
 * What reads pictures of strangers was written in C and Rust. It is compiled to WebAssembly, and has a process of its own, which knows nothing of
 * the server, and which a picture that asks for too much time or memory ends.
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
  // How the process ended tells why it does not read on.
  child.stdin.on('error', () => undefined);
  child.stdin.end(picture);
  const [written, [code]] = await Promise.all([
    buffer(child.stdout),
    once(child, 'close') as Promise<[code: number | null]>,
  ]);
  if (code === ends.broken) throw new LibraryBroken('The packages that make small pictures do not run here');
  return code === 0 ? picturesIn(written) : undefined;
};

/** Where the packages are that the process loads, and this one never does. */
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
