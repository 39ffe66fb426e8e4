import type { BailSpec, DidSpec, RowKey, ViewEntity, WaterfallSpec } from '../shared/index.ts';
import type { AccessScope, Principal } from './access.ts';
import type { Change } from './changes.ts';
import type { FileFacts, FilePlacement } from './extensions/files.ts';
import type { MailChoice } from './extensions/mail.ts';
import type { ProjectSchema, TableSchema } from './schema.ts';
import type { RowInput } from './row-store.ts';
import type { ColumnInput, TableInput } from './schema-store.ts';

/**
 * The hooks that the host itself calls. `will` hooks run before and may change or refuse (`Veto`); `did` hooks run after the commit and are
 * always contained.
 *
 * A `will` handler has five seconds. One that throws anything but a `Veto` or a `TrellisError` refuses the operation with 500
 * `HOOK_FAILED`, one that does not answer with 503 `HOOK_TIMEOUT`; both name the plugin. After too many of them within a minute
 * (twenty errors, of which one without an answer counts as five) the plugin is `degraded` until somebody enables it again. A
 * handler that may refuse is a guard: it is still called, and operations on which it fails are refused with 503
 * `HOOK_OUT_OF_ORDER`. Handlers of other hooks, and of `plugins.willEnable` and `plugins.willDisable`, are suspended until then.
 * @public
 */
export interface HostServerHooks {
  /**
   * Before rows are inserted, after parsing; also before deleted rows are restored (`origin` is `undo`). The value is the frozen
   * rows; keys are column titles. To write other values, return other objects: the same number, each with at least the cells that
   * it had (`{ ...row, Title: 'x' }`). Any other result refuses the write, and is charged to the plugin.
   *
   * Handlers of `rows.will` hooks must decide and not act: a write may still fail or be repeated, and then they are called again.
   * Writes that find their rows only by locking them (by a condition, or the values of a bulk delete) call the hooks within the
   * transaction. A handler that opens a unit of the same database there (`ctx.db`, a store) is refused at once: the write waits
   * for the handler, and the unit would wait for the write.
   */
  'rows.willCreate': WaterfallSpec<readonly RowInput[], RowHookContext>;
  /**
   * Before rows are changed. The value is the frozen changes, one entry per row: its key and the changed cells by column title.
   * The result must contain the same rows in the same order, each with at least the cells that it had.
   *
   * While a plugin taps this hook, a change or a delete by a condition that matches more than 10,000 rows is refused, since they
   * cannot all be passed.
   *
   * A `Veto` of a change of several rows may name one in its params: `{ rowKey }`, or `{ row }` counting from 1. The page then
   * marks only that row, and sends the others again.
   */
  'rows.willUpdate': WaterfallSpec<
    readonly { readonly key: string; readonly values: RowInput }[],
    RowHookContext
  >;
  /** Before rows are deleted. The value is their frozen keys; a handler refuses by a `Veto` and returns nothing. */
  'rows.willDelete': WaterfallSpec<readonly string[], RowHookContext>;
  /** After rows changed and the change is durable; once per write, with a change per row. */
  'rows.didChange': DidSpec<{ readonly changes: readonly Change[]; readonly table: TableSchema }>;
  /** Before a table is made. The value is the caller's input; the host checks names and types after the hook. */
  'tables.willCreate': WaterfallSpec<TableInput, { readonly scope: AccessScope }>;
  /** Before a table is parked (hidden at once, dropped after 30 days). */
  'tables.willDelete': BailSpec<{ readonly scope: AccessScope; readonly table: TableSchema }, never>;
  /** Before a column is made; a change of a column has no hook. */
  'columns.willCreate': WaterfallSpec<
    ColumnInput,
    { readonly scope: AccessScope; readonly table: TableSchema }
  >;
  /** Before a column is parked. */
  'columns.willDelete': BailSpec<
    { readonly scope: AccessScope; readonly table: TableSchema; readonly columnId: string },
    never
  >;
  /**
   * Before views of a table are sent to clients, in lists and alone. A plugin that stores data about views adds it, such as a
   * view's shared link. The value is the views on the wire; return other objects for views that change. Fields of a failing
   * handler are left out.
   */
  'views.willTell': WaterfallSpec<
    readonly ViewEntity[],
    { readonly scope: AccessScope; readonly table: TableSchema }
  >;
  /** After a project, its tables, columns or views changed. `generation` grows with every change of the project. */
  'schema.didChange': DidSpec<{
    readonly projectId: string;
    readonly tableId: string | undefined;
    readonly viewId: string | undefined;
    readonly generation: number;
    readonly requestId: string;
  }>;
  /**
   * After deleted rows were purged, with at most 500 keys: remove all data about them. Called again for the same keys if the
   * server was cut off. A row that was added since under one of these keys is not named. Also called once the log no longer has a
   * deletion, so that its rows cannot be restored; except in external databases, whose other programs may restore them. See
   * `followRows`.
   */
  'rows.didPurge': DidSpec<{ readonly tableId: string; readonly keys: readonly RowKey[] }>;
  /**
   * After a deleted table was purged, or removed from its project with its database: remove all data about it and its rows.
   * Called again if the server was cut off.
   */
  'tables.didPurge': DidSpec<{ readonly projectId: string; readonly tableId: string }>;
  /** After a project was made; `principal` is its owner. */
  'projects.didCreate': DidSpec<{ readonly project: ProjectSchema; readonly principal: Principal }>;
  /** After a project was parked. */
  'projects.didDelete': DidSpec<{ readonly projectId: string }>;
  /** After a deleted project was purged, with its tables: it cannot be restored. */
  'projects.didPurge': DidSpec<{ readonly projectId: string }>;
  /**
   * Before a file is stored. The value says where; return `{ ...value, place }` to store it there. A handler that fails or is
   * late refuses the file, so that it is stored in no other place than intended.
   */
  'files.willPut': WaterfallSpec<FilePlacement, FileFacts>;
  /**
   * Before a mail is sent, or the sending is tested. The value says by which adapter; return `{ ...value, by }` to use another
   * one. A handler that fails or is late holds the mail back; mails of `Letters` are tried again later.
   */
  'mail.willSend': WaterfallSpec<MailChoice, { readonly what: 'send' | 'verify' }>;
  /** After an account was disabled. Its credentials are already invalid; sessions end here. */
  'accounts.didDisable': DidSpec<{ readonly accountId: string }>;
  /** After an administrator removed a way by which somebody proves their identity. Sessions and unfinished sign-ins end here. */
  'accounts.didReset': DidSpec<{ readonly accountId: string }>;
  /** After an account was deleted: plugins delete their data about it. */
  'accounts.didDelete': DidSpec<{ readonly accountId: string }>;
  /** Before a plugin is enabled, at the server's start too. */
  'plugins.willEnable': BailSpec<{ readonly id: string }, never>;
  /** Before a plugin is switched off; once for each plugin that is switched off with it. */
  'plugins.willDisable': BailSpec<{ readonly id: string }, never>;
  /** After a plugin's state changed, or its settings for pages. `state` is a `PluginState`. */
  'plugins.didChange': DidSpec<{ readonly id: string; readonly state: string; readonly generation: number }>;
}

/** The server's hooks by id. A plugin that makes one of its own (`ctx.hooks.define`) adds it by declaration merging. @public */
export interface ServerHooks extends HostServerHooks {}

/** The caller and table of a write. @public */
export interface RowHookContext {
  readonly scope: AccessScope;
  readonly table: TableSchema;
  /** `api` for calls, `undo` for undoing a write. */
  readonly origin: string;
}
