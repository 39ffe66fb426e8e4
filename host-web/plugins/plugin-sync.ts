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
/** Milliseconds without any plugin coming, after which the page is drawn without the rest. */
const moment = 1000;
/** Milliseconds after which the other plugins are loaded all the same. */
const longestDrawing = 3000;
/** Milliseconds after which a list is asked for again that could not be read; the last one from then on. */
const retryPauses = [2000, 5000, 15_000, 60_000];

export interface PluginSyncOptions {
  readonly api: ApiClient;
  readonly host: WebPluginHost;
  readonly manager: PluginManager<WebPluginContext>;
  readonly clock: Clock;
  readonly leftOut: LeftOutPlugins;
  /** Told when the list could not be read after somebody heard of a newer one. */
  readonly onError: (error: unknown) => void;
  /** Told when the server has another build of the product than the page came with. */
  readonly onOtherBuild: () => void;
}

/** Keeps the page's plugins equal to the server's, without a reload. */
export class PluginSync {
  readonly #api: ApiClient;
  readonly #host: WebPluginHost;
  readonly #manager: PluginManager<WebPluginContext>;
  readonly #clock: Clock;
  readonly #leftOut: LeftOutPlugins;
  readonly #onError: (error: unknown) => void;
  readonly #onOtherBuild: () => void;
  /** Where the parts of the product itself stand, by plugin. */
  readonly #ownParts = new Map<string, string>();
  readonly #queue = new SerialQueue();
  readonly #present = new Map<string, string>();
  #generation = -1;
  /** The newest generation that anybody named; each is asked for until it is there. */
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

  /** Reads the list if this generation is newer. Before the first `run` nothing is read. */
  hear(generation: number): void {
    if (this.#generation === -1 || generation <= this.#heard) return;
    this.#heard = generation;
    void this.#readUntilDone(generation, 0);
  }

  /** Reads the list, again and again while that fails: nobody names the generation a second time. */
  async #readUntilDone(generation: number, failures: number): Promise<void> {
    try {
      await this.run(generation);
    } catch (error) {
      if (failures === 0) this.#onError(error);
      const pause = retryPauses[Math.min(failures, retryPauses.length - 1)] ?? 0;
      this.#clock.after(pause, () => {
        // A newer one that was heard of meanwhile brings this one along.
        if (generation === this.#heard) void this.#readUntilDone(generation, failures + 1);
      });
    }
  }

  /** Whether the first start is still going on: what is not there may come yet. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  /** Resolves when all plugins of the first start are there, or have failed. */
  get started(): Promise<void> {
    return this.#started;
  }

  /**
   * Reads the list and starts the plugins, those first whose manifest names a page that is wanted.
   *
   * Resolves when these are there; where no manifest names the page, when all are there or none has come for a moment. The
   * others go on, so that a page waits for no plugin that it does not show.
   *
   * @param pages the addresses that are going to be shown; asked for once the list is there.
   * @throws ApiError when the list cannot be read.
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
            // The others would take the line and the processor from the page that somebody waits for.
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

  /** Tells that the page is on the screen. */
  pageIsDrawn(): void {
    this.#didDraw();
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
      const list = await this.#read();
      if (this.#isOfOtherBuild(list)) this.#onOtherBuild();
      else await this.#follow(list.plugins);
      this.#didFollow(list);
    });
  }

  /**
   * Whether a part of the product stands elsewhere by now. It was built together with another page, whose shared modules are not this
   * page's, so that nothing of it could be drawn here; what runs goes on running.
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

  /** Calls back when no plugin has come for a moment. */
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
    // Those that went along with another one are made known again too, so that the start brings them back.
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

/** Whether it has a part that came with the product, and not one that somebody installed. */
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
