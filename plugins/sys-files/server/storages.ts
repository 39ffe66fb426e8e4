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
/** The storage of the last new file, while nobody has chosen one. */
const usedKey = 'used';

/** The storages of this server: what they hold, and which one is written to. */
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

  /**
   * The storage for new files: the chosen one, otherwise the one in use, otherwise the first. A storage that is set up later is not
   * used until somebody chooses it.
   *
   * @param ready ids of those that are set up, in order
   */
  async current(ready: readonly string[]): Promise<string | undefined> {
    return (await this.#standing(ready)).current;
  }

  /** The storage for a new file, which is in use from now on. */
  async place(ready: readonly string[]): Promise<string | undefined> {
    const { current, used } = await this.#standing(ready);
    if (current !== undefined && current !== used) await this.#kv.set(usedKey, current);
    return current;
  }

  /** The storage for new files, and that of the last new file. */
  async #standing(
    ready: readonly string[],
  ): Promise<{ readonly current: string | undefined; readonly used: string | undefined }> {
    const chosen = await this.#kv.get<string>(chosenKey);
    const used = await this.#kv.get<string>(usedKey);
    const current = [chosen, used].find((id) => id !== undefined && ready.includes(id)) ?? ready[0];
    return { current, used };
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
    const written = await this.current(places.filter(({ isReady }) => isReady).map(({ id }) => id));
    const list: StorageEntity[] = [];
    for (const { id, label, pluginId, isReady } of places)
      list.push({
        id,
        label,
        plugin_id: pluginId,
        is_ready: isReady,
        is_default: id === written,
        ...(await this.count(id)),
      });
    return list;
  }

  /** The files of all holders in a storage. */
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
