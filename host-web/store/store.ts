import { combineReducers, configureStore } from '@reduxjs/toolkit';
import type { ServerCache } from '../api/server-cache.ts';
import type { LocalMirror } from './local-mirror.ts';
import { notificationsSlice } from './notifications-slice.ts';
import type { PluginReducers } from './plugin-reducers.ts';
import { sessionSlice } from './session-slice.ts';
import { settingsSlice } from './settings-slice.ts';
import { tabsSlice } from './tabs-slice.ts';

export interface StoreParts {
  readonly cache: ServerCache;
  readonly pluginReducers: PluginReducers;
  readonly mirror: LocalMirror;
}

export type HostStore = ReturnType<typeof createStore>;
export type HostState = ReturnType<HostStore['getState']>;

/** The page's store; settings and tabs are mirrored to local storage. */
export function createStore({ cache, pluginReducers, mirror }: StoreParts) {
  const slices = combineReducers({
    session: sessionSlice.reducer,
    settings: settingsSlice.reducer,
    tabs: tabsSlice.reducer,
    notifications: notificationsSlice.reducer,
    plugins: pluginReducers.reduce,
    server: cache.reducer,
  });
  // State of plugins and requests belongs to the person who was signed in.
  const reducer: typeof slices = (state, action) =>
    slices(
      state !== undefined && sessionSlice.actions.ended.match(action)
        ? { ...state, plugins: {}, notifications: notificationsSlice.getInitialState() }
        : state,
      action,
    );
  const store = configureStore({
    reducer,
    preloadedState: mirror.read(),
    middleware: (defaults) =>
      defaults({ serializableCheck: false, immutableCheck: false }).concat(cache.middleware),
  });
  onChange(
    store,
    ({ settings, tabs }) => ({ settings, tabs }),
    (state) => mirror.write(state),
  );
  return store;
}

/** Calls the listener with the selected values whenever one of them changes. */
export function onChange<State, Selected extends object>(
  store: { getState(): State; subscribe(listener: () => void): () => void },
  select: (state: State) => Selected,
  listener: (selected: Selected) => void,
): { dispose(): void } {
  let last: Selected = select(store.getState());
  const unsubscribe = store.subscribe(() => {
    const next = select(store.getState());
    const keys = Object.keys(next) as (keyof Selected)[];
    if (keys.every((key) => next[key] === last[key])) return;
    last = next;
    listener(next);
  });
  return { dispose: unsubscribe };
}
