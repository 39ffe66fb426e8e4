import { createToken, type SettingsSchema } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { ExternalBaseInput } from './schema-store.ts';

/** A person's settings for a database, described by the schema of its kind. @public */
export type BaseSettings = Readonly<Record<string, unknown>>;

/** A database in a file of the server's folder of SQLite files. @public */
export interface FileBaseTarget {
  /** The id of the host's dialect: `sqlite`. */
  readonly dialect: string;
  /** A name inside the folder. */
  readonly file: string;
}

/** A database on a server. @public */
export interface ServerBaseTarget {
  /** The id of the host's dialect: `postgres`, `mysql` or `mssql`. */
  readonly dialect: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  /** The schema, for databases that have several. */
  readonly schema?: string;
  /** Undefined connects without TLS. */
  readonly tls?: TlsSettings;
  /** The most connections that this server opens. Default 10. */
  readonly connections?: number;
  /** Seconds that a connection may take to open. Default 5. */
  readonly connectSeconds?: number;
  /** The name of the connections in the database's own tools. Default `trellis`. */
  readonly applicationName?: string;
}

/** How a connection is encrypted. Certificates and keys are PEM text, never paths. @public */
export interface TlsSettings {
  /** The authority that must have issued the server's certificate; by default the authorities of the system. */
  readonly ca?: string;
  /** The certificate and key by which this server identifies itself. */
  readonly cert?: string;
  readonly key?: string;
  /** `encrypt` accepts any certificate, `authority` one issued by the authority, `identity` one that also names the host. */
  readonly verify: 'encrypt' | 'authority' | 'identity';
}

/** The target of the host's connection, which a kind makes from the settings. @public */
export type BaseTarget = FileBaseTarget | ServerBaseTarget;

/**
 * A kind of existing database that a project can be opened on. The host connects, through the outbound gate, reads the tables and
 * keeps the settings sealed.
 *
 * A base whose kind is no longer registered is shown as unreachable; its tables, views and settings stay.
 * @public
 */
export interface BaseKind {
  /** The name in clients' `bases[].type`: `pg`, `mysql2`, `sqlite3`, `mssql`. */
  readonly id: string;
  readonly label: string;
  /** Other names that clients use. */
  readonly aliases?: readonly string[];
  /** Lower comes first. Default 100. */
  readonly order?: number;
  /**
   * The form of the connection. Secrets have `format: 'secret'`: they are never returned, and must be entered again when a
   * setting that decides where they are sent changes. The settings `readOnly` and `schemaChanges` (both boolean) mean the same
   * for all kinds.
   */
  readonly settings: SettingsSchema;
  /**
   * Reads the settings from the config that clients of the v1 API send: `{ client, connection: { ... }, searchPath }`.
   *
   * @throws TrellisError 400 for an unknown key: no option of a client reaches a driver unchecked.
   */
  fromConfig(config: Readonly<Record<string, unknown>>): BaseSettings;
  /** @param settings valid by the schema, with its defaults */
  target(settings: BaseSettings): BaseTarget;
}

/** A base and its connection as its administrators see them: secrets are masked. @public */
export interface BaseConnection {
  readonly baseId: string;
  readonly alias: string | undefined;
  /** The id of its kind. */
  readonly type: string;
  readonly settings: BaseSettings;
}

/** The changes that a client may make to a base. @public */
export interface BasePatch {
  readonly alias?: string;
  /** All settings of the connection; a masked secret stays unchanged. */
  readonly settings?: BaseSettings;
}

/** The outcome of a connection test; `code` and `params` are those of an error, so that its message can be translated. @public */
export type ConnectionOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly message: string;
      readonly code: string;
      readonly params: Readonly<Record<string, unknown>>;
    };

/**
 * The databases of projects. Each method requires `databaseOpen`, since connecting decides which hosts this server connects to.
 * Methods on a project also require the permission of the project that is named with each.
 * @public
 */
export interface BaseStore {
  /** The kinds that can be opened, in order. */
  kinds(scope: AccessScope): readonly BaseKind[];
  /**
   * Connects and asks for the time, within ten seconds. The answer is one of a few messages, the same for every host without a
   * usable database, so that it reveals nothing about the host.
   */
  test(scope: AccessScope, input: ExternalBaseInput, signal?: AbortSignal): Promise<ConnectionOutcome>;
  /** As `test`, with changed settings of a base, whose masked secrets keep their stored values. Requires `baseUpdate`. */
  testBase(
    scope: AccessScope,
    baseId: string,
    settings: BaseSettings,
    signal?: AbortSignal,
  ): Promise<ConnectionOutcome>;
  /** The connection of an external base. Requires `baseUpdate`. @throws TrellisError 404 */
  connection(scope: AccessScope, baseId: string): Promise<BaseConnection>;
  /** Adds a database to the project and reads its tables; returns the id of the base. Requires `baseCreate`. */
  add(scope: AccessScope, input: ExternalBaseInput): Promise<string>;
  /** Renames a base, or changes its connection after testing the new one. Requires `baseUpdate`. */
  update(scope: AccessScope, baseId: string, patch: BasePatch): Promise<void>;
  /** Removes a base and the metadata of its tables from the project; the database is not changed. Requires `baseDelete`. */
  remove(scope: AccessScope, baseId: string): Promise<void>;
}

/** The databases of projects. @public */
export const BaseStoreToken = createToken<BaseStore>('base-store');
