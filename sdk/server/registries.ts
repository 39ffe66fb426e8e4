import type { Knex } from 'knex';
import type { RowInput } from './row-store.ts';
import type {
  Aggregation,
  Expression,
  FilterEntity,
  FilterOperator,
  FormulaFunctionDefinition,
  MovedConditions,
  ResultKind,
  Row,
  StorageKind,
  ViewAddition,
  ViewTypeDefinition,
} from '../shared/index.ts';
import type { AccessScope, Permission, Principal, ScopeRule } from './access.ts';
import type { BaseKind } from './base-kinds.ts';
import type { BusTransport } from './bus.ts';
import type { ServerColumnType } from './column-types.ts';
import type { LiveTopic } from './live-topics.ts';
import type { Logger } from './logger.ts';
import type {
  AuthProvider,
  AutomationStep,
  AutomationTrigger,
  SignInStep,
  Exporter,
  FileHolder,
  Importer,
  Listener,
  MailAdapter,
  NoticeKind,
  ChannelUser,
  NotificationChannel,
  Operation,
  StorageAdapter,
  VariableSource,
} from './extensions/index.ts';
import type { PluginUnit } from './plugin-database.ts';
import type { RouteRequest } from './routes.ts';
import type { ColumnSchema, ProjectSnapshot, TableSchema, ViewSchema } from './schema.ts';
import type { TableHandle } from './table-handle.ts';
import type { TaskKind } from './tasks.ts';
import type { FilterInput } from './view-store.ts';

/** One argument of a function. @public */
export interface FunctionParameter {
  /** The accepted kinds; `any` accepts every kind. Numbers of other kinds are converted to the first kind in the list. */
  readonly kinds: readonly StorageKind[] | 'any';
  readonly optional?: boolean;
  /** Accepts this argument and all after it; only for the last parameter. */
  readonly rest?: boolean;
}

/**
 * How a function is converted to SQL. `tree`: to other nodes. `sql`: to a text per dialect id (`default` for the others) in which
 * `{0}` is the first argument and `{*}` all of them, separated by commas; the text must be constant and never come from a
 * request.
 * @public
 */
export type FunctionBody =
  | { readonly kind: 'tree'; build(values: readonly Expression[]): Expression }
  | { readonly kind: 'sql'; readonly text: Readonly<Record<string, string>> }
  /** SQL that `host-server/dialects` has for the function's id. For the host's own functions. */
  | { readonly kind: 'dialect' };

/**
 * A function that trees may call: `{ kind: 'call', function: 'UPPER', arguments: [...] }`. A call whose arguments do not fit is
 * refused with 400 before any SQL runs.
 * @public
 */
export interface FunctionDefinition {
  /** The name in trees: `UPPER`. Functions that people write in formula columns are in the registry `formulaFunctions`. */
  readonly id: string;
  readonly parameters: readonly FunctionParameter[];
  /** The kind of the result for arguments of these kinds. */
  result(values: readonly ResultKind[]): ResultKind;
  readonly body: FunctionBody;
}

/** The place of a column in a view that is about to be saved. @public */
export interface ViewColumnDraft {
  readonly columnId: string;
  readonly show: boolean;
  readonly order: number;
  /** Pixels; undefined if nobody chose a width. */
  readonly width: number | undefined;
  /** By the type's `columnOptions`; empty if nothing is stored for the column. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A view that is about to be saved. @public */
export interface ViewDraft {
  /** By the type's `options`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** All columns with a place in the view, including hidden ones. */
  readonly columns: readonly ViewColumnDraft[];
}

/** The context of a draft; complete, whatever its author may see. @public */
export interface ViewDraftContext {
  readonly table: TableSchema;
  readonly snapshot: ProjectSnapshot;
  /** The saved view; undefined for a new one. */
  readonly view: ViewSchema | undefined;
  /** The view of any type that a new view is a copy of; undefined if it is no copy. */
  readonly copyOf?: ViewSchema | undefined;
}

/** A view type on the server: the options of its views, and the rules for them. @public */
export interface ViewType extends ViewTypeDefinition {
  /**
   * The save rules. Called before a view of the type is made, and before its options or the places of its columns change, with
   * the whole view as it would be saved: options match their schemas, defaults are filled in.
   *
   * Returns a completed draft (other options, columns shown or hidden), or nothing to save it unchanged; columns that the
   * returned draft omits stay as they are. Refuses by a `Veto`, whose message people see. It must be quick and deterministic;
   * another error refuses the save with 500 and counts against the plugin. The result is checked against the schemas again.
   */
  willSave?(draft: ViewDraft, context: ViewDraftContext): ViewDraft | undefined | void;
  /**
   * Whether existing views of the type show a new column. Without an answer, a view shows it unless the view is open to
   * non-members, or hides another of its fields.
   */
  showsNewColumn?(column: ColumnSchema): boolean | undefined;
  /**
   * Throws when visitors cannot send rows by a view's link at the moment, for example because a form is closed. Called before a
   * visitor's row is read, before a file for it is accepted, before rows to link are listed, and when the link is opened, so that
   * the page can tell before anything is filled in.
   *
   * @param person the caller's `Sender.person`, if known
   * @param stranger the caller's `Sender.stranger`
   */
  assertOpen?(view: ViewSchema, person?: string, stranger?: string): Promise<void> | void;
  /**
   * The rules for a new row sent by the link of a view, for types that let visitors submit. Called before the row is written,
   * with the sent values of the columns that the view shows, by title. Returns the values to write, or nothing to write them
   * unchanged; refuses by a `Veto`. The rules of the columns themselves are checked afterwards.
   */
  willSubmit?(values: RowInput, context: SubmitContext): Promise<RowInput | undefined | void>;
  /**
   * A text from the server that visitors get with the view (`handed`), such as a signed time. The page of the type may send it
   * back with a row.
   */
  handOut?(view: ViewSchema): string;
  /**
   * Whether a row that `willSubmit` accepted was sent by a program and not a person. Then it is not added, although its sender is
   * answered as if it were, and `didSubmit` is called without a row. A person mistaken for a program is not told.
   */
  isProgram?(context: SubmitContext): boolean;
  /**
   * Called after `willSubmit` accepted a row: with the added row, or without one if it was refused after all or dropped, so that
   * a counter can be decreased. The sender waits for it; its errors are logged and change nothing.
   */
  didSubmit?(row: Row | undefined, context: SubmitContext): Promise<void>;
}

/** A row that somebody sends by the link of a view. @public */
export interface SubmitContext extends ViewDraftContext {
  readonly view: ViewSchema;
  readonly sender: Sender;
  /** Further data of the body for the type's own page: unchecked input of the sender. */
  readonly aside: Readonly<Record<string, unknown>>;
}

/** The sender of a row by a link, as far as it can be known. @public */
export interface Sender {
  /** The client's network address. */
  readonly address: string;
  /** The text by which limits count a sender: the same for everything that an account sends, otherwise for everything from one address. */
  readonly countedBy: string;
  /**
   * The same text whenever the same account sends, or the same browser without an account: by a cookie, which people can delete.
   * Only for types with `ViewSharing.knowsSenders`.
   */
  readonly person?: string;
  /**
   * The `person` of the same browser when nobody is signed in; set for an account if somebody has sent from this browser without
   * one. People who share a browser share it.
   */
  readonly stranger?: string;
}

/** Converts a header or a cookie to a principal. @public */
export interface CredentialResolver {
  readonly id: string;
  /** Lower is asked first. Default 100. */
  readonly order?: number;
  /**
   * Undefined when the request has none of its credentials; throws 401 for one that is no longer valid. It is called for every
   * request, so if the result is known it should not be a promise, and should be the same object for the same caller.
   */
  resolve(request: CredentialRequest): Principal | undefined | Promise<Principal | undefined>;
  /**
   * Whether a request has a credential of this kind, asked after `resolve` failed: its sender is then told to try again (503)
   * instead of being taken for a guest. Default: requests with `authorization`, `xc-auth` or `xc-token`.
   */
  carries?(request: CredentialRequest): boolean;
  /**
   * Whether a credential that it resolved is still valid. Asked for principals that name this `resolver`, whenever work is done
   * in their name without a request; while the resolver is not registered, none is valid.
   */
  isGood?(principal: Principal): boolean | Promise<boolean>;
}

/** The headers of a request; names are in lower case. @public */
export interface CredentialRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
}

/**
 * Periodic work, on one server at a time. A failed run is shown with its plugin, and repeated at the next interval.
 * @public
 */
export interface JobDefinition {
  readonly id: string;
  /** Seconds between runs, at least 15: the server checks that often for due jobs. A lease ensures that one server runs it at a time. */
  readonly every: number;
  /** The most seconds of a run. Default 3600; longer work is a task. */
  readonly seconds?: number;
  /** `signal` aborts when the plugin is disabled, the server stops, another server took over, or the run takes too long. */
  run(context: { readonly signal: AbortSignal; readonly logger: Logger }): Promise<void>;
}

/**
 * A text that is stored with each change of a call (`Change.marks`), so that readers of the change log know its circumstances:
 * what caused it, or who must not be informed.
 * @beta
 */
export interface ChangeMark {
  /** The id under which the mark is stored; begins with the plugin's id. */
  readonly id: string;
  /**
   * At most 1,000 characters, or undefined for no mark. Called for calls that may write, before their handler runs; it must be
   * quick. A `TrellisError` refuses the call; another error is charged to the plugin, and no mark is stored. `table` has the view
   * in the call's path, which the caller may see.
   */
  read(call: Pick<RouteRequest, 'headers' | 'query' | 'scope' | 'table'>): string | undefined;
}

/**
 * Filters that a plugin stores for other objects than views, such as the conditions of a webhook. They are read and changed by id
 * like those of views (`/api/v1/db/meta/filters/{id}`), which requires the permissions of filters; the home must check its own in
 * addition. Ids must be `fi_` and 14 characters of `0-9a-z`, or no home is asked.
 * @beta
 */
export interface FilterHome {
  readonly id: string;
  /** The project of a filter; undefined for an id that is none of these filters. */
  projectOf(filterId: string): Promise<string | undefined>;
  /** The filter on the wire, a group with its filters; undefined if the scope may not see it. */
  read(scope: AccessScope, filterId: string): Promise<FilterEntity | undefined>;
  /** Changes the fields in the patch. Throws 404 for a filter that the scope may not see, 400 for invalid values. */
  update(scope: AccessScope, filterId: string, patch: Partial<FilterInput>): Promise<void>;
  /** Removes a filter, a group with its filters. Throws 404 for one that the scope may not see. */
  remove(scope: AccessScope, filterId: string): Promise<void>;
}

/** An object that a plugin stores, with its project and table. @public */
export interface KeptObject<Kept = unknown> {
  readonly projectId: string;
  /** The table of the object; callers who may not see the table cannot see the object. */
  readonly tableId?: string;
  readonly object: Kept;
}

/** The context for a caller's rights to a stored object. @public */
export interface KeptPlace {
  readonly scope: AccessScope;
  /** The table of the object, if it has one. */
  readonly table: TableHandle | undefined;
}

/**
 * Objects of projects that a plugin stores and that paths name by id, such as webhooks. Routes declare `{ kind: 'kept', home,
 * param }`, and the host checks the rights as for tables and views. Each method has the time limit of the route; exceeding it, or
 * an error, is charged to the plugin.
 * @public
 */
export interface ObjectHome<Kept = unknown> {
  /** The kind of the objects, as named by routes: `hook`. */
  readonly id: string;
  /**
   * The object with this id, whoever the caller is; undefined for an unknown id. Called with any text from the path, before the
   * body is read.
   */
  find(id: string): Promise<KeptObject<Kept> | undefined>;
  /**
   * Whether a caller in the object's project who sees its table may see the object; default: always. A `TrellisError` below 500
   * means no.
   */
  isThere?(object: Kept, place: KeptPlace): Promise<boolean>;
}

/** Types a home by its objects. @public */
export function defineObjectHome<Kept>(home: ObjectHome<Kept>): ObjectHome {
  return home as ObjectHome;
}

/** A check for `/api/v1/health`, which is green only when every check is. @public */
export interface HealthCheck {
  readonly id: string;
  /** Has five seconds; a timeout or an error counts as not healthy, and is charged to the plugin. */
  check(signal: AbortSignal): Promise<{ readonly ok: boolean; readonly message?: string }>;
}

/**
 * Pages that other sites may embed, at `/embed` and their own address: `/embed/nc/view/<uuid>`. Nobody is signed in there, and
 * only routes marked `framed` are shown.
 * @public
 */
export interface FramedPage {
  readonly id: string;
  /**
   * The sites that may embed the page at an address: origins such as `https://example.com`, or `*` for any; an empty list for
   * none. Undefined for an address of other pages.
   */
  sites(address: string): Promise<readonly string[] | undefined>;
}

/**
 * Grants access to files by temporary addresses, such as those for visitors of a link. A *place* is where files are shown, such
 * as a view's column, in a form that the plugin chooses. `SharedFiles` makes the addresses.
 * @beta
 */
export interface FileGrant {
  readonly id: string;
  /**
   * The key for the file addresses of a place, 32 bytes, and the project of the files. Addresses are valid as long as the key
   * stays the same; undefined for a place whose files nobody may read any more.
   */
  keyOf(place: string): Promise<{ readonly key: Uint8Array; readonly projectId: string } | undefined>;
}

/**
 * Knows the views that are open to non-members, such as visitors of a link. New columns of a table are not shown there
 * automatically.
 * @public
 */
export interface OpenViews {
  readonly id: string;
  /** A query over a table of the plugin (`ctx.db.table`) whose rows contain the open views of a table in `view_id`. */
  ofTable(tableId: string): Knex.QueryBuilder;
  /** Whether a visitor may see the view now: false as soon as its link is closed or has expired. */
  isOpen(viewId: string): Promise<boolean>;
}

/** Conditions that a plugin keeps in its own tables, such as rules for rows. @public */
export interface ConditionHolder {
  readonly id: string;
  /**
   * Called when values of a column have changed, such as a renamed option, and again for each column that shows them over a link.
   * Update conditions by `moved.filters`; access rules must let nothing through once `moved.isGone`. It writes in the transaction
   * that changes the column, before the new values are visible. It must be quick, may run again when the transaction is repeated,
   * and an error refuses the change of the column.
   */
  moved(unit: PluginUnit, moved: MovedConditions): Promise<void>;
}

/** A number that a plugin contributes about a project, for the server summary that super admins read. @beta */
export interface ServerFigure {
  /** The name of the number in that summary: `webhookCount`. */
  readonly id: string;
  count(projectId: string): Promise<number>;
}

/** The registries that the host itself makes. @public */
export interface HostServerRegistries {
  baseKinds: BaseKind;
  columnTypes: ServerColumnType;
  viewTypes: ViewType;
  viewAdditions: ViewAddition;
  filterOperators: FilterOperator;
  filterHomes: FilterHome;
  objectHomes: ObjectHome;
  conditionHolders: ConditionHolder;
  functions: FunctionDefinition;
  aggregations: Aggregation;
  permissions: Permission;
  scopeRules: ScopeRule;
  credentialResolvers: CredentialResolver;
  jobs: JobDefinition;
  changeMarks: ChangeMark;
  healthChecks: HealthCheck;
  framedPages: FramedPage;
  fileGrants: FileGrant;
  openViews: OpenViews;
  serverFigures: ServerFigure;
  busTransports: BusTransport;
  liveTopics: LiveTopic;
  taskKinds: TaskKind;
  mailAdapters: MailAdapter;
  storageAdapters: StorageAdapter;
  fileHolders: FileHolder;
  notificationChannels: NotificationChannel;
  channelUsers: ChannelUser;
  noticeKinds: NoticeKind;
  importers: Importer;
  exporters: Exporter;
  authProviders: AuthProvider;
  signInSteps: SignInStep;
  operations: Operation;
  listeners: Listener;
  variableSources: VariableSource;
}

/** The registries that plugins of the product make, for plugins that depend on them. @public */
export interface PluginServerRegistries {
  /** Of `automations`. */
  automationTriggers: AutomationTrigger;
  /** Of `automations`. */
  automationSteps: AutomationStep;
  /** Of `columns-formula`. */
  formulaFunctions: FormulaFunctionDefinition;
}

/** The server's registries by id. A plugin that makes one of its own (`ctx.registries.define`) adds it by declaration merging. @public */
export interface ServerRegistries extends HostServerRegistries, PluginServerRegistries {}
