import { createContext, useContext, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import type {
  LiveEvent,
  LiveSubscribe,
  LiveSaid,
  LiveSaying,
  LiveVisit,
  PluginSettings,
  RegistryView,
  SettingsSchema,
  Token,
  UserEntity,
} from '../shared/index.ts';
import type { ApiClient, ApiError, ApiRequest } from './api.ts';
import type { Translate, UserStorage } from './context.ts';
import type { OpenTab, ShellContext } from './extensions/index.ts';
import type { WebRegistries } from './registries.ts';

/** What the `run` of a command, a menu item or a row action may use. @public */
export interface HostActions {
  readonly api: ApiClient;
  readonly t: Translate;
  readonly shell: ShellView;
  readonly toast: (message: ToastMessage) => void;
  /** Asks before something that cannot be undone; resolves to false on Escape. */
  confirm(question: ConfirmQuestion): Promise<boolean>;
  /** Opens a page of the router: `/projects`. */
  navigate(path: string): void;
  /** Reloads everything under these tags. */
  invalidate(tags: readonly string[]): void;
}

/** The source of an error: a plugin, or an item of a registry, whose owner is charged. @public */
export type ErrorSource = string | { readonly registry: keyof WebRegistries; readonly id: string };

/**
 * What a component may use of the host. Below a plugin's contribution, `t` looks up that plugin's own messages first, then the
 * host's and then, since labels of other plugins are drawn there too, those of all.
 * @public
 */
export interface WebHost extends HostActions {
  /** Like `t`, with the host's messages before the plugin's: for components that plugins share, whose words no plugin changes. */
  readonly sharedT: Translate;
  /** The host with the texts of an owner: a plugin's id, or `host`. */
  hostOf(owner: string): WebHost;
  registry<Id extends keyof WebRegistries>(id: Id): RegistryView<WebRegistries[Id]>;
  /** @throws Error when nobody provides the service. */
  get<T>(token: Token<T>): T;
  /** The service, or undefined while no plugin provides it. */
  find<T>(token: Token<T>): T | undefined;
  isPluginEnabled(id: string): boolean;
  readonly live: LiveClient;
  readonly session: SessionView;
  /** Small values of the person, stored for one plugin. Components use `useUserStorage()`. */
  userStorageOf(owner: string): UserStorage;
  /** A form for a settings schema: the only form engine. */
  readonly SchemaForm: ComponentType<SchemaFormProps>;
  /** Contains what a plugin draws: an error shows a small notice with the reason and is reported. `Contribution` uses it. */
  readonly Boundary: ComponentType<{
    readonly source: ErrorSource;
    readonly what: string;
    readonly children: ReactNode;
    readonly compact?: boolean;
  }>;
  /**
   * Reports an error of a plugin where a `Contribution` does not fit: administrators see it with the plugin. An item of a registry
   * that fails too often is suspended in this page.
   */
  reportError(source: ErrorSource, where: string, error: unknown): void;
  useServerData<T>(request: ApiRequest | undefined, options?: ServerDataOptions): ServerData<T>;
}

/** Options for reading an answer of the server. @public */
export interface ServerDataOptions {
  /** The subject of the answer: `host.invalidate(tags)` reloads it. */
  readonly tags?: readonly string[];
  /**
   * True if a draft is made from the answer: data loaded before the component was mounted is not used, since a draft does not
   * follow later data. Default: no.
   */
  readonly isDraft?: boolean;
  /**
   * True if other requests read other parts of the same list, which its tags name: the last answer stays visible until theirs
   * arrive. Default: no.
   */
  readonly keepsLast?: boolean;
}

/** An answer of the server, as far as it is loaded; the component renders again when it changes. @public */
export interface ServerData<T> {
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  /** True while there is nothing to show yet. */
  readonly isLoading: boolean;
  /** True while a request is running, also while older data is shown. */
  readonly isFetching: boolean;
  refetch(): void;
}

/** A short notice that disappears by itself. @public */
export interface ToastMessage {
  readonly severity: 'success' | 'info' | 'warn' | 'error';
  readonly summary: string;
  readonly detail?: string;
  /** Milliseconds. Default 3000, and 8000 for an error or with a detail. */
  readonly life?: number;
  readonly action?: { readonly label: string; run(): void };
  /** Names what it is about, so that it takes the place of what was said of that before: "is on" of "is off". */
  readonly subject?: string;
}

/** A question with two answers, or with a third one that loses nothing. @public */
export interface ConfirmQuestion {
  readonly title: string;
  readonly message: ReactNode;
  readonly confirmLabel: string;
  /** Default: Cancel. */
  readonly cancelLabel?: string;
  readonly danger?: boolean;
  /** Whether the person expects to confirm, so that Enter confirms. By default the focus is on the other answer. */
  readonly isExpected?: boolean;
  /** The person must type this text first. */
  readonly typeToConfirm?: string;
  /** A third answer, which Enter chooses: an alternative to the question's subject. */
  readonly instead?: {
    readonly label: string;
    /** Starts once the question is closed; resolves to whether that counts as confirmed. */
    run(this: void): Promise<boolean>;
  };
}

/** A form for a settings schema: `value` is passed in, and each change passes out the whole value. @public */
export interface SchemaFormProps {
  readonly schema: SettingsSchema;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  /** JSON pointer to message, from the server. */
  readonly problems?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
}

/** The live channel: events of the server as they happen. @public */
export interface LiveClient {
  readonly connected: boolean;
  /** Joins a table's room until disposed; joins again after a reconnect and reports `resync` if events were missed. */
  subscribe(
    request: LiveSubscribe,
    listener: (event: LiveEvent | { readonly kind: 'resync' }) => void,
  ): { dispose(): void };
  /**
   * Exchanges messages with the other pages that show a table, on a topic of the server's registry `liveTopics`, until disposed.
   * The last message is sent again after a reconnect. The listener gets each page's latest message, and `undefined` once the
   * connection was lost, after which all messages arrive again.
   */
  talk(tableId: string, topic: string, listener: (saying: LiveSaying | undefined) => void): LiveTalk;
  /**
   * Listens as a visitor until disposed, whoever is signed in: for pages opened by links. The headers are those of the visitor's
   * calls.
   */
  visit(visit: LiveVisit): { dispose(): void };
  /** All events that this browser receives, of any room. */
  onEvent(listener: (event: LiveEvent) => void): { dispose(): void };
  /** Whether a call of this page caused the event, so that the page already knows about it. Waits for running calls. */
  isOwn(event: { readonly requestId: string }): Promise<boolean>;
}

/** A page's part in a topic of a table. @public */
export interface LiveTalk {
  /** Replaces the page's message. */
  say(said: LiveSaid): void;
  dispose(): void;
}

/** The signed-in person. @public */
export interface SessionView {
  readonly user: UserEntity | undefined;
  readonly status: 'unknown' | 'guest' | 'signedIn';
  readonly superAdmin: boolean;
  signIn(token: string): Promise<void>;
  signOut(): Promise<void>;
  /** Reloads the signed-in person from the server, after the account changed. */
  check(): Promise<void>;
  onDidChange(listener: () => void): { dispose(): void };
  /** The access token in memory; only for "copy auth token". */
  token(): string | undefined;
}

/** What is open: changing it changes the address, and the reverse. @public */
export interface ShellView {
  readonly context: ShellContext;
  setContext(patch: Partial<Pick<ShellContext, 'project' | 'table' | 'view' | 'rows'>>): void;
  readonly tabs: readonly OpenTab[];
  readonly activeTab: OpenTab | undefined;
  openTab(tab: OpenTab): void;
  closeTab(tab: OpenTab): void;
  /** Updates the names of a type's open tabs, by key. */
  nameTabs(type: string, names: ReadonlyMap<string, string>): void;
  readonly dark: boolean;
  setDark(dark: boolean): void;
  readonly themeId: string;
  setTheme(id: string): void;
  /** Opens the settings dialog, at the panel with this id. */
  openSettings(panelId?: string): void;
  onDidChange(listener: () => void): { dispose(): void };
  /** Called when a tab was requested, even if it is already active. */
  onDidOpenTab(listener: (tab: OpenTab) => void): { dispose(): void };
}

/** The host's own context object; plugins use the hooks below. @internal */
export const WebHostContext = createContext<WebHost | undefined>(undefined);

/** The host. Throws outside one: wrap tests in `renderWithHost`. @public */
export function useHost(): WebHost {
  const host = useContext(WebHostContext);
  if (!host) throw new Error('useHost() needs a Trellis host above it; in a test use renderWithHost()');
  return host;
}

/** The items of a registry; renders again when they change. @public */
export function useRegistry<Id extends keyof WebRegistries>(id: Id): readonly WebRegistries[Id][] {
  const registry = useHost().registry(id);
  return useSyncExternalStore(
    (listener) => {
      const subscription = registry.onDidChange(listener);
      return () => void subscription.dispose();
    },
    () => registry.list(),
  );
}

/** One item of a registry, or undefined while no plugin provides it. @public */
export function useRegistryItem<Id extends keyof WebRegistries>(
  id: Id,
  itemId: string | undefined,
): WebRegistries[Id] | undefined {
  useRegistry(id);
  const host = useHost();
  return itemId === undefined ? undefined : host.registry(id).get(itemId);
}

/** Translates; the component renders again when the language changes. @public */
export function useT(): Translate {
  return useHost().t;
}

/** Translates in components that plugins share: see `WebHost.sharedT`. @internal */
export function useSharedT(): Translate {
  return useHost().sharedT;
}

/** A plugin's settings for the page; renders again when an administrator saves others. @public */
export function usePluginSettings<Settings>(settings: PluginSettings<Settings>): Settings {
  return useSyncExternalStore(
    (listener) => {
      const subscription = settings.onDidChange(listener);
      return () => void subscription.dispose();
    },
    () => settings.current,
  );
}

/** The client of the server. @public */
export function useApi(): ApiClient {
  return useHost().api;
}

/**
 * Reads from the server, shared between equal requests; undefined reads nothing. `host.invalidate(tags)` reloads it.
 * @public
 */
export function useServerData<T>(
  request: ApiRequest | undefined,
  options?: ServerDataOptions,
): ServerData<T> {
  return useHost().useServerData<T>(request, options);
}

/** The signed-in person; renders again when that changes. @public */
export function useSession(): SessionView {
  const { session } = useHost();
  useSyncExternalStore(
    (listener) => {
      const subscription = session.onDidChange(listener);
      return () => subscription.dispose();
    },
    () => session.user ?? session.status,
  );
  return session;
}

/** What is open; renders again when that changes. @public */
export function useShell(): ShellView {
  const { shell } = useHost();
  useSyncExternalStore(
    (listener) => {
      const subscription = shell.onDidChange(listener);
      return () => subscription.dispose();
    },
    () => shell.context,
  );
  return shell;
}
