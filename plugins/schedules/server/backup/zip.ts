import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { scheduleErrors } from '../schedule-errors.ts';

/*
 * Archives as PKWARE describes them (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT), written as they arise: sizes follow what
 * they are of. Without the extension for what is larger than 4 GB.
 */

/** A file of an archive. */
export interface ZipEntry {
  /** With slashes between folders. */
  readonly path: string;
  readonly body: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

const largest = 0xffff_fffe;
/** Sizes follow, and names are UTF-8. */
const flags = 0x0808;
const version = 20;
const deflated = 8;

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly size: number;
  readonly packed: number;
  readonly offset: number;
}

/** The bytes of an archive. @throws TrellisError `SCHEDULE_BACKUP_LARGE` */
export async function* zip(
  entries: AsyncIterable<ZipEntry>,
  at: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  const time = dosTime(at);
  const written: Written[] = [];
  let offset = 0;
  const sent = (bytes: Buffer): Buffer => {
    offset += bytes.length;
    if (offset > largest) throw scheduleErrors.create('SCHEDULE_BACKUP_LARGE');
    return bytes;
  };
  for await (const { path, body } of entries) {
    const start = offset;
    const name = Buffer.from(path, 'utf8');
    yield sent(
      Buffer.concat([
        words(0x04034b50, ...common(time), [0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]),
        name,
      ]),
    );
    let [crc, size, packed] = [0, 0, 0];
    const counted = async function* () {
      for await (const part of body) {
        const bytes = Buffer.from(part as string);
        crc = crc32(bytes, crc);
        size += bytes.length;
        if (size > largest) throw scheduleErrors.create('SCHEDULE_BACKUP_LARGE');
        yield bytes;
      }
    };
    const source = Readable.from(counted(), { objectMode: false });
    const deflate = createDeflateRaw();
    source.on('error', (error) => deflate.destroy(error));
    try {
      for await (const part of source.pipe(deflate)) {
        packed += (part as Buffer).length;
        yield sent(part as Buffer);
      }
    } finally {
      source.destroy();
      deflate.destroy();
    }
    yield sent(words(0x08074b50, [crc, 4], [packed, 4], [size, 4]));
    written.push({ name, crc, size, packed, offset: start });
  }
  const begin = offset;
  for (const { name, crc, size, packed, offset: start } of written) {
    const sizes: readonly Field[] = [
      [crc, 4],
      [packed, 4],
      [size, 4],
      [name.length, 2],
    ];
    const rest: readonly Field[] = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [start, 4],
    ];
    yield sent(Buffer.concat([words(0x02014b50, [version, 2], ...common(time), ...sizes, ...rest), name]));
  }
  const count: Field = [written.length, 2];
  yield words(0x06054b50, [0, 2], [0, 2], count, count, [offset - begin, 4], [begin, 4], [0, 2]);
}

/** A number and its bytes. */
type Field = readonly [value: number, bytes: 2 | 4];

function words(signature: number, ...fields: readonly Field[]): Buffer {
  const all: readonly Field[] = [[signature, 4], ...fields];
  const buffer = Buffer.alloc(all.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of all) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

const common = ({ time, date }: { readonly time: number; readonly date: number }): readonly Field[] => [
  [version, 2],
  [flags, 2],
  [deflated, 2],
  [time, 2],
  [date, 2],
];

/** In UTC; archives name no zone. */
function dosTime(at: Date) {
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}
