import { nearestWord } from '../errors/nearest-word.ts';
import { toDisposable, type Disposable } from '../lifecycle/disposable.ts';
import type { Registry } from './registry.ts';

/** Registry ids and the type of their items. An interface may be used as well. */
export type RegistryCatalogue = Record<string, { readonly id: string }>;

type RegistryOf<C extends { [K in keyof C]: { readonly id: string } }> = {
  [K in keyof C]: Registry<C[K]>;
}[keyof C];

/** All registries of one host, typed by a catalogue of ids and items. */
export class Registries<C extends { [K in keyof C]: { readonly id: string } } = RegistryCatalogue> {
  readonly #registries = new Map<string, unknown>();

  /** @throws Error when a registry of that id exists. */
  define(registry: RegistryOf<C>): Disposable {
    const { id } = registry;
    if (this.#registries.has(id))
      throw new Error(`Registry '${id}' is already defined; define each registry once.`);
    this.#registries.set(id, registry);
    return toDisposable(() => {
      this.#registries.delete(id);
    });
  }

  /** @throws Error when there is no such registry. */
  get<K extends keyof C & string>(id: K): Registry<C[K]> {
    const registry = this.#registries.get(id);
    if (registry === undefined) {
      const known = [...this.#registries.keys()].sort();
      const meant = nearestWord(id, known);
      const wayOut =
        meant === undefined ? `the registries are: ${known.join(', ')}.` : `did you mean '${meant}'?`;
      throw new Error(`There is no registry '${id}'; ${wayOut}`);
    }
    return registry as Registry<C[K]>;
  }

  has(id: string): boolean {
    return this.#registries.has(id);
  }

  /** The ids, in the order of definition. */
  ids(): readonly string[] {
    return [...this.#registries.keys()];
  }
}
