import { createHmac, randomBytes } from 'node:crypto';
import type { FileGrant, FilesOfPlace, PluginKeyValue } from '@trellis/sdk/server';
import type { AttachedFile } from '@trellis/sdk/shared';

const grant = 'acme-stickers';

/** The pictures of a cell, as they were when the sheet was made. */
export interface Sheet {
  readonly projectId: string;
  readonly pictures: readonly AttachedFile[];
}

/** Sheets by their ids, which only those know who were told. */
export class Sheets {
  readonly #kept: PluginKeyValue;
  readonly #secret: Uint8Array;

  constructor(kept: PluginKeyValue, secret: Uint8Array) {
    this.#kept = kept;
    this.#secret = secret;
  }

  /** @returns its id */
  async add(sheet: Sheet): Promise<string> {
    const id = randomBytes(16).toString('base64url');
    await this.#kept.set(id, sheet);
    return id;
  }

  find(id: string): Promise<Sheet | undefined> {
    return this.#kept.get(id);
  }

  /** Takes a sheet of a project back. */
  async remove(projectId: string, id: string): Promise<void> {
    if ((await this.find(id))?.projectId === projectId) await this.#kept.delete(id);
  }

  async forgetProject(projectId: string): Promise<void> {
    for (const id of await this.#kept.keys('')) await this.remove(projectId, id);
  }

  /** Where its pictures are shown. The key is not stored: whoever reads the database cannot make addresses. */
  placeOf(id: string): FilesOfPlace {
    return { grant, place: id, key: createHmac('sha256', this.#secret).update(id).digest() };
  }

  /** Asked for each picture that somebody opens, so that a sheet's addresses end with it. */
  readonly grant: FileGrant = {
    id: grant,
    keyOf: async (place) => {
      const sheet = await this.find(place);
      return sheet && { key: this.placeOf(place).key, projectId: sheet.projectId };
    },
  };
}
