import { Emitter, type Disposable } from '@trellis/core';
import type { UserEntity } from '../shared/index.ts';
import type { OpenTab, UserStorage, WebHost } from '../web/index.ts';
import type { MemoryHostOptions } from './web.tsx';

const member: UserEntity = {
  id: 'us_test',
  email: 'member@example.com',
  firstname: null,
  lastname: null,
  email_verified: true,
  roles: { user: true },
};

/** The same shape as the SDK's: `dispose` gives nothing back. */
export function asPlain(subscription: Disposable): { dispose(): void } {
  return { dispose: () => void subscription.dispose() };
}

/** Who is signed in, in memory. */
export function createSession(user: MemoryHostOptions['user']): WebHost['session'] {
  const changed = new Emitter<void>();
  let current = user === null ? undefined : { ...member, ...user };
  const set = (next: UserEntity | undefined) => {
    current = next;
    changed.fire();
    return Promise.resolve();
  };
  return {
    get user() {
      return current;
    },
    get status() {
      return current === undefined ? ('guest' as const) : ('signedIn' as const);
    },
    get superAdmin() {
      return current?.roles.super === true;
    },
    signIn: () => set({ ...member, ...user }),
    signOut: () => set(undefined),
    onDidChange: (listener) => asPlain(changed.event(listener)),
    token: () => (current === undefined ? undefined : 'test-token'),
  };
}

/** What is open, in memory. */
export function createShell({ project, user }: MemoryHostOptions): WebHost['shell'] {
  const changed = new Emitter<void>();
  const state = {
    context: {
      signedIn: user !== null,
      superAdmin: user?.roles?.super === true,
      project,
      table: undefined,
      view: undefined,
    } as WebHost['shell']['context'],
    tabs: [] as readonly OpenTab[],
    activeTab: undefined as OpenTab | undefined,
    dark: false,
    themeId: 'default',
  };
  const set = (patch: Partial<typeof state>) => {
    Object.assign(state, patch, { context: { ...state.context, ...patch.context } });
    changed.fire();
  };
  const isSame = (left: OpenTab, right: OpenTab) => left.type === right.type && left.key === right.key;
  return {
    get context() {
      return state.context;
    },
    get tabs() {
      return state.tabs;
    },
    get activeTab() {
      return state.activeTab;
    },
    get dark() {
      return state.dark;
    },
    get themeId() {
      return state.themeId;
    },
    setContext: (patch) => set({ context: { ...state.context, ...patch } }),
    openTab: (tab) =>
      set({ tabs: [...state.tabs.filter((other) => !isSame(other, tab)), tab], activeTab: tab }),
    nameTabs: () => undefined,
    closeTab: (tab) => {
      const tabs = state.tabs.filter((other) => !isSame(other, tab));
      set({ tabs, activeTab: tabs.at(-1) });
    },
    setDark: (dark) => set({ dark }),
    setTheme: (themeId) => set({ themeId }),
    openSettings: () => undefined,
    onDidChange: (listener) => asPlain(changed.event(listener)),
  };
}

export function createStorage(): UserStorage {
  const values = new Map<string, unknown>();
  return {
    get: <T>(key: string) => values.get(key) as T | undefined,
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
  };
}
