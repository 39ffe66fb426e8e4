import type { KeptPicture, KeptPictures, PluginDatabase, ProfilePictures } from '@trellis/sdk/server';
import { mostPictureBytes } from '../shared/index.ts';

interface PictureRow extends KeptPicture {
  readonly account_id: string;
}

export const picturePath = '/api/v1/auth/pictures';

/** Profile pictures: files, with rows that name the account. */
export class Pictures implements ProfilePictures {
  readonly #db: PluginDatabase;
  readonly #kept: KeptPictures;

  constructor(db: PluginDatabase, kept: KeptPictures) {
    this.#db = db;
    this.#kept = kept;
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

  /** @throws TrellisError `PICTURE_KIND`, whatever the file's declared type, and `PICTURE_LARGE`. */
  async set(accountId: string, bytes: Uint8Array): Promise<string> {
    const picture = await this.#kept.keep(bytes, mostPictureBytes);
    const former = await this.#replace(accountId, { account_id: accountId, ...picture });
    if (former !== undefined) await this.#kept.remove(former);
    return `${picturePath}/${picture.token}`;
  }

  async remove(accountId: string): Promise<void> {
    const former = await this.#replace(accountId, undefined);
    if (former !== undefined) await this.#kept.remove(former);
  }

  #replace(accountId: string, next: PictureRow | undefined): Promise<PictureRow | undefined> {
    return this.#db.writeKey(async (unit) => {
      const own = () => unit.table('picture').where({ account_id: accountId });
      const former = await unit.first<PictureRow>(own().select('*'));
      await unit.run(own().delete());
      if (next !== undefined) await unit.run(unit.table('picture').insert(next));
      return former;
    });
  }
}
