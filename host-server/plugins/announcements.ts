import type { PluginManager } from '@trellis/core';
import type { ServerPluginContext } from '@trellis/sdk/server';
import type { Metadata } from '../metadata/metadata.ts';

export interface AnnouncementDependencies {
  readonly manager: PluginManager<ServerPluginContext>;
  readonly metadata: Metadata;
  /** Called after every change of a plugin's state; the state of a removed plugin is `removed`. */
  readonly onDidChange: (event: {
    readonly id: string;
    readonly state: string;
    readonly generation: number;
  }) => void;
  readonly onError: (pluginId: string, where: string, error: unknown) => void;
}

/** Collects changes, and announces them once an operation is complete. */
export class PluginAnnouncements {
  readonly #deps: AnnouncementDependencies;
  readonly #changed = new Set<string>();
  /** When each plugin was last switched on, in ISO 8601. */
  readonly #startedAt = new Map<string, string>();
  #generation = 0;
  /** Whether the server listens while plugins are still starting. */
  #isListeningEarly = false;

  constructor(deps: AnnouncementDependencies) {
    this.#deps = deps;
    deps.manager.onDidChange(({ id, previous, current }) => {
      this.note(id);
      if (current?.state === 'enabled' && previous?.state !== 'enabled')
        this.#startedAt.set(id, new Date().toISOString());
      if (this.#isListeningEarly && previous?.state === 'starting') void this.#announceLate(id);
      // No operation caused this change: the error budget suspended something.
      if (current?.state === 'degraded')
        deps.onDidChange({ id, state: 'degraded', generation: this.#generation });
    });
  }

  /**
   * The generation of decisions that is in service here. Browsers are not told a newer one, or they would read too early and not
   * read again.
   */
  get generation(): number {
    return this.#generation;
  }

  startedAt(id: string): string {
    return this.#startedAt.get(id) ?? '';
  }

  note(id: string): void {
    this.#changed.add(id);
  }

  /** From now on the server listens. No page can have seen changes from before. */
  begin(options: { readonly isWhole: boolean }): void {
    this.#generation = this.#deps.metadata.generations.current('plugins');
    this.#changed.clear();
    this.#isListeningEarly = !options.isWhole;
  }

  /** Announces what an operation changed, once it is complete. */
  announce(): void {
    const { manager, metadata, onDidChange } = this.#deps;
    this.#generation = metadata.generations.current('plugins');
    const ids = [...this.#changed];
    this.#changed.clear();
    for (const id of ids)
      onDidChange({ id, state: manager.state(id) ?? 'removed', generation: this.#generation });
  }

  /**
   * Announces a change that nobody decided, such as a plugin that failed. Raises the generation, so that other servers and pages
   * read again.
   */
  async announceFound(): Promise<void> {
    const { database, generations } = this.#deps.metadata;
    await database.write((unit) => generations.bump(unit, 'plugins'), { retry: true });
    this.announce();
  }

  /** Announces a plugin that started after browsers had read the list. */
  async #announceLate(id: string): Promise<void> {
    try {
      await this.announceFound();
    } catch (error) {
      this.#deps.onError(id, 'announce', error);
    }
  }
}
