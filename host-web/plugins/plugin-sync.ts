import { SerialQueue, type KnownPlugin, type PluginManager } from '@trellis/core';
import type { ApiClient, WebPluginContext } from '@trellis/sdk/web';
import type { WebPluginHost } from './web-plugin-host.ts';
import { completeManifest, type WebPluginEntry, type WebPluginList } from './web-plugin-manifest.ts';

const path = '/api/v1/plugins/web';

/** Keeps the page's plugins equal to the server's, without a reload. */
export class PluginSync {
  readonly #api: ApiClient;
  readonly #host: WebPluginHost;
  readonly #manager: PluginManager<WebPluginContext>;
  readonly #queue = new SerialQueue();
  readonly #present = new Map<string, string>();
  #generation = -1;

  constructor(api: ApiClient, host: WebPluginHost, manager: PluginManager<WebPluginContext>) {
    this.#api = api;
    this.#host = host;
    this.#manager = manager;
  }

  /**
   * Reads the list and follows it.
   *
   * @param atLeast a generation that was heard of; an older or equal one is there already.
   * @throws ApiError when the list cannot be read; what runs goes on running.
   */
  run(atLeast?: number): Promise<void> {
    return this.#queue.run(async () => {
      if (atLeast !== undefined && atLeast <= this.#generation) return;
      const list = await this.#api.request<WebPluginList>({ path });
      await this.#follow(list.plugins);
      this.#generation = list.generation;
    });
  }

  async #follow(entries: readonly WebPluginEntry[]): Promise<void> {
    const wanted = new Map(entries.map((entry) => [entry.id, fingerprint(entry)]));
    const gone = [...this.#present].filter(([id, print]) => wanted.get(id) !== print).map(([id]) => id);
    for (const id of gone) {
      await this.#manager.disable(id, { cascade: true });
    }
    for (const id of gone) {
      await this.#manager.remove(id);
      this.#present.delete(id);
    }
    const added = entries.filter(({ id }) => !this.#present.has(id));
    for (const entry of added) this.#host.locate(entry);
    // Those that went along with another one are made known again too, so that the start brings them back.
    const idle = entries.filter(({ id }) => !isRunning(this.#manager.state(id)));
    await this.#manager.discover(idle.map(toKnown));
    for (const { id } of added) this.#present.set(id, wanted.get(id) ?? '');
    await this.#manager.start();
  }
}

function fingerprint({ url, css, manifest }: WebPluginEntry): string {
  return JSON.stringify([url ?? '', css ?? [], manifest.version ?? '']);
}

function toKnown(entry: WebPluginEntry): KnownPlugin {
  return { id: entry.id, origin: 'installed', manifest: completeManifest(entry), persisted: 'enabled' };
}

function isRunning(state: string | undefined): boolean {
  return state === 'enabled' || state === 'degraded';
}
