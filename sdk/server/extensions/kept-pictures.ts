import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { defineErrors, type TrellisError } from '../../shared/index.ts';
import type { PluginColumn, PluginDatabase, PluginUnit } from '../plugin-database.ts';
import { RouteAnswer } from '../routes.ts';
import { readHeld, type FileHolder, type Files } from './files.ts';

const pictureErrors = defineErrors({
  PICTURE_KIND: { status: 400, message: 'A picture is a PNG, JPEG or WebP file.' },
  PICTURE_LARGE: { status: 413, message: 'A picture has at most {kilobytes} kilobytes.' },
  PICTURE_UNKNOWN: { status: 404, message: 'This picture is not there (any more).' },
});

/** First bytes of files that browsers display without running anything in them. */
const kinds: readonly { readonly type: string; readonly begins: string; readonly ends?: string }[] = [
  { type: 'image/png', begins: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', begins: '\xff\xd8\xff' },
  { type: 'image/webp', begins: 'RIFF', ends: 'WEBP' },
];

/** The columns of a picture in a plugin's row. @beta */
export interface KeptPicture {
  /** The end of its address: 128 random bits, new for each picture. */
  readonly token: string;
  /** The media type, detected from the content. */
  readonly type: string;
  readonly ref: string;
}

/** The columns of a plugin's own table that `KeptPictures` reads; `token` has a key or a unique index. @beta */
export const pictureColumns = {
  token: { kind: 'string', length: 22, required: true },
  type: { kind: 'string', length: 20, required: true },
  ref: { kind: 'string', length: 300, required: true },
} as const satisfies Readonly<Record<string, PluginColumn>>;

/**
 * Stores a plugin's pictures as files, with rows in the plugin's own table. Anyone with the address can read a picture, since
 * browsers send no credentials for images. The plugin writes and deletes the rows, which say whose a picture is.
 * @beta
 */
export class KeptPictures {
  readonly #db: PluginDatabase;
  readonly #files: Files;
  readonly #table: string;

  constructor(of: { readonly db: PluginDatabase; readonly files: Files; readonly table: string }) {
    this.#db = of.db;
    this.#files = of.files;
    this.#table = of.table;
  }

  /**
   * Stores the bytes, for a row that the caller adds.
   *
   * @param limit bytes
   * @throws TrellisError `PICTURE_KIND` for any other content, whatever the file's declared type, and `PICTURE_LARGE`
   */
  async keep(bytes: Uint8Array, limit: number): Promise<KeptPicture> {
    if (bytes.length > limit) throw pictureErrors.create('PICTURE_LARGE', { kilobytes: limit / 1024 });
    const type = typeOf(bytes);
    if (type === undefined) throw pictureErrors.create('PICTURE_KIND');
    const { ref } = await this.#files.put(bytes, { name: 'picture', type }, { limit });
    return { token: randomBytes(16).toString('base64url'), type, ref };
  }

  /** Removes the bytes of a picture whose row was deleted. */
  remove({ ref }: Pick<KeptPicture, 'ref'>): Promise<void> {
    return this.#files.remove(ref);
  }

  /**
   * The picture as an answer to a browser, in which it can run nothing.
   *
   * @throws TrellisError `PICTURE_UNKNOWN`
   */
  async answer(token: string): Promise<RouteAnswer> {
    const { type, content } = await this.#read(token);
    return new RouteAnswer({
      headers: {
        'content-type': type,
        'content-disposition': 'inline; filename="picture"',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, max-age=31536000, immutable',
      },
      body: content,
    });
  }

  /**
   * The whole picture as an address (`data:image/png;base64,...`), for pages that authorise readers by their own calls.
   *
   * @throws TrellisError `PICTURE_UNKNOWN`
   */
  async dataUrl(token: string): Promise<string> {
    const { type, content } = await this.#read(token);
    const parts: Uint8Array[] = [];
    for await (const part of content) parts.push(part as Uint8Array);
    return `data:${type};base64,${Buffer.concat(parts).toString('base64')}`;
  }

  /** The error for a picture that does not exist for the caller. */
  unknown(): TrellisError {
    return pictureErrors.create('PICTURE_UNKNOWN');
  }

  /** The references of all pictures, for counting files or moving them to another storage. Their sizes are not stored. */
  holder(id: string): FileHolder {
    const db = this.#db;
    const all = (unit: PluginUnit) => unit.table(this.#table);
    const keptIn = (unit: PluginUnit, place: string) => all(unit).where('ref', 'like', `${place}:%`);
    return {
      id,
      async count(place) {
        const sum = await db.read((unit) =>
          unit.first<{ readonly files: number | string }>(keptIn(unit, place).count({ files: '*' })),
        );
        return { files: Number(sum?.files ?? 0), bytes: 0 };
      },
      list: (place, { after, most }) =>
        db.read((unit) => {
          const some = keptIn(unit, place).orderBy('ref').limit(most).select('ref');
          return unit.all<{ readonly ref: string }>(
            after === undefined ? some : some.where('ref', '>', after),
          );
        }),
      async repoint(from, to) {
        const changed = await db.write((unit) =>
          unit.run(all(unit).where({ ref: from }).update({ ref: to })),
        );
        return changed > 0;
      },
      async holds(ref) {
        const found = await db.read((unit) => unit.first(all(unit).where({ ref }).select('ref')));
        return found !== undefined;
      },
    };
  }

  async #read(token: string): Promise<{ readonly type: string; readonly content: Readable }> {
    const read = await readHeld(
      () => this.#find(token),
      async ({ type, ref }) => ({ type, content: await this.#files.read(ref) }),
    );
    if (read === undefined) throw this.unknown();
    return read;
  }

  async #find(token: string): Promise<KeptPicture | undefined> {
    const row = await this.#db.read((unit) =>
      unit.first<KeptPicture>(
        unit
          .table(this.#table)
          .where({ token: token.slice(0, 22) })
          .select('token', 'type', 'ref'),
      ),
    );
    // Collations may treat two tokens as equal.
    return row?.token === token ? row : undefined;
  }
}

function typeOf(bytes: Uint8Array): string | undefined {
  const begin = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return kinds.find(({ begins, ends = '' }) => begin.startsWith(begins) && begin.endsWith(ends))?.type;
}
