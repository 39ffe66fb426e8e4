import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Files, PluginDatabase, ProfilePictures } from '@trellis/sdk/server';
import { mostPictureBytes } from '../shared/index.ts';
import { authErrors } from './auth-errors.ts';

interface PictureRow {
  readonly account_id: string;
  readonly token: string;
  readonly type: string;
  readonly ref: string;
}

/** Beginnings of files that a browser draws and runs nothing of. */
const kinds: readonly { readonly type: string; readonly begins: string; readonly ends?: string }[] = [
  { type: 'image/png', begins: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', begins: '\xff\xd8\xff' },
  { type: 'image/webp', begins: 'RIFF', ends: 'WEBP' },
];

export const picturePath = '/api/v1/auth/pictures';

/** The pictures of people: files with rows that say whose they are. */
export class Pictures implements ProfilePictures {
  readonly #db: PluginDatabase;
  readonly #files: Files;

  constructor(db: PluginDatabase, files: Files) {
    this.#db = db;
    this.#files = files;
  }

  async addresses(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (accountIds.length === 0) return new Map();
    const rows = await this.#db.read((unit) =>
      unit.all<PictureRow>(
        unit
          .table('picture')
          .whereIn('account_id', [...new Set(accountIds)])
          .select('account_id', 'token'),
      ),
    );
    return new Map(rows.map(({ account_id: id, token }) => [id, `${picturePath}/${token}`]));
  }

  /** @throws TrellisError `PICTURE_KIND`, whatever the file says of itself, and `PICTURE_LARGE`. */
  async set(accountId: string, bytes: Uint8Array): Promise<string> {
    if (bytes.length > mostPictureBytes)
      throw authErrors.create('PICTURE_LARGE', { kilobytes: mostPictureBytes / 1024 });
    const type = typeOf(bytes);
    if (type === undefined) throw authErrors.create('PICTURE_KIND');
    const facts = { name: 'picture', type };
    const { ref } = await this.#files.put(bytes, facts, { limit: mostPictureBytes });
    const token = randomBytes(16).toString('base64url');
    const former = await this.#replace(accountId, { account_id: accountId, token, type, ref });
    if (former !== undefined) await this.#files.remove(former.ref);
    return `${picturePath}/${token}`;
  }

  async remove(accountId: string): Promise<void> {
    const former = await this.#replace(accountId, undefined);
    if (former !== undefined) await this.#files.remove(former.ref);
  }

  async read(token: string): Promise<{ readonly type: string; readonly content: Readable } | undefined> {
    const row = await this.#find(token);
    if (row === undefined) return undefined;
    try {
      return { type: row.type, content: await this.#files.read(row.ref) };
    } catch (error) {
      // It may have been moved to another storage meanwhile.
      const now = await this.#find(token);
      if (now === undefined || now.ref === row.ref) throw error;
      return { type: now.type, content: await this.#files.read(now.ref) };
    }
  }

  async #find(token: string): Promise<PictureRow | undefined> {
    const row = await this.#db.read((unit) =>
      unit.first<PictureRow>(
        unit
          .table('picture')
          .where({ token: token.slice(0, 22) })
          .select('*'),
      ),
    );
    // Collations may take two tokens for one.
    return row?.token === token ? row : undefined;
  }

  #replace(accountId: string, next: PictureRow | undefined): Promise<PictureRow | undefined> {
    return this.#db.write(async (unit) => {
      const own = () => unit.table('picture').where({ account_id: accountId });
      const former = await unit.first<PictureRow>(own().select('*'));
      await unit.run(own().delete());
      if (next !== undefined) await unit.run(unit.table('picture').insert(next));
      return former;
    });
  }
}

function typeOf(bytes: Uint8Array): string | undefined {
  const begin = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return kinds.find(({ begins, ends = '' }) => begin.startsWith(begins) && begin.endsWith(ends))?.type;
}
