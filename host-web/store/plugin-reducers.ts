import { combineReducers, type Reducer, type UnknownAction } from '@reduxjs/toolkit';
import { toDisposable, type Disposable } from '@trellis/core';

/** The plugins' state: `plugins.<plugin id>.<key>`. */
export type PluginState = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const unchanged: Reducer<PluginState> = (state = {}) => state;

/** The plugins' reducers. Removing one removes its state. */
export class PluginReducers {
  readonly #reducers = new Map<string, Map<string, Reducer>>();
  #combined: Reducer<PluginState> = unchanged;

  /** The reducer of all plugins' state. */
  readonly reduce = (state: PluginState | undefined, action: UnknownAction): PluginState =>
    this.#combined(state, action);

  /** @throws Error if the plugin already has a reducer with that key. */
  add(pluginId: string, key: string, reducer: Reducer): Disposable {
    const ofPlugin = this.#reducers.get(pluginId) ?? new Map<string, Reducer>();
    if (ofPlugin.has(key)) {
      throw new Error(`Plugin '${pluginId}' has a reducer '${key}' already; choose another key.`);
    }
    ofPlugin.set(key, reducer);
    this.#reducers.set(pluginId, ofPlugin);
    this.#combine();
    return toDisposable(() => {
      ofPlugin.delete(key);
      if (ofPlugin.size === 0) this.#reducers.delete(pluginId);
      this.#combine();
    });
  }

  #combine(): void {
    const entries = [...this.#reducers].map(([id, reducers]) => [
      id,
      combineReducers(Object.fromEntries(reducers)),
    ]);
    const combined = entries.length === 0 ? undefined : combineReducers(Object.fromEntries(entries));
    this.#combined =
      combined === undefined
        ? (state = {}) => (Object.keys(state).length === 0 ? state : {})
        : (state = {}, action) => combined(this.#withoutRemoved(state), action) as PluginState;
  }

  /** Removes former reducers' state first, because combineReducers warns about keys that it does not know. */
  #withoutRemoved(state: PluginState): PluginState {
    const isComplete = Object.entries(state).every(([id, ofPlugin]) =>
      Object.keys(ofPlugin).every((key) => this.#reducers.get(id)?.has(key) === true),
    );
    if (isComplete) return state;
    const kept: Record<string, Readonly<Record<string, unknown>>> = {};
    for (const [id, reducers] of this.#reducers) {
      const ofPlugin = Object.entries(state[id] ?? {}).filter(([key]) => reducers.has(key));
      if (ofPlugin.length > 0) kept[id] = Object.fromEntries(ofPlugin);
    }
    return kept;
  }
}
