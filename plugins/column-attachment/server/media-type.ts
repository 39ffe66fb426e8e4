import { endingOf, typeOfName, unknownType } from '../shared/index.ts';

/** The bytes of a file that determine its type. */
export const headBytes = 4100;

type Signature = readonly [type: string, hex: string, offset?: number];

const signatures: readonly Signature[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['image/bmp', '424d'],
  ['image/x-icon', '00000100'],
  ['image/tiff', '49492a00'],
  ['image/tiff', '4d4d002a'],
  ['application/pdf', '255044462d'],
  ['audio/flac', '664c6143'],
  ['audio/mpeg', '494433'],
  ['application/gzip', '1f8b'],
  ['application/x-7z-compressed', '377abcaf271c'],
  ['application/x-tar', '7573746172', 257],
];

/** By the brand in the first box of the file. */
const brands: readonly (readonly [RegExp, string])[] = [
  [/^avi[fs]/, 'image/avif'],
  [/^(?:heic|heix|hevc|mif1|msf1)/, 'image/heic'],
  [/^qt/, 'video/quicktime'],
  [/^M4[AB]/, 'audio/mp4'],
];

const zipTypes = /openxmlformats|opendocument|macroenabled|^application\/zip$/;
const oleTypes = /^application\/(?:msword|vnd\.ms-(?:excel|powerpoint))$/;
const textTypes = /^(?:text\/|application\/(?:json|xml|yaml|rtf)$)/;

/**
 * The type of a file by its first bytes. The name only decides between types that look alike, such as documents that are archives;
 * a name that contradicts the content makes the type unknown. The sender's declared type is ignored.
 */
export function mediaTypeOf(head: Uint8Array, name: string): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, headBytes));
  return (
    signatures.find(([, hex, at = 0]) => startsWith(bytes, hex, at))?.[0] ??
    containerOf(bytes, name) ??
    (isText(bytes) ? textOf(bytes, name) : unknownType)
  );
}

function startsWith(bytes: Buffer, hex: string, at: number): boolean {
  return bytes.subarray(at, at + hex.length / 2).equals(Buffer.from(hex, 'hex'));
}

/** The types that share a container, distinguished by its content. */
function containerOf(bytes: Buffer, name: string): string | undefined {
  const promised = typeOfName(name) ?? '';
  const latin = (start: number, end: number) => bytes.toString('latin1', start, end);
  if (latin(4, 8) === 'ftyp') return brands.find(([brand]) => brand.test(latin(8, 12)))?.[1] ?? 'video/mp4';
  if (latin(0, 4) === 'RIFF') {
    const kinds: Readonly<Record<string, string>> = {
      WEBP: 'image/webp',
      WAVE: 'audio/wav',
      'AVI ': 'video/x-msvideo',
    };
    return kinds[latin(8, 12)];
  }
  if (latin(0, 4) === 'OggS') return latin(0, 200).includes('theora') ? 'video/ogg' : 'audio/ogg';
  if (startsWith(bytes, '1a45dfa3', 0))
    return latin(0, 100).includes('webm') ? 'video/webm' : 'video/x-matroska';
  if (startsWith(bytes, '504b0304', 0)) return zipTypes.test(promised) ? promised : 'application/zip';
  if (startsWith(bytes, 'd0cf11e0a1b11ae1', 0)) return oleTypes.test(promised) ? promised : unknownType;
  const isFrame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0;
  return isFrame && endingOf(name) === 'mp3' ? 'audio/mpeg' : undefined;
}

function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  try {
    // A character may be cut at the end of these bytes.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function textOf(bytes: Buffer, name: string): string {
  const promised = typeOfName(name);
  if (promised === 'image/svg+xml') return /<svg[\s>]/i.test(bytes.toString()) ? promised : 'text/plain';
  if (promised === undefined || textTypes.test(promised)) return promised ?? 'text/plain';
  return unknownType;
}
