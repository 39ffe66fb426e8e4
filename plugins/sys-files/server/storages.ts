import type { FileHolder, Files, PluginKeyValue, StoragePlace } from '@trellis/sdk/server';
import { defineErrors, type RegistryView } from '@trellis/sdk/shared';
import type { StorageEntity } from '../shared/index.ts';

export const storageErrors = defineErrors({
  STORAGE_UNKNOWN: { status: 404, message: "There is no storage '{place}'." },
  STORAGE_NOT_READY: { status: 409, message: "'{label}' is not set up yet." },
  STORAGE_SAME: { status: 400, message: 'The files are there already.' },
  STORAGE_MOVING: {
    status: 409,
    message: 'Files are being moved already. Wait until that has ended, or cancel it.',
  },
});

const chosenKey = 'place';

/** The storages of this server: what they keep, and which one is written to. */
export class Storages {
  readonly #files: Pick<Files, 'places'>;
  readonly #holders: RegistryView<FileHolder>;
  readonly #kv: PluginKeyValue;

  constructor(deps: {
    readonly files: Pick<Files, 'places'>;
    readonly holders: RegistryView<FileHolder>;
    readonly kv: PluginKeyValue;
  }) {
    this.#files = deps.files;
    this.#holders = deps.holders;
    this.#kv = deps.kv;
  }

  /** The storage that somebody chose for new files; undefined for the usual one. */
  chosen(): Promise<string | undefined> {
    return this.#kv.get<string>(chosenKey);
  }

  /** @throws TrellisError `STORAGE_UNKNOWN`, `STORAGE_NOT_READY`. */
  async choose(place: string): Promise<void> {
    await this.#kv.set(chosenKey, this.ready(place).id);
  }

  /** @throws TrellisError `STORAGE_UNKNOWN`, `STORAGE_NOT_READY`. */
  ready(id: string): StoragePlace {
    const place = this.#files.places().find((one) => one.id === id);
    if (place === undefined) throw storageErrors.create('STORAGE_UNKNOWN', { place: id });
    if (!place.isReady) throw storageErrors.create('STORAGE_NOT_READY', { label: place.label });
    return place;
  }

  async list(): Promise<readonly StorageEntity[]> {
    const places = this.#files.places();
    const ready = places.filter(({ isReady }) => isReady);
    const chosen = await this.chosen();
    const written = ready.find(({ id }) => id === chosen) ?? ready[0];
    const list: StorageEntity[] = [];
    for (const { id, label, pluginId, isReady } of places)
      list.push({
        id,
        label,
        plugin_id: pluginId,
        is_ready: isReady,
        is_default: id === written?.id,
        ...(await this.count(id)),
      });
    return list;
  }

  /** What all holders together keep in a storage. */
  async count(place: string): Promise<{ readonly files: number; readonly bytes: number }> {
    let files = 0;
    let bytes = 0;
    for (const holder of this.#holders.list()) {
      const held = await holder.count(place);
      files += held.files;
      bytes += held.bytes;
    }
    return { files, bytes };
  }
}
