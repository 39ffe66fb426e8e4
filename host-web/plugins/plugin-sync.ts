import { SerialQueue, type Clock, type KnownPlugin, type PluginManager } from '@trellis/core';
import type { ApiClient, WebPluginContext } from '@trellis/sdk/web';
import { pluginsOfPages } from './plugins-of-pages.ts';
import type { LeftOutPlugins } from './left-out-plugins.ts';
import type { WebPluginHost } from './web-plugin-host.ts';
import {
  completeManifest,
  isFromElsewhere,
  type WebPluginEntry,
  type WebPluginList,
} from './web-plugin-manifest.ts';

const path = '/api/v1/plugins/web';
/** Milliseconds without any plugin starting, after which the page is drawn without the rest. */
const moment = 1000;
/** Milliseconds after which the other plugins are loaded even if the page was not drawn. */
const longestDrawing = 3000;
/** Milliseconds before each new attempt to read the list; the last one repeats. */
const retryPauses = [2000, 5000, 15_000, 60_000];

export interface PluginSyncOptions {
  readonly api: ApiClient;
  readonly host: WebPluginHost;
  readonly manager: PluginManager<WebPluginContext>;
  readonly clock: Clock;
  readonly leftOut: LeftOutPlugins;
  /** Told when the list could not be read after somebody heard of a newer one. */
  readonly onError: (error: unknown) => void;
  /** Called when the server runs another build of the product than the page. */
  readonly onOtherBuild: () => void;
}

/** Keeps the page's plugins the same as the server's, without a reload. */
export class PluginSync {
  readonly #api: ApiClient;
  readonly #host: WebPluginHost;
  readonly #manager: PluginManager<WebPluginContext>;
  readonly #clock: Clock;
  readonly #leftOut: LeftOutPlugins;
  readonly #onError: (error: unknown) => void;
  readonly #onOtherBuild: () => void;
  /** The addresses of the built-in parts, by plugin. */
  readonly #ownParts = new Map<string, string>();
  readonly #queue = new SerialQueue();
  readonly #present = new Map<string, string>();
  #generation = -1;
  /** The newest generation that was announced; each is requested until it has been read. */
  #heard = -1;
  #isStarting = true;
  #didDraw: () => void = () => undefined;
  readonly #drawn = new Promise<void>((resolve) => {
    this.#didDraw = resolve;
  });
  #didStart: () => void = () => undefined;
  readonly #started = new Promise<void>((resolve) => {
    this.#didStart = resolve;
  });

  constructor({ api, host, manager, clock, leftOut, onError, onOtherBuild }: PluginSyncOptions) {
    this.#api = api;
    this.#host = host;
    this.#manager = manager;
    this.#clock = clock;
    this.#leftOut = leftOut;
    this.#onError = onError;
    this.#onOtherBuild = onOtherBuild;
  }

  /** Reads the list if this generation is newer. Does nothing before the first `run`. */
  hear(generation: number): void {
    if (this.#generation === -1 || generation <= this.#heard) return;
    this.#heard = generation;
    void this.#readUntilDone(generation, 0);
  }

  /** Reads the list and repeats this after a failure, because no generation is announced twice. */
  async #readUntilDone(generation: number, failures: number): Promise<void> {
    try {
      await this.run(generation);
    } catch (error) {
      if (failures === 0) this.#onError(error);
      const pause = retryPauses[Math.min(failures, retryPauses.length - 1)] ?? 0;
      this.#clock.after(pause, () => {
        // A newer generation that was announced meanwhile includes this one.
        if (generation === this.#heard) void this.#readUntilDone(generation, failures + 1);
      });
    }
  }

  /** Whether the first start is still running: a missing item may still appear. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  /** Resolves when all plugins of the first start have started or failed. */
  get started(): Promise<void> {
    return this.#started;
  }

  /**
   * Reads the list and starts the plugins, first those whose manifest names a wanted page.
   *
   * Resolves when these have started; if no manifest names the page, when all have started or none has for a moment. The others
   * continue, so that a page waits only for plugins that it shows.
   *
   * @param pages the addresses to show; called when the list has been read.
   * @throws ApiError if the list cannot be read.
   */
  start(pages: () => Promise<readonly string[]>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue
        .run(async () => {
          const list = await this.#read();
          const addresses = await pages();
          const first = pluginsOfPages(list.plugins, addresses);
          if (first.length > 0) {
            await this.#follow(first);
            resolve();
            // The others would compete for the line and the processor with the page that somebody waits for.
            await this.#untilPageIsDrawn();
          } else this.#resolveOnStall(resolve);
          await this.#follow(list.plugins);
          this.#didFollow(list);
        })
        .then(() => {
          this.#isStarting = false;
          this.#didStart();
          resolve();
        }, reject);
    });
  }

  /** Call when the page is on the screen. */
  pageIsDrawn(): void {
    this.#didDraw();
  }

  /**
   * Reads the list and applies it.
   *
   * @param atLeast an announced generation; nothing is read if the page has it or a newer one.
   * @throws ApiError if the list cannot be read; running plugins continue.
   */
  run(atLeast?: number): Promise<void> {
    return this.#queue.run(async () => {
      if (atLeast !== undefined && atLeast <= this.#generation) return;
      const list = await this.#read();
      if (this.#isOfOtherBuild(list)) this.#onOtherBuild();
      else await this.#follow(list.plugins);
      this.#didFollow(list);
    });
  }

  /**
   * Whether a built-in part has another address than before. It then belongs to another build of the page with other shared
   * modules, so it could not be drawn here; running plugins continue.
   */
  #isOfOtherBuild({ plugins }: WebPluginList): boolean {
    return plugins.some((entry) => {
      const known = this.#ownParts.get(entry.id);
      return known !== undefined && isOwn(entry) && entry.url !== known;
    });
  }

  async #read(): Promise<WebPluginList> {
    const list = await this.#api.request<WebPluginList>({ path });
    if (!this.#leftOut.leavesOutAll) return list;
    return { ...list, plugins: list.plugins.filter((entry) => !isFromElsewhere(entry)) };
  }

  #didFollow({ generation }: WebPluginList): void {
    this.#generation = generation;
    this.#heard = generation;
  }

  #untilPageIsDrawn(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#clock.after(longestDrawing, resolve);
      void this.#drawn.then(() => {
        stop();
        resolve();
      });
    });
  }

  /** Calls back when no plugin has started for a moment. */
  #resolveOnStall(resolve: () => void): void {
    let stop = this.#clock.after(moment, resolve);
    const progress = this.#manager.onDidChange(() => {
      stop();
      stop = this.#clock.after(moment, resolve);
    });
    void this.#started.then(() => {
      stop();
      return progress.dispose();
    });
  }

  async #follow(entries: readonly WebPluginEntry[]): Promise<void> {
    for (const entry of entries) {
      this.#host.setSettings(entry);
      if (isOwn(entry)) this.#ownParts.set(entry.id, entry.url);
    }
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
    // Plugins that stopped together with another one are discovered again, so that the start includes them.
    const idle = entries.filter(({ id }) => !isRunning(this.#manager.state(id)));
    await this.#manager.discover(idle.map(toKnown));
    for (const { id } of added) this.#present.set(id, wanted.get(id) ?? '');
    await this.#manager.start();
    this.#clock.after(0, () => this.#leftOut.started());
  }
}

function fingerprint({ url, css, manifest }: WebPluginEntry): string {
  return JSON.stringify([url ?? '', css ?? [], manifest.version ?? '']);
}

/** Whether it has a built-in part, not an installed one. */
function isOwn(entry: WebPluginEntry): entry is WebPluginEntry & { readonly url: string } {
  return typeof entry.url === 'string' && !isFromElsewhere(entry);
}

function toKnown(entry: WebPluginEntry): KnownPlugin {
  // Ours come first, so that one from elsewhere which hangs delays none of them.
  const origin = isFromElsewhere(entry) ? 'installed' : 'built-in';
  return { id: entry.id, origin, manifest: completeManifest(entry), persisted: 'enabled' };
}

function isRunning(state: string | undefined): boolean {
  return state === 'enabled' || state === 'degraded';
}
