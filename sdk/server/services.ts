import { createToken } from '../shared/index.ts';
import type {
  AccountRole,
  LiveEvent,
  PluginAsks,
  PluginEntity,
  PluginManifest,
  PluginSettingsForm,
} from '../shared/index.ts';
import type { AccessScope, AccessService, Principal } from './access.ts';
import type { AuditChange } from './audit-changes.ts';
import type { AuditText } from './audit-text.ts';
import type { PluginUnit } from './plugin-database.ts';
import type { PageRequest } from './row-reads.ts';
import type { RowStore } from './row-store.ts';
import type { SchemaStore } from './schema-store.ts';
import type { ViewEntities, ViewStore } from './view-store.ts';

/** Projects, tables and columns. @public */
export const SchemaStoreToken = createToken<SchemaStore>('schema-store');
/** Rows. @public */
export const RowStoreToken = createToken<RowStore>('row-store');
/** Views with their filters and sorts. @public */
export const ViewStoreToken = createToken<ViewStore>('view-store');
/** Views as calls answer them, with what plugins keep of them. @public */
export const ViewEntitiesToken = createToken<ViewEntities>('view-entities');
/** Rights and membership. @public */
export const AccessServiceToken = createToken<AccessService>('access-service');

/** Facts about this server that plugins may show. @public */
export interface ServerInfo {
  readonly version: string;
  /** The public address without a trailing slash, from the configuration or the one that the super admin confirmed. */
  readonly siteUrl: string | undefined;
  readonly safeMode: boolean;
  readonly pluginsLocked: boolean;
  /** Whether the operator lets authors load what they work on into this server. */
  readonly pluginsInDevelopment: boolean;
  /** The address of the plugin index that the configuration names; the settings of the app store cannot change it then. */
  readonly pluginIndex?: string;
  /** Days for which changes are kept: undo and history reach so far back. */
  readonly changeDays: number;
  /** The id of the metadata database's dialect: `sqlite`, `postgres`, `mysql`. */
  readonly metadataDialect: string;
  /** Whether the server runs in a container, as far as the machine tells. */
  readonly inContainer: boolean;
}
/** Facts about this server. @public */
export const ServerInfoToken = createToken<ServerInfo>('server-info');

/** What keeps a server from its work: the metadata database, or a plugin by its health check, with what the check says of it. @public */
export type HealthProblem =
  | { readonly kind: 'database' }
  | { readonly kind: 'check'; readonly plugin: string; readonly check: string; readonly message?: string };

/** Whether this server can do its work. @public */
export interface ServerHealth {
  /** False when the metadata database cannot be reached or a plugin's health check fails; one look serves a second. */
  isHealthy(): Promise<boolean>;
  /** What keeps it from that; empty where it is healthy. */
  problems(): Promise<readonly HealthProblem[]>;
}
/** The server's health. @public */
export const ServerHealthToken = createToken<ServerHealth>('server-health');

/** Small JSON values of one person by key, for the shell and for plugins. @public */
export interface UserStorage {
  read(accountId: string): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sets values; null takes one away. Throws 400 `STORAGE_KEY`, `STORAGE_VALUE` (32 KB) or `STORAGE_TOO_MANY` (500 values), 413
   * `STORAGE_TOO_LARGE` (1 MB together).
   */
  write(accountId: string, values: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Changes the values of all people whose keys begin so, in the transaction of `unit`. `change` gives the same object for one that stays.
   * A page that is open has the former value until it reads again.
   */
  revise(unit: PluginUnit, prefix: string, change: (value: unknown, key: string) => unknown): Promise<void>;
}
/** Values of people. @public */
export const UserStorageToken = createToken<UserStorage>('user-storage');

/** Keys derived from `TRELLIS_SECRET`, one per purpose, with key ids. @public */
export interface Secrets {
  /** 32 bytes for this purpose; the same on every server with the same secret. */
  key(purpose: string): Uint8Array;
  /** Text in, text out: it names its key and may be stored. */
  encrypt(purpose: string, plain: string): string;
  /** Throws `SECRET_UNREADABLE` when the secret changed since. */
  decrypt(purpose: string, sealed: string): string;
}
/** Keys and sealed texts. @public */
export const SecretsToken = createToken<Secrets>('secrets');

/**
 * Whom a limit counts: an e-mail address (all its spellings are one), a client's network address (an IPv6 one by its /64), or
 * any other text of at most 190 characters.
 * @public
 */
export type RateKey = string | { readonly email: string } | { readonly address: string };

/** How many tries a key has within a window of time. @public */
export interface RateRule {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Fixed windows in the metadata database, shared by all servers. @public */
export interface RateLimiter {
  /** Counts one try and throws 429 `TOO_MANY_TRIES` with `Retry-After` when the limit is passed. */
  consume(rule: RateRule, key: RateKey): Promise<void>;
  /** Does so for one after the other, with one wait for the database; what stands behind a limit that is passed is not counted. */
  consumeEach(tries: readonly (readonly [rule: RateRule, key: RateKey])[]): Promise<void>;
  /** Forgets the tries of one key, as after a sign-in that succeeded. */
  reset(name: string, key: RateKey): Promise<void>;
}
/** Limits of tries. @public */
export const RateLimiterToken = createToken<RateLimiter>('rate-limiter');

/** How often one network address calls the server by links, whichever they are and of which plugin. @public */
export interface VisitorLimit {
  /**
   * Counts a call. The host does so for every call whose caller is a visitor; a plugin does where its public routes let visitors in.
   *
   * @throws TrellisError 429 `TOO_MANY_TRIES` for an address that called too often, with `Retry-After`.
   */
  take(ip: string): Promise<void>;
  /**
   * Counts an export of rows, by whichever route a visitor asks for it.
   *
   * @throws TrellisError as above.
   */
  takeExport(ip: string): Promise<void>;
}
/** What visitors may call at the most. @public */
export const VisitorLimitToken = createToken<VisitorLimit>('visitor-limit');

/** Hashes passwords, of accounts and of links, slowly and few at a time. @public */
export interface PasswordHasher {
  /** A text that names its own parameters and may be stored. */
  hash(password: string): Promise<string>;
  /** Whether the password is the one; takes as long where there is no hash. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}
/** How costly the hash of a password is: the binary logarithm of scrypt's N, as the host was started with. @public */
export const PasswordCostToken = createToken<number>('password-cost');
/** Hashes of passwords; the plugin `sys-users` provides it. @public */
export const PasswordHasherToken = createToken<PasswordHasher>('password-hasher');

/** Sends events to the browsers that may see them. @public */
export interface LiveChannel {
  publish(event: LiveEvent): void;
  /** Closes the sockets of a user, or of one credential. */
  disconnect(principal: { readonly userId: string; readonly credentialId?: string }): void;
}
/** Events to browsers. @public */
export const LiveChannelToken = createToken<LiveChannel>('live-channel');

/** What an entry of the audit holds. @public */
export interface AuditEntry {
  readonly type: string;
  readonly subType?: string;
  readonly principal: Pick<Principal, 'id' | 'email'>;
  readonly ip?: string;
  readonly projectId?: string;
  readonly baseId?: string;
  readonly tableId?: string;
  readonly rowKey?: string;
  /** A sentence; as an `auditText`, pages say it in the language of their reader. */
  readonly description: string | AuditText;
  /** What is otherwise than before, where the sentence does not say all of it. */
  readonly changes?: readonly AuditChange[];
}
/** One line of the audit. @public */
export interface AuditRecord extends AuditEntry {
  readonly id: string;
  /** In English. */
  readonly description: string;
  /** The same as it was told, where it can be said in other languages. */
  readonly said?: AuditText;
  /** UTC, milliseconds since 1970. */
  readonly at: number;
  /** What the table is called now; undefined for one that is gone. */
  readonly tableTitle?: string;
  /** How many rows the call added, changed or deleted, where the line is about rows. */
  readonly rowCount?: number;
}
/** Which lines of the audit are meant; a line meets all that is said. @public */
export interface AuditFilter {
  /** The address of who did it, as it was then. */
  readonly email?: string;
  /** `DATA`, `TABLE`, `AUTHENTICATION` and the like. */
  readonly type?: string;
  readonly tableId?: string;
  /** The first moment: UTC, milliseconds since 1970. */
  readonly from?: number;
  /** The moment before which it was done. */
  readonly until?: number;
}
/** Some lines of the audit. @public */
export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** How many lines there are, before and behind these too. */
  readonly totalRows: number;
  /** Whether there are as many or more: they were not all counted. */
  readonly isAtLeast: boolean;
}
/** What was done, by whom: rows and the schema, which the stores record, and what `record` is told. @public */
export interface AuditLog {
  /** Records what is neither a row nor a change of the schema: sign-ins, roles, plugins. */
  record(entry: AuditEntry): Promise<void>;
  /**
   * Lines of the scope's project, or without one what belongs to no project (for the super admin), the newest first. A call is
   * one line, however many rows it changed. Requires `auditList`.
   */
  list(scope: AccessScope, page: PageRequest, filter?: AuditFilter): Promise<readonly AuditRecord[]>;
  /** How many lines `list` would give in all. */
  count(scope: AccessScope, filter?: AuditFilter): Promise<number>;
  /** What `list` gives, and how many lines there are as far as that is quickly counted: a log has no end. Requires `auditList`. */
  page(scope: AccessScope, page: PageRequest, filter?: AuditFilter): Promise<AuditPage>;
}
/** The audit. @public */
export const AuditLogToken = createToken<AuditLog>('audit-log');

/** What a server keeps of the metadata, so that it need not read them at every call. @public */
export interface MetadataCache {
  /** By project, and for `access`, `accounts`, `plugins` and `projects`: how often it changed. Requires `cacheRead`. */
  list(scope: AccessScope): Readonly<Record<string, number>>;
  /** Has the server that is asked read everything again when it is next needed. Requires `cacheClear`. */
  forget(scope: AccessScope): void;
}
/** What a server keeps of the metadata. @public */
export const MetadataCacheToken = createToken<MetadataCache>('metadata-cache');

/** A plugin's web half as browsers are told of it. @public */
export interface WebPluginEntry {
  readonly id: string;
  readonly manifest: Partial<PluginManifest>;
  /** Null for a plugin without one. */
  readonly url: string | null;
  /** The name under which the module at the address exports it; `default` where left out. */
  readonly part?: string;
  readonly css: readonly string[];
  /** It was there before manifests listed hooks, and goes on with those that it taps. */
  readonly tapsUnlisted?: boolean;
  /** The settings that its schema marks for pages (`x-page`); absent where it marks none. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** An error of a plugin's web half, as a browser reports it. @public */
export interface ClientError {
  readonly pluginId: string;
  readonly where: string;
  readonly message: string;
  /** The place in a file of the web half that its stack names: `/ext/<id>/<version>~<build>/index.js:10:7`. */
  readonly thrownAt?: string | undefined;
  /** The account that reports it. */
  readonly reporter: string;
}

/** What another look at the folders of plugins found, by id. @public */
export interface RescanReport {
  readonly added: readonly string[];
  /** Another version or another build. */
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  /** What could not be taken; what was there before is in service. `code` is that of a refusal of the product. */
  readonly failed: readonly { readonly id: string; readonly reason: string; readonly code?: string }[];
}

/** By the id of a plugin: English text to translated text. @public */
export type PluginWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The app store's own view of the plugins; for `sys-app-store`. @public */
export interface PluginAdministration {
  list(): readonly PluginEntity[];
  /**
   * What plugins say of themselves in a language: names, descriptions, the labels of their settings and rights. It stands in
   * `messages/<locale>.json` beside `plugin.json`, so that it is there for plugins that are off or have no web half.
   */
  words(locale: string): Promise<PluginWords>;
  usage(id: string): Promise<readonly string[]>;
  /** `cascade` names the dependents to switch off with it; one that is running and not named refuses with 409 `PLUGIN_HAS_DEPENDENTS`. */
  disable(id: string, options: { readonly cascade: readonly string[] }): Promise<void>;
  /**
   * Switches a plugin on. `consent` names what the caller was shown and agreed to: an installed plugin that asks for more is refused
   * with 409 `PLUGIN_NEEDS_CONSENT`, whose `params.unagreed` is a `PluginAsks`.
   */
  enable(id: string, options?: { readonly consent?: Partial<PluginAsks> }): Promise<void>;
  /**
   * Looks at the folders of installed plugins again. New ones are listed and stay off; another version or build takes the place of the
   * one that runs, and when it fails that one goes on.
   */
  rescan(): Promise<RescanReport>;
  readonly generation: number;
  webPlugins(): { readonly generation: number; readonly plugins: readonly WebPluginEntry[] };
  /**
   * Keeps an error that a browser saw in a plugin's web half, within the share of the account that reports it. The answer is the place in
   * the sources of the plugin, such as `web/index.tsx:3:9`, where its build says that.
   */
  reportClientError(error: ClientError): string | undefined;
  /** What its settings form shows, secrets masked; undefined for a plugin without settings. */
  settings(id: string): PluginSettingsForm | undefined;
  /**
   * Stores settings; masked secrets keep the stored ones. Running plugins see them at once, on other servers within a second.
   * Throws 400 `SETTINGS_INVALID` whose `params.problems` are messages by JSON pointer.
   */
  saveSettings(id: string, values: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Forgets all settings, secrets too: the defaults hold again. Throws 409 `PLUGIN_NEEDS_SETTINGS` where the plugin is on and cannot work
   * without one of them.
   */
  clearSettings(id: string): Promise<void>;
  /** Asks the plugin whether settings work that need not be stored; it has 30 seconds. Throws as `saveSettings` does. */
  testSettings(
    id: string,
    values: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly ok: boolean; readonly message: string }>;
}
/** The switches of plugins. @public */
export const PluginAdministrationToken = createToken<PluginAdministration>('plugin-administration');

/** Accounts, owned by the metadata; passwords and sessions belong to `sys-users`. @public */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly firstname: string | undefined;
  readonly lastname: string | undefined;
  readonly roles: readonly AccountRole[];
  /** Nobody may use it: it cannot sign in, and no credential stands for it. */
  readonly isDisabled: boolean;
  readonly createdAt: string;
}
/** Accounts; addresses are compared in lower case, trimmed and normalized (NFKC). @public */
export interface AccountStore {
  /** A value when the account is in memory, else a promise. */
  byId(id: string): Account | undefined | Promise<Account | undefined>;
  byEmail(email: string): Promise<Account | undefined>;
  /** The one form in which an address is stored and compared; undefined for a text that is no address. */
  addressOf(text: string): string | undefined;
  /** The very first account becomes the one super admin, however many are made at once. Throws `ACCOUNT_EXISTS`. */
  create(
    input: {
      readonly email: string;
      readonly firstname?: string;
      readonly lastname?: string;
      /** Somebody vouches for the person, who may therefore make projects. */
      readonly isInvited?: boolean;
    },
    /** The plugin's own transaction, so that the account and its password are made together or not at all. */
    unit?: PluginUnit,
  ): Promise<Account>;
  update(
    id: string,
    patch: { readonly firstname?: string; readonly lastname?: string; readonly roles?: Account['roles'] },
  ): Promise<Account>;
  count(): Promise<number>;
}
/** Accounts. @public */
export const AccountStoreToken = createToken<AccountStore>('account-store');

/** Credentials by which somebody asked once. @public */
export interface Credentials {
  /**
   * Whether the one of a principal still stands for it. Principals without `Principal.resolver` need none.
   *
   * @throws TrellisError 503 `CREDENTIALS_UNCHECKED` where that cannot be told at the moment
   */
  isGood(principal: Principal): Promise<boolean>;
}
/** Credentials of before. @public */
export const CredentialsToken = createToken<Credentials>('credentials');
