import { createToken, type SettingsSchema } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { ExternalBaseInput } from './schema-store.ts';

/** What a person says of a database, as the schema of its kind describes it. @public */
export type BaseSettings = Readonly<Record<string, unknown>>;

/** A database in a file of the server's folder for them. @public */
export interface FileBaseTarget {
  /** The id of a dialect of the host: `sqlite`. */
  readonly dialect: string;
  /** A name inside the folder. */
  readonly file: string;
}

/** A database on a server. @public */
export interface ServerBaseTarget {
  /** The id of a dialect of the host: `postgres`, `mysql` or `mssql`. */
  readonly dialect: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  /** The schema of a database that has several. */
  readonly schema?: string;
  /** Undefined connects without TLS. */
  readonly tls?: TlsSettings;
  /** The most connections that this server opens. Default 10. */
  readonly connections?: number;
  /** Seconds that a connection may take to open. Default 5. */
  readonly connectSeconds?: number;
  /** What the database's own tools call our connections. Default `trellis`. */
  readonly applicationName?: string;
}

/** How a connection is encrypted. Certificates and keys are PEM text, never paths. @public */
export interface TlsSettings {
  /** Whom the server's certificate must come from; the authorities of the system where it is left out. */
  readonly ca?: string;
  /** The certificate and the key by which this server shows who it is. */
  readonly cert?: string;
  readonly key?: string;
  /** `encrypt` trusts any certificate, `authority` one of the authority, `identity` one that also names the host. */
  readonly verify: 'encrypt' | 'authority' | 'identity';
}

/** What a kind makes of the settings: where the host connects to. @public */
export type BaseTarget = FileBaseTarget | ServerBaseTarget;

/**
 * A kind of existing database that a project can be opened on. The host connects, through the outbound gate, reads the tables and
 * keeps the settings sealed.
 *
 * A base whose kind nobody registers any more is shown as unreachable; its tables, views and settings stay.
 * @public
 */
export interface BaseKind {
  /** As clients name it in `bases[].type`: `pg`, `mysql2`, `sqlite3`, `mssql`. */
  readonly id: string;
  readonly label: string;
  /** Other names that clients use. */
  readonly aliases?: readonly string[];
  /** Lower comes first. Default 100. */
  readonly order?: number;
  /**
   * The form of the connection. Secrets have `format: 'secret'`: they are never read back, and are asked for again when a setting
   * changes that says where they go. The settings `readOnly` and `schemaChanges` (both boolean) mean the same for all kinds.
   */
  readonly settings: SettingsSchema;
  /**
   * The settings in what clients of the v1 API send: `{ client, connection: { ... }, searchPath }`.
   *
   * @throws TrellisError 400 for a key that it does not know: nothing that a client sends reaches a driver unread.
   */
  fromConfig(config: Readonly<Record<string, unknown>>): BaseSettings;
  /** @param settings valid by the schema, with its defaults */
  target(settings: BaseSettings): BaseTarget;
}

/** A base and its connection as whoever administers it sees them: secrets are masked. @public */
export interface BaseConnection {
  readonly baseId: string;
  readonly alias: string | undefined;
  /** The id of its kind. */
  readonly type: string;
  readonly settings: BaseSettings;
}

/** What a client may change of a base. @public */
export interface BasePatch {
  readonly alias?: string;
  /** All settings of the connection; a masked secret keeps the stored one. */
  readonly settings?: BaseSettings;
}

/** How a test of a connection ended; `code` and `params` are those of an error, so that its message can be translated. @public */
export type ConnectionOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly message: string;
      readonly code: string;
      readonly params: Readonly<Record<string, unknown>>;
    };

/**
 * The databases of projects. Each method requires `databaseOpen`, since whoever connects decides where this server connects to, and
 * those of a project their own permission of the project as well.
 * @public
 */
export interface BaseStore {
  /** The kinds that can be opened, in order. */
  kinds(scope: AccessScope): readonly BaseKind[];
  /**
   * Connects and asks for the time, within ten seconds. The answer is one of a few messages, the same for every host that gives no
   * database: it says nothing of what else stands at an address.
   */
  test(scope: AccessScope, input: ExternalBaseInput, signal?: AbortSignal): Promise<ConnectionOutcome>;
  /** As `test`, with changed settings of a base, whose masked secrets are the stored ones. Requires `baseUpdate`. */
  testBase(
    scope: AccessScope,
    baseId: string,
    settings: BaseSettings,
    signal?: AbortSignal,
  ): Promise<ConnectionOutcome>;
  /** The connection of a base that existed. Requires `baseUpdate`. @throws TrellisError 404 */
  connection(scope: AccessScope, baseId: string): Promise<BaseConnection>;
  /** Opens a further database in the project and reads its tables; the answer is the id of the base. Requires `baseCreate`. */
  add(scope: AccessScope, input: ExternalBaseInput): Promise<string>;
  /** Renames a base, or connects it differently once the new connection works. Requires `baseUpdate`. */
  update(scope: AccessScope, baseId: string, patch: BasePatch): Promise<void>;
  /** Takes a base out of its project, with what the project keeps of its tables; the database stays as it is. Requires `baseDelete`. */
  remove(scope: AccessScope, baseId: string): Promise<void>;
}

/** The databases of projects. @public */
export const BaseStoreToken = createToken<BaseStore>('base-store');
