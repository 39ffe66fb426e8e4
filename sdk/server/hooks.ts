import type { BailSpec, DidSpec, WaterfallSpec } from '../shared/index.ts';
import type { AccessScope, Principal } from './access.ts';
import type { Change } from './changes.ts';
import type { ProjectSchema, TableSchema } from './schema.ts';
import type { ColumnInput, RecordInput, TableInput } from './stores.ts';

/**
 * The server's hooks. `will` hooks run before and may change or refuse (`Veto`); `did` hooks run after the commit and are
 * always contained. Plugins add theirs by declaration merging.
 * @public
 */
export interface ServerHooks {
  /**
   * Before rows are inserted, after parsing; also before deleted rows are put back (`origin` is `undo`). The value is the rows,
   * frozen; keys are column titles. Return other objects to have other values written, as many as there were.
   *
   * The `records.will` hooks decide and do not act: a write may still fail or be tried again, and then they are called again.
   * Those that know their rows only after locking them (a question, the values of a bulk delete) call inside the transaction.
   */
  'records.willCreate': WaterfallSpec<readonly RecordInput[], RecordHookContext>;
  /** Before rows are changed. The value is the changes, one entry per row key. */
  'records.willUpdate': WaterfallSpec<
    readonly { readonly key: string; readonly values: RecordInput }[],
    RecordHookContext
  >;
  /** Before rows are deleted. The value is the keys. */
  'records.willDelete': WaterfallSpec<readonly string[], RecordHookContext>;
  /** After rows changed and the change is durable. */
  'records.didChange': DidSpec<{ readonly changes: readonly Change[]; readonly table: TableSchema }>;
  /** Before a table is made. */
  'tables.willCreate': WaterfallSpec<TableInput, { readonly scope: AccessScope }>;
  'tables.willDelete': BailSpec<{ readonly scope: AccessScope; readonly table: TableSchema }, never>;
  /** Before a column is made or changed. */
  'columns.willCreate': WaterfallSpec<
    ColumnInput,
    { readonly scope: AccessScope; readonly table: TableSchema }
  >;
  'columns.willDelete': BailSpec<
    { readonly scope: AccessScope; readonly table: TableSchema; readonly columnId: string },
    never
  >;
  /** After tables, columns or views of a project changed. */
  'schema.didChange': DidSpec<{
    readonly projectId: string;
    readonly tableId: string | undefined;
    readonly viewId: string | undefined;
    readonly generation: number;
    readonly requestId: string;
  }>;
  'projects.didCreate': DidSpec<{ readonly project: ProjectSchema; readonly principal: Principal }>;
  'projects.didDelete': DidSpec<{ readonly projectId: string }>;
  'plugins.willEnable': BailSpec<{ readonly id: string }, never>;
  'plugins.willDisable': BailSpec<{ readonly id: string }, never>;
  'plugins.didChange': DidSpec<{ readonly id: string; readonly state: string; readonly generation: number }>;
}

/** @public */
export interface RecordHookContext {
  readonly scope: AccessScope;
  readonly table: TableSchema;
  readonly origin: string;
}
