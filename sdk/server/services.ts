import { createToken } from '../shared/index.ts';
import type {
  AccountRole,
  LiveEvent,
  PluginAsks,
  PluginEntity,
  PluginManifest,
  PluginSettingsForm,
  PluginUsage,
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
/** Views in the form of answers, with the parts that plugins add. @public */
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
  /** Whether the operator lets authors load plugins under development into this server. */
  readonly pluginsInDevelopment: boolean;
  /** The address of the plugin index in the configuration; if set, the app store's settings cannot change it. */
  readonly pluginIndex?: string;
  /** Days for which changes are kept, and so undo and history. */
  readonly changeDays: number;
  /** The id of the metadata database's dialect: `sqlite`, `postgres`, `mysql`. */
  readonly metadataDialect: string;
  /** Whether the server runs in a container, as far as the machine tells. */
  readonly inContainer: boolean;
}
/** Facts about this server. @public */
export const ServerInfoToken = createToken<ServerInfo>('server-info');

/** A problem that keeps the server from working: the metadata database, or a plugin's failed health check with its message. @public */
export type HealthProblem =
  | { readonly kind: 'database' }
  | { readonly kind: 'check'; readonly plugin: string; readonly check: string; readonly message?: string };

/** Whether this server can do its work. @public */
export interface ServerHealth {
  /** False when the metadata database cannot be reached or a plugin's health check fails; a result is reused for a second. */
  isHealthy(): Promise<boolean>;
  /** The problems; empty if the server is healthy. */
  problems(): Promise<readonly HealthProblem[]>;
}
/** The server's health. @public */
export const ServerHealthToken = createToken<ServerHealth>('server-health');

/** Small JSON values of one person by key, for the shell and for plugins. @public */
export interface UserStorage {
  read(accountId: string): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sets values; null removes one. Throws 400 `STORAGE_KEY`, `STORAGE_VALUE` (32 KB) or `STORAGE_TOO_MANY` (500 values), 413
   * `STORAGE_TOO_LARGE` (1 MB together).
   */
  write(accountId: string, values: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Changes the values of all people whose keys have this prefix, in the transaction of `unit`. `change` returns the same object
   * for a value that stays. An open page has the former value until it reads again.
   */
  revise(unit: PluginUnit, prefix: string, change: (value: unknown, key: string) => unknown): Promise<void>;
}
/** Values of people. @public */
export const UserStorageToken = createToken<UserStorage>('user-storage');

/** Keys derived from `TRELLIS_SECRET`, one per purpose, with key ids. @public */
export interface Secrets {
  /** 32 bytes for this purpose; the same on every server with the same secret. */
  key(purpose: string): Uint8Array;
  /** Encrypts a text; the result names its key and may be stored. */
  encrypt(purpose: string, plain: string): string;
  /** Throws `SECRET_UNREADABLE` if the secret has changed since. */
  decrypt(purpose: string, sealed: string): string;
}
/** Keys and sealed texts. @public */
export const SecretsToken = createToken<Secrets>('secrets');

/**
 * What a limit counts by: an e-mail address (all its spellings count as one), a client's network address (an IPv6 one by its
 * /64), or any other text of at most 190 characters.
 * @public
 */
export type RateKey = string | { readonly email: string } | { readonly address: string };

/** The number of tries that a key has within a time window. @public */
export interface RateRule {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Fixed windows in the metadata database, shared by all servers. @public */
export interface RateLimiter {
  /** Counts one try and throws 429 `TOO_MANY_TRIES` with `Retry-After` when the limit is passed. */
  consume(rule: RateRule, key: RateKey): Promise<void>;
  /** As `consume`, for several tries in order, with one round trip to the database. Tries after an exceeded limit are not counted. */
  consumeEach(tries: readonly (readonly [rule: RateRule, key: RateKey])[]): Promise<void>;
  /** Forgets the tries of one key, for example after a successful sign-in. */
  reset(name: string, key: RateKey): Promise<void>;
}
/** Limits of tries. @public */
export const RateLimiterToken = createToken<RateLimiter>('rate-limiter');

/** The limit of calls from one network address by links, whichever links and plugins they are of. @public */
export interface VisitorLimit {
  /**
   * Counts a call. The host counts every call of a visitor; a plugin must count calls of visitors on its public routes.
   *
   * @throws TrellisError 429 `TOO_MANY_TRIES` for an address that called too often, with `Retry-After`.
   */
  take(ip: string): Promise<void>;
  /**
   * Counts an export of rows by a visitor, on whichever route.
   *
   * @throws TrellisError as above.
   */
  takeExport(ip: string): Promise<void>;
}
/** What visitors may call at the most. @public */
export const VisitorLimitToken = createToken<VisitorLimit>('visitor-limit');

/** Hashes passwords of accounts and of links, slowly and few at a time. @public */
export interface PasswordHasher {
  /** The result names its own parameters and may be stored. */
  hash(password: string): Promise<string>;
  /** Whether the password matches the hash; without a hash it takes the same time. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}
/** The cost of a password hash: the binary logarithm of scrypt's N, set at the host's start. @public */
export const PasswordCostToken = createToken<number>('password-cost');
/** Hashes of passwords; the plugin `sys-users` provides it. @public */
export const PasswordHasherToken = createToken<PasswordHasher>('password-hasher');

/** Sends events to the browsers that may receive them. @public */
export interface LiveChannel {
  publish(event: LiveEvent): void;
  /** Closes the sockets of a user, or of one credential. */
  disconnect(principal: { readonly userId: string; readonly credentialId?: string }): void;
}
/** Events to browsers. @public */
export const LiveChannelToken = createToken<LiveChannel>('live-channel');

/** The content of an audit entry. @public */
export interface AuditEntry {
  readonly type: string;
  readonly subType?: string;
  readonly principal: Pick<Principal, 'id' | 'email'>;
  readonly ip?: string;
  readonly projectId?: string;
  readonly baseId?: string;
  readonly tableId?: string;
  readonly rowKey?: string;
  /** A sentence; pages translate an `auditText`. */
  readonly description: string | AuditText;
  /** The changes, if the sentence does not contain them all. */
  readonly changes?: readonly AuditChange[];
}
/** One line of the audit. @public */
export interface AuditRecord extends AuditEntry {
  readonly id: string;
  /** In English. */
  readonly description: string;
  /** The sentence with its values, if it can be translated. */
  readonly said?: AuditText;
  /** UTC, milliseconds since 1970. */
  readonly at: number;
  /** The present title of the table; undefined for one that is gone. */
  readonly tableTitle?: string;
  /** The number of rows that the call added, changed or deleted, for a line about rows. */
  readonly rowCount?: number;
}
/** A filter for lines of the audit; a line must meet all conditions. @public */
export interface AuditFilter {
  /** The address of the person who did it, at that time. */
  readonly email?: string;
  /** `DATA`, `TABLE`, `AUTHENTICATION` and the like. */
  readonly type?: string;
  readonly tableId?: string;
  /** The earliest time: UTC, milliseconds since 1970. */
  readonly from?: number;
  /** The end of the time range, excluded. */
  readonly until?: number;
}
/** Some lines of the audit. @public */
export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** The number of all matching lines. */
  readonly totalRows: number;
  /** Whether there may be more than `totalRows`, since not all were counted. */
  readonly isAtLeast: boolean;
}
/** The actions of people: changes of rows and of the schema, which the stores record, and entries of `record`. @public */
export interface AuditLog {
  /** Records actions that change neither rows nor the schema: sign-ins, roles, plugins. */
  record(entry: AuditEntry): Promise<void>;
  /**
   * Lines of the scope's project, or without one the lines outside of projects (for the super admin), the newest first. A call is
   * one line, however many rows it changed. Requires `auditList`.
   */
  list(scope: AccessScope, page: PageRequest, filter?: AuditFilter): Promise<readonly AuditRecord[]>;
  /** The total number of lines of `list`. */
  count(scope: AccessScope, filter?: AuditFilter): Promise<number>;
  /**
   * The result of `list`, and the number of lines as far as it can be counted quickly, since a log may be very long. Requires
   * `auditList`.
   */
  page(scope: AccessScope, page: PageRequest, filter?: AuditFilter): Promise<AuditPage>;
}
/** The audit. @public */
export const AuditLogToken = createToken<AuditLog>('audit-log');

/** The metadata that a server keeps in memory, so that it need not read it at every call. @public */
export interface MetadataCache {
  /** The number of changes by project, and for `access`, `accounts`, `plugins` and `projects`. Requires `cacheRead`. */
  list(scope: AccessScope): Readonly<Record<string, number>>;
  /** Makes this server read everything again when it is next needed. Requires `cacheClear`. */
  forget(scope: AccessScope): void;
}
/** What a server keeps of the metadata. @public */
export const MetadataCacheToken = createToken<MetadataCache>('metadata-cache');

/** A plugin's web half, as described to browsers. @public */
export interface WebPluginEntry {
  readonly id: string;
  readonly manifest: Partial<PluginManifest>;
  /** Null for a plugin without one. */
  readonly url: string | null;
  /** The export of the module at the address; default `default`. */
  readonly part?: string;
  readonly css: readonly string[];
  /** True if the version is from before manifests listed hooks, and may tap unlisted ones. */
  readonly tapsUnlisted?: boolean;
  /** The settings marked for pages in its schema (`x-page`); undefined if there are none. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** An error of a plugin's web half, reported by a browser. @public */
export interface ClientError {
  readonly pluginId: string;
  readonly where: string;
  readonly message: string;
  /** The place in a file of the web half, from its stack: `/ext/<id>/<version>~<build>/index.js:10:7`. */
  readonly thrownAt?: string | undefined;
  /** The account that reports it. */
  readonly reporter: string;
}

/** The differences that a new scan of the plugin folders found, by id. @public */
export interface RescanReport {
  readonly added: readonly string[];
  /** Another version or another build. */
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  /** Changes that failed; the state before stays in service. `code` is set for an expected refusal. */
  readonly failed: readonly { readonly id: string; readonly reason: string; readonly code?: string }[];
}

/** By the id of a plugin: English text to translated text. @public */
export type PluginWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** An estimate of the memory that the server halves of plugins hold, by their ids; who is missing holds next to nothing. @public */
export interface HeldMemory {
  /** When it was measured, in ISO 8601. */
  readonly at: string;
  readonly bytes: Readonly<Record<string, number>>;
}

/** The administration of plugins, for `sys-app-store`. @public */
export interface PluginAdministration {
  list(): readonly PluginEntity[];
  /**
   * The texts by which plugins describe themselves, in a language: names, descriptions, labels of settings and rights. They come
   * from `messages/<locale>.json` beside `plugin.json`, so they also exist for plugins that are off or have no web half.
   */
  words(locale: string): Promise<PluginWords>;
  /** What a plugin is used for, for the person who is about to switch it off. */
  usage(id: string): Promise<readonly PluginUsage[]>;
  /**
   * How much memory the server halves of plugins hold, estimated from samples of their allocations; undefined where the operator
   * has switched the watchdog off. A measurement is shared for a minute, since each delays everybody.
   */
  heldMemory(): Promise<HeldMemory | undefined>;
  /** `cascade` lists the dependents to switch off with it; a running one that is not listed refuses with 409 `PLUGIN_HAS_DEPENDENTS`. */
  disable(id: string, options: { readonly cascade: readonly string[] }): Promise<void>;
  /**
   * Switches a plugin on. `consent` is what the caller was shown and agreed to: an installed plugin that asks for more is refused
   * with 409 `PLUGIN_NEEDS_CONSENT`, whose `params.unagreed` is a `PluginAsks`.
   */
  enable(id: string, options?: { readonly consent?: Partial<PluginAsks> }): Promise<void>;
  /**
   * Scans the folders of installed plugins again. New ones are listed and stay off; another version or build replaces the running
   * one, which continues if the replacement fails.
   */
  rescan(): Promise<RescanReport>;
  readonly generation: number;
  webPlugins(): { readonly generation: number; readonly plugins: readonly WebPluginEntry[] };
  /**
   * Stores an error that a browser found in a plugin's web half, within the limit of the reporting account. Returns the place in
   * the plugin's sources, such as `web/index.tsx:3:9`, if its build tells.
   */
  reportClientError(error: ClientError): string | undefined;
  /** The content of its settings form, secrets masked; undefined for a plugin without settings. */
  settings(id: string): PluginSettingsForm | undefined;
  /**
   * Stores settings; masked secrets keep their stored values. Running plugins see the new settings at once, on other servers
   * within a second. Throws 400 `SETTINGS_INVALID` whose `params.problems` are messages by JSON pointer.
   */
  saveSettings(id: string, values: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Deletes all settings, including secrets, so that the defaults apply. Throws 409 `PLUGIN_NEEDS_SETTINGS` if the plugin is on
   * and has required settings.
   */
  clearSettings(id: string): Promise<void>;
  /** Asks the plugin whether these settings, which need not be stored, work; it has 30 seconds. Throws as `saveSettings` does. */
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
  /** The account is disabled: it cannot sign in, and its credentials are invalid. */
  readonly isDisabled: boolean;
  readonly createdAt: string;
}
/** Accounts; addresses are compared in lower case, trimmed and normalized (NFKC). @public */
export interface AccountStore {
  /** Not a promise if the account is in memory. */
  byId(id: string): Account | undefined | Promise<Account | undefined>;
  byEmail(email: string): Promise<Account | undefined>;
  /** The normal form in which an address is stored and compared; undefined for a text that is no address. */
  addressOf(text: string): string | undefined;
  /** The very first account becomes the only super admin, even if several are made at once. Throws `ACCOUNT_EXISTS`. */
  create(
    input: {
      readonly email: string;
      readonly firstname?: string;
      readonly lastname?: string;
      /** True if somebody invited the person, who may therefore make projects. */
      readonly isInvited?: boolean;
    },
    /** The plugin's own transaction, so that account and password are made together or not at all. */
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

/** The credentials with which somebody made an earlier call. @public */
export interface Credentials {
  /**
   * Whether a principal's credential is still valid. Always true for principals without `Principal.resolver`.
   *
   * @throws TrellisError 503 `CREDENTIALS_UNCHECKED` if that cannot be checked at the moment
   */
  isGood(principal: Principal): Promise<boolean>;
}
/** Credentials of before. @public */
export const CredentialsToken = createToken<Credentials>('credentials');
