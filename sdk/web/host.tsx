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

/** What the `run` of a command, a menu item or a row action may ask of the host. @public */
export interface HostActions {
  readonly api: ApiClient;
  readonly t: Translate;
  readonly shell: ShellView;
  readonly toast: (message: ToastMessage) => void;
  /** Asks before something that cannot be taken back; resolves to false on Escape. */
  confirm(question: ConfirmQuestion): Promise<boolean>;
  /** Goes to a page of the router: `/projects`. */
  navigate(path: string): void;
  /** Reads everything under these tags again. */
  invalidate(tags: readonly string[]): void;
}

/** What failed: a plugin, or an item of a registry, whose owner it is charged to. @public */
export type ErrorSource = string | { readonly registry: keyof WebRegistries; readonly id: string };

/**
 * What a component may ask of the host. Below what a plugin contributes, `t` looks into that plugin's own messages first; what they lack is
 * looked for in the host's and then, since labels of other plugins are drawn there too, in those of all.
 * @public
 */
export interface WebHost extends HostActions {
  /** As `t`, with the host's messages before the plugin's: for parts that plugins share, whose words none of them changes. */
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
  /** Small values of the person, kept for one plugin. Components use `useUserStorage()`. */
  userStorageOf(owner: string): UserStorage;
  /** A form made of a settings schema: the one form engine. */
  readonly SchemaForm: ComponentType<SchemaFormProps>;
  /** Contains what a plugin draws: an error shows a small notice with the reason and is reported. `Contribution` uses it. */
  readonly Boundary: ComponentType<{
    readonly source: ErrorSource;
    readonly what: string;
    readonly children: ReactNode;
    readonly compact?: boolean;
  }>;
  /**
   * Tells of an error of a plugin where a `Contribution` does not fit: administrators see it with the plugin. An item of a
   * registry that fails too often is taken out of service in this page.
   */
  reportError(source: ErrorSource, where: string, error: unknown): void;
  useServerData<T>(request: ApiRequest | undefined, options?: ServerDataOptions): ServerData<T>;
}

/** How an answer of the server is read. @public */
export interface ServerDataOptions {
  /** What it shows: `host.invalidate(tags)` reads it again. */
  readonly tags?: readonly string[];
  /**
   * True where a draft is made of the answer: what was read before the component came is not shown, since a draft does not follow
   * what arrives later. Default: no.
   */
  readonly isDraft?: boolean;
  /**
   * True where other requests ask for other parts of the same list, which its tags name: what was answered last stays in sight until they
   * are answered. Default: no.
   */
  readonly keepsLast?: boolean;
}

/** An answer of the server, as far as it is there; the component is drawn again when it changes. @public */
export interface ServerData<T> {
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  /** True while there is nothing to show yet. */
  readonly isLoading: boolean;
  /** True whenever a request is under way, also while older data is shown. */
  readonly isFetching: boolean;
  refetch(): void;
}

/** A short notice that goes by itself. @public */
export interface ToastMessage {
  readonly severity: 'success' | 'info' | 'warn' | 'error';
  readonly summary: string;
  readonly detail?: string;
  /** Milliseconds. Default 3000, and 8000 for an error and where there is a detail to read. */
  readonly life?: number;
  readonly action?: { readonly label: string; run(): void };
}

/** A question with two answers, or with a third one by which nothing is lost. @public */
export interface ConfirmQuestion {
  readonly title: string;
  readonly message: ReactNode;
  readonly confirmLabel: string;
  /** Default: Cancel. */
  readonly cancelLabel?: string;
  readonly danger?: boolean;
  /** What is asked is what the person came for, so that Enter agrees. Default: no, the focus is on the other answer. */
  readonly isExpected?: boolean;
  /** The person must type this text first. */
  readonly typeToConfirm?: string;
  /** A third answer, which is the one that Enter gives: what is asked about is done in another way. */
  readonly instead?: {
    readonly label: string;
    /** Begins once the question is gone; resolves to whether that was an agreement. */
    run(this: void): Promise<boolean>;
  };
}

/** A form over a settings schema: `value` comes in, each change goes out whole. @public */
export interface SchemaFormProps {
  readonly schema: SettingsSchema;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  /** JSON pointer to message, from the server. */
  readonly problems?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
}

/** The live channel: what happens on the server, as it happens. @public */
export interface LiveClient {
  readonly connected: boolean;
  /** Joins a table's room until disposed; joins again after a reconnect and reports `resync` when events were missed. */
  subscribe(
    request: LiveSubscribe,
    listener: (event: LiveEvent | { readonly kind: 'resync' }) => void,
  ): { dispose(): void };
  /**
   * Speaks with the other pages that show a table, of a topic of the server's registry `liveTopics`, until disposed. What was said last
   * is said again after a reconnect. The listener hears each page of others whenever it says something else; `undefined` once the
   * connection was lost, after which everybody is heard again.
   */
  talk(tableId: string, topic: string, listener: (saying: LiveSaying | undefined) => void): LiveTalk;
  /**
   * Listens as a visitor until disposed, whoever is signed in or nobody: for pages that links open. The headers are those that calls of
   * the visitor carry.
   */
  visit(visit: LiveVisit): { dispose(): void };
  /** Every event that this browser receives, whatever room. */
  onEvent(listener: (event: LiveEvent) => void): { dispose(): void };
  /** Whether a call of this page caused the event, so that the page knows of it already. Waits for calls under way. */
  isOwn(event: { readonly requestId: string }): Promise<boolean>;
}

/** A page's part in what the pages of a table say of a topic. @public */
export interface LiveTalk {
  /** Says this in the place of what was said before. */
  say(said: LiveSaid): void;
  dispose(): void;
}

/** Who is signed in. @public */
export interface SessionView {
  readonly user: UserEntity | undefined;
  readonly status: 'unknown' | 'guest' | 'signedIn';
  readonly superAdmin: boolean;
  signIn(token: string): Promise<void>;
  signOut(): Promise<void>;
  /** Asks the server again who is signed in, after something of the account changed. */
  check(): Promise<void>;
  onDidChange(listener: () => void): { dispose(): void };
  /** The access token in memory; for "copy auth token" only. */
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
  /** Gives open tabs of a type the names that their objects have now, by key. */
  nameTabs(type: string, names: ReadonlyMap<string, string>): void;
  readonly dark: boolean;
  setDark(dark: boolean): void;
  readonly themeId: string;
  setTheme(id: string): void;
  /** Opens the settings dialog, at the panel with this id. */
  openSettings(panelId?: string): void;
  onDidChange(listener: () => void): { dispose(): void };
  /** A tab was asked for, also the one that is active, by which nothing changes. */
  onDidOpenTab(listener: (tab: OpenTab) => void): { dispose(): void };
}

/** The host's own context object; plugins use the hooks below. @internal */
export const WebHostContext = createContext<WebHost | undefined>(undefined);

/** The host. Throws outside of one: wrap tests in `renderWithHost`. @public */
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

/** Translates; the component is drawn again when the language changes. @public */
export function useT(): Translate {
  return useHost().t;
}

/** Translates in parts that plugins share: see `WebHost.sharedT`. @internal */
export function useSharedT(): Translate {
  return useHost().sharedT;
}

/** A plugin's settings as the page knows them; renders again when an administrator saves others. @public */
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
 * Reads from the server, shared with whoever asks the same; undefined asks nothing. `host.invalidate(tags)` reads it again.
 * @public
 */
export function useServerData<T>(
  request: ApiRequest | undefined,
  options?: ServerDataOptions,
): ServerData<T> {
  return useHost().useServerData<T>(request, options);
}

/** Who is signed in; renders again when that changes. @public */
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
