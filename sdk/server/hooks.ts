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
 * (twenty errors, of which one without an answer counts as five) the plugin is `degraded` until somebody enables it again. A handler that
 * may refuse is a guard: it is still asked, and what it fails on is refused with 503 `HOOK_OUT_OF_ORDER`. Handlers of other hooks,
 * and of `plugins.willEnable` and `plugins.willDisable`, are out of service until then.
 * @public
 */
export interface HostServerHooks {
  /**
   * Before rows are inserted, after parsing; also before deleted rows are put back (`origin` is `undo`). The value is the rows,
   * frozen; keys are column titles. Return other objects to have other values written: as many as there were, each with all
   * the cells that it was given (`{ ...row, Title: 'x' }`). Anything else refuses the write and is shown as an error of the plugin.
   *
   * The `rows.will` hooks decide and do not act: a write may still fail or be tried again, and then they are called again.
   * Those that know their rows only after locking them (a question, the values of a bulk delete) call inside the transaction.
   * A handler that opens a unit of the same database there (`ctx.db`, a store) is refused at once: the write waits for the handler,
   * and the unit would wait for the write.
   */
  'rows.willCreate': WaterfallSpec<readonly RowInput[], RowHookContext>;
  /**
   * Before rows are changed. The value is the changes, frozen, one entry per row: its key and the changed cells by column title.
   * What is returned must be of the same rows in the same order, each with the cells that it was given.
   *
   * A change or a delete by a condition that meets more than 10,000 rows is refused while a plugin listens here, since it could
   * not be shown them.
   *
   * A `Veto` of a change of several rows may name one in its params: `{ rowKey }`, or `{ row }` counting from 1. The page then marks
   * that row alone and sends the others again.
   */
  'rows.willUpdate': WaterfallSpec<
    readonly { readonly key: string; readonly values: RowInput }[],
    RowHookContext
  >;
  /** Before rows are deleted. The value is their keys, frozen; a handler refuses by a `Veto` and returns nothing. */
  'rows.willDelete': WaterfallSpec<readonly string[], RowHookContext>;
  /** After rows changed and the change is durable; once per write, with a change per row. */
  'rows.didChange': DidSpec<{ readonly changes: readonly Change[]; readonly table: TableSchema }>;
  /** Before a table is made. The value is what was asked for; the host checks names and types after the hook. */
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
   * Before somebody is told of views of a table, in lists and by themselves: a plugin that keeps something of views adds it, as the link by
   * which one is shared. The value is the views as they travel; return other objects for those that are told differently. What fails
   * here is left out.
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
   * After rows that were deleted were deleted for good, with at most 500 keys. Whatever else is kept of them goes now. Called again for
   * the same keys where the server was cut off. A row that was added since under the key of one of them is not named. The same once the log
   * keeps a deletion no longer, so that nothing brings its rows back, except in databases of others, whose other programs may. See
   * `followRows`.
   */
  'rows.didPurge': DidSpec<{ readonly tableId: string; readonly keys: readonly RowKey[] }>;
  /**
   * After a deleted table was dropped for good, or taken out of its project with its database. Whatever else is kept of it and of its rows goes
   * now. Called again where the server was cut off.
   */
  'tables.didPurge': DidSpec<{ readonly projectId: string; readonly tableId: string }>;
  /** After a project was made; `principal` is its owner. */
  'projects.didCreate': DidSpec<{ readonly project: ProjectSchema; readonly principal: Principal }>;
  /** After a project was parked. */
  'projects.didDelete': DidSpec<{ readonly projectId: string }>;
  /** After a deleted project was removed for good, with its tables: nothing brings it back. */
  'projects.didPurge': DidSpec<{ readonly projectId: string }>;
  /**
   * Before a file is kept. The value says where it goes; return `{ ...value, place }` to have it kept there. A handler that breaks or is late
   * refuses the file: it goes to no other place than the one that was meant.
   */
  'files.willPut': WaterfallSpec<FilePlacement, FileFacts>;
  /**
   * Before a mail is sent, or its way out is tried. The value says by which adapter; return `{ ...value, by }` to have another one send it.
   * A handler that breaks or is late keeps the mail back; what `Letters` sends is tried again later.
   */
  'mail.willSend': WaterfallSpec<MailChoice, { readonly what: 'send' | 'verify' }>;
  /** After an account was disabled. Its credentials are good for nothing already; sessions end here. */
  'accounts.didDisable': DidSpec<{ readonly accountId: string }>;
  /** After an administrator took away how somebody proves who they are. Sessions and half-done sign-ins end here. */
  'accounts.didReset': DidSpec<{ readonly accountId: string }>;
  /** After an account was deleted: plugins forget what they keep of it. */
  'accounts.didDelete': DidSpec<{ readonly accountId: string }>;
  /** Before a plugin is enabled, at the server's start too. */
  'plugins.willEnable': BailSpec<{ readonly id: string }, never>;
  /** Before a plugin is switched off; once for each that goes with it. */
  'plugins.willDisable': BailSpec<{ readonly id: string }, never>;
  /** After a plugin's state changed, or its settings as far as pages know them. `state` is a `PluginState`. */
  'plugins.didChange': DidSpec<{ readonly id: string; readonly state: string; readonly generation: number }>;
}

/** The server's hooks by id. A plugin that makes one of its own (`ctx.hooks.define`) adds it by declaration merging. @public */
export interface ServerHooks extends HostServerHooks {}

/** Who writes to which table. @public */
export interface RowHookContext {
  readonly scope: AccessScope;
  readonly table: TableSchema;
  /** `api` for calls, `undo` for what takes a write back. */
  readonly origin: string;
}
