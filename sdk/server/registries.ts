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
  /** The kinds that it takes; `any` takes every kind. Numbers are converted to the first kind of the list where they differ. */
  readonly kinds: readonly StorageKind[] | 'any';
  readonly optional?: boolean;
  /** Takes this argument and all after it; only the last parameter. */
  readonly rest?: boolean;
}

/**
 * How a function becomes SQL. `tree`: by other nodes. `sql`: a text per dialect id (`default` for the others) in which `{0}`
 * stands for the first argument and `{*}` for all, separated by commas; text of the plugin's, never of a request.
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
  /** As trees call it: `UPPER`. What people write in formula columns is a function of the registry `formulaFunctions`. */
  readonly id: string;
  readonly parameters: readonly FunctionParameter[];
  /** The result for these kinds of arguments. */
  result(values: readonly ResultKind[]): ResultKind;
  readonly body: FunctionBody;
}

/** How a view shows one column, on its way to be saved. @public */
export interface ViewColumnDraft {
  readonly columnId: string;
  readonly show: boolean;
  readonly order: number;
  /** Pixels; undefined where nobody has chosen them. */
  readonly width: number | undefined;
  /** As the type's `columnOptions` describe them; empty for a column of which nothing is kept. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A view on its way to be saved. @public */
export interface ViewDraft {
  /** As the type's `options` describe them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Every column that has a place in the view, also those that it does not show. */
  readonly columns: readonly ViewColumnDraft[];
}

/** What a draft is about; whole, whatever its author may see. @public */
export interface ViewDraftContext {
  readonly table: TableSchema;
  readonly snapshot: ProjectSnapshot;
  /** The view as it is saved; undefined for one that is yet to be made. */
  readonly view: ViewSchema | undefined;
  /** What a view that is yet to be made is a copy of, of whatever type; undefined for one that begins anew. */
  readonly copyOf?: ViewSchema | undefined;
}

/** A kind of view as the server knows it: what its views keep, and the rules for it. @public */
export interface ViewType extends ViewTypeDefinition {
  /**
   * The save rules. Called before a view of the type is made and before its options or the places of its columns change, with
   * all of it as it would be saved: options fit their schemas, defaults are filled in.
   *
   * Returns the draft completed (other options, columns shown or hidden), or nothing to save it as it is; a column that the
   * draft leaves out stays as it is. Refuses by a `Veto`, whose message people read. It must be quick and give the same for the
   * same draft; another error refuses the save with 500 and counts against the plugin. What it returns is checked against the
   * schemas again.
   */
  willSave?(draft: ViewDraft, context: ViewDraftContext): ViewDraft | undefined | void;
  /**
   * Whether views of the type that are there already show a column that is made now. Where it says nothing, a view shows it unless the view
   * is open to people who are no members, or hides another one of its fields.
   */
  showsNewColumn?(column: ColumnSchema): boolean | undefined;
  /**
   * Throws where visitors can send nothing by the link of a view at the moment, such as by a form that is closed. Called before a row of theirs
   * is looked at, before a file is taken for it, before they are told which rows it may be linked to, and when they open the link, so that
   * the page can say so before anything is filled in.
   *
   * @param person who asks, as `Sender.person` has it, where that is known
   * @param stranger as `Sender.stranger` has it
   */
  assertOpen?(view: ViewSchema, person?: string, stranger?: string): Promise<void> | void;
  /**
   * The rules for a new row that somebody sends by the link of a view whose type lets visitors submit. Called before the row is written,
   * with the values of the columns that the view shows, by their titles, as they were sent. Returns the values to write, or nothing to
   * write them as they are; refuses by a `Veto`. What the columns themselves require is checked after it.
   */
  willSubmit?(values: RowInput, context: SubmitContext): Promise<RowInput | undefined | void>;
  /**
   * A text of the server's own that visitors are told with the view (`handed`), such as a sign of when they were. The page of the type may
   * send it back beside a row.
   */
  handOut?(view: ViewSchema): string;
  /**
   * Whether a row that `willSubmit` let pass is a program's and not a person's. Its sender is answered as if it had been added; it is not, and
   * `didSubmit` is told of no row. Whom this takes for a program by mistake never hears of it.
   */
  isProgram?(context: SubmitContext): boolean;
  /**
   * Called after `willSubmit` let a row pass: with the row as it was added, or without one where it was refused after all or dropped, so that what was
   * counted for it is given back. The sender waits for it; what it throws is logged and changes nothing.
   */
  didSubmit?(row: Row | undefined, context: SubmitContext): Promise<void>;
}

/** A row that somebody sends by the link of a view. @public */
export interface SubmitContext extends ViewDraftContext {
  readonly view: ViewSchema;
  readonly sender: Sender;
  /** What the body holds beside the row, for the type's own page: not checked, and the sender's to choose. */
  readonly aside: Readonly<Record<string, unknown>>;
}

/** Who sends a row by a link, as far as that can be known. @public */
export interface Sender {
  /** The client's network address. */
  readonly address: string;
  /** What limits count a sender by: the same text for all that an account sends, else for all that comes from one address. */
  readonly countedBy: string;
  /**
   * The same text whenever the same account sends, or the same browser where nobody is signed in: by a cookie, which people can delete. Only
   * where the type says `ViewSharing.knowsSenders`.
   */
  readonly person?: string;
  /**
   * What `person` is, and was, when the same browser sends without an account: of who is signed in where somebody has sent before who was not.
   * People who share a browser share it.
   */
  readonly stranger?: string;
}

/** Turns a header or a cookie into a principal. @public */
export interface CredentialResolver {
  readonly id: string;
  /** Lower is asked first. Default 100. */
  readonly order?: number;
  /**
   * Undefined when the request carries none of its credentials; throws 401 for one that is no longer good. Every call asks, so a
   * resolver that knows the answer gives it at once, and gives the same object for the same caller.
   */
  resolve(request: CredentialRequest): Principal | undefined | Promise<Principal | undefined>;
  /**
   * Whether a request carries a credential of this kind, asked after `resolve` failed: its sender is then told to try again (503)
   * and not taken for a guest. By default: one with `authorization`, `xc-auth` or `xc-token`.
   */
  carries?(request: CredentialRequest): boolean;
  /**
   * Whether a credential that it gave is still good. Asked of principals whose `resolver` it is, whenever something is done in their name
   * that no request brings; while the resolver is not there, none of them is good.
   */
  isGood?(principal: Principal): boolean | Promise<boolean>;
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
  /** Seconds between runs, at least 15: the server looks that often for what is due. A lease sees to it that one server runs it at a time. */
  readonly every: number;
  /** Seconds that a run may take. Default 3600; longer work is a task. */
  readonly seconds?: number;
  /** `signal` aborts when the plugin is disabled, the server stops, another server took over, or the run takes too long. */
  run(context: { readonly signal: AbortSignal; readonly logger: Logger }): Promise<void>;
}

/**
 * Something that is kept with each change that a call makes (`Change.marks`), so that readers of the change log know how it came about:
 * what caused it, whom not to tell.
 * @beta
 */
export interface ChangeMark {
  /** Under it the mark is kept: begins with the plugin's id. */
  readonly id: string;
  /**
   * At most 1,000 characters, or undefined to keep nothing. Called for calls that may write, before their handler runs; it must be quick. A
   * `TrellisError` refuses the call; anything else is shown as an error of the plugin, and nothing is kept. `table` has the view that the
   * path of the call names, which is there for the caller.
   */
  read(call: Pick<RouteRequest, 'headers' | 'query' | 'scope' | 'table'>): string | undefined;
}

/**
 * Filters that a plugin keeps of something else than views, such as the conditions of a webhook. They are read and changed by their ids as
 * those of views are (`/api/v1/db/meta/filters/{id}`), which asks for the permissions of filters; the home asks for its own beside them.
 * Give them ids of `fi_` and 14 of `0-9a-z`: for an id of another form no home is asked.
 * @beta
 */
export interface FilterHome {
  readonly id: string;
  /** The project that a filter belongs to; undefined for an id that is none of these filters. */
  projectOf(filterId: string): Promise<string | undefined>;
  /** The filter as it travels, a group with its filters; undefined for one that is not there for the scope. */
  read(scope: AccessScope, filterId: string): Promise<FilterEntity | undefined>;
  /** Changes what the patch names. Throws 404 for a filter that is not there for the scope, 400 for what it cannot be. */
  update(scope: AccessScope, filterId: string, patch: Partial<FilterInput>): Promise<void>;
  /** Takes it away, a group with its filters. Throws 404 for one that is not there for the scope. */
  remove(scope: AccessScope, filterId: string): Promise<void>;
}

/** Something that a plugin keeps, and where it belongs. @public */
export interface KeptObject<Kept = unknown> {
  readonly projectId: string;
  /** The table that it is about; for a caller who may not know of the table it is not there. */
  readonly tableId?: string;
  readonly object: Kept;
}

/** Where the rights to something kept are judged for one caller. @public */
export interface KeptPlace {
  readonly scope: AccessScope;
  /** The table that it is about, where it is about one. */
  readonly table: TableHandle | undefined;
}

/**
 * Objects of projects that a plugin keeps and that paths name by their ids, such as webhooks: routes say `{ kind: 'kept', home, param }`, and
 * the host judges the rights to them as it does those to tables and views. Each question has the time that the route has; what comes later, or
 * is thrown, is shown as an error of the plugin.
 * @public
 */
export interface ObjectHome<Kept = unknown> {
  /** What the objects are, as routes name them: `hook`. */
  readonly id: string;
  /** The object with this id, whoever asks; undefined for an id that none has. Called with whatever stands in the path, before the body is read. */
  find(id: string): Promise<KeptObject<Kept> | undefined>;
  /**
   * Whether the object is there for a caller who is in its project and sees its table; always where this is left out. A `TrellisError` below
   * 500 is a no.
   */
  isThere?(object: Kept, place: KeptPlace): Promise<boolean>;
}

/** Types a home by what it keeps. @public */
export function defineObjectHome<Kept>(home: ObjectHome<Kept>): ObjectHome {
  return home as ObjectHome;
}

/** Has a say in `/api/v1/health`, which is green only when every check is. @public */
export interface HealthCheck {
  readonly id: string;
  /** Has five seconds; later, or thrown, counts as not healthy and is shown as an error of the plugin. */
  check(signal: AbortSignal): Promise<{ readonly ok: boolean; readonly message?: string }>;
}

/**
 * Pages that other sites may show inside theirs, at `/embed` and their own address: `/embed/nc/view/<uuid>`. Nobody is signed in there, and
 * nothing but routes that say `framed` is drawn.
 * @public
 */
export interface FramedPage {
  readonly id: string;
  /**
   * The sites that may show the page at an address: origins such as `https://example.com`, or `*` for any; an empty list where none may.
   * Undefined for an address that is none of these pages.
   */
  sites(address: string): Promise<readonly string[] | undefined>;
}

/**
 * Says what may be read of files by addresses that end, such as those that strangers get by a link. A *place* is where files are shown: a
 * view's column, in words of the plugin's own.
 * @beta
 */
export interface FileGrant {
  readonly id: string;
  /**
   * The key by which files of a place are named, 32 bytes, and the project that they belong to. Addresses are good for as long as it stays the
   * same; undefined for a place whose files nobody may read any more.
   */
  keyOf(place: string): Promise<{ readonly key: Uint8Array; readonly projectId: string } | undefined>;
}

/**
 * Knows which views are open to people who are no members of their project, such as those who were given a link. What is added to a table
 * later does not show there by itself.
 * @public
 */
export interface OpenViews {
  readonly id: string;
  /** A query over a table of the plugin (`ctx.db.table`) whose rows name the open views of a table in `view_id`. */
  ofTable(tableId: string): Knex.QueryBuilder;
  /** Whether whoever has been given the view may see it now: false as soon as its link is closed or has ended. */
  isOpen(viewId: string): Promise<boolean>;
}

/** Conditions that a plugin keeps in its own tables, such as rules for rows. @public */
export interface ConditionHolder {
  readonly id: string;
  /**
   * Called when values of a column are others, such as an option of a list that was renamed, and again for each column that shows them
   * over a link: conditions follow by `moved.filters`, and those that say whom to keep from what must let nothing through once
   * `moved.isGone`. It writes in the transaction that changes the column, before anybody reads by the new values. It must be quick, may
   * run again when the transaction is tried again, and an error refuses the change of the column.
   */
  moved(unit: PluginUnit, moved: MovedConditions): Promise<void>;
}

/** A number that a plugin knows of a project, for the summary of a server that super admins read. @beta */
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
