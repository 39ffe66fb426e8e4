import type { CellValue, ColumnTypeDefinition, FilterOperator } from '../shared/index.ts';
import type { Permission, Principal, ScopeRule } from './access.ts';
import type { BusTransport } from './bus.ts';
import type { Logger } from './context.ts';

/** What a column type may add on the server. @public */
export interface ColumnTypeServerPart {
  /** A native type out of the dialect's closed list, when the storage kind's default does not fit. */
  nativeType?(dialect: string): string | undefined;
  /** Between the wire value and the storage kind's own value. */
  toStorage?(value: CellValue): CellValue;
  fromStorage?(value: CellValue): CellValue;
}

/** A column type as the server knows it: the pure part and what the server adds. @public */
export type ServerColumnType = ColumnTypeDefinition & { readonly server?: ColumnTypeServerPart };

/** A kind of view. @public */
export interface ViewType {
  readonly id: string;
  readonly label: string;
}

/** Turns a header or a cookie into a principal. @public */
export interface CredentialResolver {
  readonly id: string;
  /** Lower is asked first. Default 100. */
  readonly order?: number;
  /** Undefined when the request carries none of its credentials; throws 401 for one that is no longer good. */
  resolve(request: CredentialRequest): Promise<Principal | undefined>;
  /**
   * Whether a request carries a credential of this kind, asked after `resolve` failed: its sender is then told to try again (503)
   * and not taken for a guest. By default: one with `authorization`, `xc-auth` or `xc-token`.
   */
  carries?(request: CredentialRequest): boolean;
}

/** What a request carries; header names are in lower case. @public */
export interface CredentialRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
}

/**
 * Work that repeats by itself, on one server at a time. A run that throws is shown with its plugin and tried again at its next
 * time.
 * @public
 */
export interface JobDefinition {
  readonly id: string;
  /** Seconds between runs; a lease sees to it that one server runs it at a time. */
  readonly every: number;
  /** `signal` aborts when the plugin is disabled, the server stops, or another server took over. */
  run(context: { readonly signal: AbortSignal; readonly logger: Logger }): Promise<void>;
}

/** Has a say in `/api/v1/health`, which is green only when every check is. @public */
export interface HealthCheck {
  readonly id: string;
  check(signal: AbortSignal): Promise<{ readonly ok: boolean; readonly message?: string }>;
}

/** The server's registries by id. Plugins may register into each of them. @public */
export interface ServerRegistries {
  columnTypes: ServerColumnType;
  viewTypes: ViewType;
  filterOperators: FilterOperator;
  permissions: Permission;
  scopeRules: ScopeRule;
  credentialResolvers: CredentialResolver;
  jobs: JobDefinition;
  healthChecks: HealthCheck;
  busTransports: BusTransport;
}
