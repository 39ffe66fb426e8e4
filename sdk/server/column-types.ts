import type { Readable } from 'node:stream';
import type {
  AskedAs,
  CellValue,
  ColumnContext,
  ColumnTypeDefinition,
  Expression,
  FilterOperator,
  RegistryView,
  StorageKind,
  TrellisError,
} from '../shared/index.ts';
import type { AccessScope, Principal } from './access.ts';
import type { ColumnSchema, ProjectSnapshot, TableSchema } from './schema.ts';
import type { LinkInput } from './schema-store.ts';

/** The context in which the options of a virtual column are about to be saved. @public */
export interface VirtualColumnPlace {
  /** The scope of the caller who makes or changes the column. */
  readonly scope: AccessScope;
  readonly snapshot: ProjectSnapshot;
  readonly table: TableSchema;
  /** The column as it is now; undefined for a new one. */
  readonly column: ColumnSchema | undefined;
  /**
   * Whether the column comes from a backup. Objects that its options name, other than tables and columns, do not exist in the new
   * project: the type leaves them out if it can, instead of refusing the column.
   */
  readonly isRestored: boolean;
  /**
   * The kind of a column's values, in this table or another, whether a cell has one or several; undefined if the column cannot be
   * computed.
   */
  kindOf(column: ColumnSchema): StorageKind | undefined;
}

/** Cells made from the rows that a link of their table leads to. @public */
export interface LinkedCells {
  /** See `TableSchema.links`. */
  readonly linkId: string;
  /**
   * The column of the linked table whose values make up the cell: a list, or one value for a to-one link. Without it a cell holds
   * the linked rows themselves, each with its key and its display column.
   */
  readonly columnId?: string;
}

/** A value that is about to be written to a cell. @public */
export interface CellWrite {
  readonly value: CellValue;
  /**
   * Reads the present value of the cell, or for a copy of a row the value in that row. Null in any other new row, if the caller
   * may not see the cell, and for a change of all rows that meet a condition.
   */
  former(): Promise<CellValue>;
}

/** The answer of a type to a write: the value to store, or the end of a sentence that begins with the column's title. @public */
export type Admission = { readonly value: CellValue } | { readonly refused: string };

/** The caller and the column of a write. @public */
export interface ColumnWrite {
  readonly scope: AccessScope;
  readonly table: TableSchema;
  readonly column: ColumnContext;
}

/** The column that takes over values from another type. @public */
export interface ColumnAdoption {
  readonly projectId: string;
  /** The account that changes the column. */
  readonly principalId: string;
  readonly column: ColumnContext;
  /** True during a trial, after which the change may never be made. */
  readonly isTrial: boolean;
}

/** The new form of a value that a column takes over; `lost` when it says less than before. @public */
export interface Adoption {
  readonly value: CellValue;
  readonly lost: boolean;
}

/** A file of a cell, for a backup. @public */
export interface CellFile {
  /** Its id among the files of its project: letters, digits, `_` and `-`. */
  readonly id: string;
  /** The name given by its sender. */
  readonly name: string;
  /** The bytes, read from wherever they are at the time of the call; undefined if they are gone. */
  read(signal: AbortSignal): Promise<Readable | undefined>;
}

/** A file from a backup that becomes a file of a cell. @public */
export interface NewCellFile {
  readonly name: string;
  readonly content: Readable;
  readonly signal: AbortSignal;
}

/** How files of cells are saved in backups of their project, and restored into another one. @public */
export interface CellFiles {
  /** The ids of the files that a cell names, in whatever project. It must not throw. */
  idsOf(value: CellValue): readonly string[];
  /** Those of the files that belong to the project, in any order. */
  find(ids: readonly string[], projectId: string): Promise<readonly CellFile[]>;
  /** Stores a file for cells of a table and returns its id; a file that is in no row after a day is removed. */
  keep(file: NewCellFile, place: Pick<ColumnWrite, 'scope' | 'table'>): Promise<string>;
  /** The cell with some files replaced: new ids by old ones. Files that are not named stay. */
  replaced(value: CellValue, ids: ReadonlyMap<string, string>): CellValue;
}

/** Changed values of a column, for the types of columns computed from it. @public */
export interface MovedTexts {
  /** The column, and columns whose cells show its values over a link. */
  readonly columnIds: ReadonlySet<string>;
  /** These columns, and all that are computed from them, directly or not. */
  readonly reachedIds: ReadonlySet<string>;
  /** The outcome for a text in the options; undefined for a text that is no value of the column, or is unchanged. */
  fateOf(this: void, text: string): MovedText | undefined;
}

/** The outcome for a text that names a changed value. @public */
export interface MovedText {
  /** The replacement; undefined if the value no longer exists. */
  readonly to: string | undefined;
  /** Whether the text equals the value exactly. A text that only people take for the value, such as one in capitals, never matched it. */
  readonly isExact: boolean;
}

/** The outcome for options that name changed values. @public */
export interface MovedOptions {
  /** The options with the new values; undefined if they cannot be updated. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Whether they still name a former value in a way that only their author can resolve. */
  readonly remains: boolean;
}

/** The context of a question about a column's values. @public */
export interface AskedReach {
  readonly snapshot: ProjectSnapshot;
  readonly types: Pick<RegistryView<ServerColumnType>, 'get'>;
}

/** The context for a type that tells how the values of a column are treated. @public */
export interface AskedPlace extends AskedReach {
  /** How the values of another column are treated, for types that show them; a stored column by its own type. */
  askedAs(this: void, column: ColumnSchema): AskedAs | undefined;
}

/** The server's part of a column type. @public */
export interface ColumnTypeServerPart {
  /** A native type from the dialect's closed list, if the default of the storage kind does not fit. */
  nativeType?(dialect: string): string | undefined;
  /** Converts the wire value to the value of the storage kind. */
  toStorage?(value: CellValue): CellValue;
  fromStorage?(value: CellValue): CellValue;
  /**
   * The value of a filter for a reader: "me" becomes the reader's own value. The operator tells whether the value is a list
   * (`arity`), or a text to search for (`takes`).
   */
  filterValue?(value: CellValue, reader: Principal, operator: FilterOperator): CellValue;
  /**
   * For types whose values refer to something beyond their row, such as people of the project or files: returns for each write to
   * a column the value to store, or why it is refused, in the order of the writes. Called before the transaction of each write
   * and import, with all non-empty values after parsing and validation, and before the hooks; not for restores by undo. It may
   * also throw a `TrellisError` with status 400.
   */
  admit?(writes: readonly CellWrite[], place: ColumnWrite): Promise<readonly Admission[]>;
  /**
   * As `admit`, for a column that gets this type: returns for each former value, after parsing, the value to store, in order.
   * People are told beforehand how many are lost. Called outside of transactions on the server's own databases, in parts, again
   * for values written meanwhile, and after a restart.
   */
  adopt?(values: readonly CellValue[], place: ColumnAdoption): Promise<readonly Adoption[]>;
  /**
   * A notice for people before a column of this type gets another one, in addition to the effects on its values. A trial of the
   * change reports it like an error, but it is not thrown.
   */
  leaving?(column: ColumnSchema): TrellisError | undefined;
  /** For types whose cells name files on this server: how these get into backups. */
  readonly files?: CellFiles;
  /**
   * For types whose columns are not in the database: the expression for a cell. The tree may name other columns of the table,
   * including computed ones, and reach along its links. It must be the same for the same column and snapshot, and must not throw.
   * A column that depends on itself is refused when it is made. Undefined if its sources no longer exist: rows are then without
   * the column.
   */
  compute?(column: ColumnSchema, snapshot: ProjectSnapshot): Expression | undefined;
  /**
   * For types whose columns are not in the database: how the values of a column are treated. People are then offered the
   * comparisons and the editor of that type, values for comparisons are read by it, and days are shown on calendars. It is called
   * often, so it must be fast, and it must not throw. Undefined if unknown: then the column's own type is used.
   */
  askedAs?(column: ColumnSchema, place: AskedPlace): AskedAs | undefined;
  /**
   * For types whose storage is `virtual`: called with the table before their options are saved, and returns the options to save:
   * titles become ids here. Throws a `TrellisError` with status 400 that says what is wrong.
   */
  resolveOptions?(
    meta: Readonly<Record<string, unknown>>,
    place: VirtualColumnPlace,
  ): Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
  /**
   * For types whose columns are the ends of links: the link to make for a column with these options. Making the link makes the
   * columns at both ends; they have this type, and name their link in `linkId`. Throws as `resolveOptions` does.
   */
  link?(meta: Readonly<Record<string, unknown>>): LinkInput;
  /**
   * For the same types: the changes of options that concern the foreign key's actions; undefined if there are none.
   * `resolveOptions` is called as well. Throws as `resolveOptions` does.
   */
  linkActions?(meta: Readonly<Record<string, unknown>>): Pick<LinkInput, 'onDelete' | 'onUpdate'> | undefined;
  /**
   * For types whose cells are made from linked rows, which are read once for each page: their source. Such a column may also have
   * a `compute`, by which it is filtered, sorted and grouped. Undefined if the source no longer exists, and for columns that are
   * only computed. It must not throw.
   */
  linked?(column: ColumnSchema, snapshot: ProjectSnapshot): LinkedCells | undefined;
  /** For computed types: the options after `deleted`, from which the column is computed, is gone. Undefined leaves them unchanged. */
  optionsWithout?(column: ColumnSchema, deleted: ColumnSchema): Readonly<Record<string, unknown>> | undefined;
  /**
   * For computed types: the options after values of a source column have changed, such as a renamed option. Called to inform
   * people beforehand, and before the change is saved; it must be quick. Undefined if they name no such value.
   */
  optionsMoved?(column: ColumnSchema, moved: MovedTexts): MovedOptions | undefined;
  /**
   * The options for a column that takes over values from another type, when nobody chose any. It gets the different texts of the
   * values. Undefined if they make no good options.
   *
   * @param former the present options, when options are taken over from the column's database: those that remain are kept
   */
  optionsOfTexts?(
    texts: readonly string[],
    former?: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | undefined;
  /**
   * The type's options in the form of the v1 API, under `colOptions`; they are in `meta` as well. The table and the snapshot (for
   * parts in other tables) are as the caller may see them, without hidden columns.
   */
  toColOptions?(column: ColumnSchema, table: TableSchema, snapshot?: ProjectSnapshot): unknown;
  /**
   * The type's options in `meta` on the wire, for types whose options name columns: without parts that reveal a hidden one, given
   * the same table and snapshot. By default all are sent.
   */
  toMeta?(
    column: ColumnSchema,
    table: TableSchema,
    snapshot?: ProjectSnapshot,
  ): Readonly<Record<string, unknown>> | undefined;
  /** The `dtxp` for clients of the v1 API, instead of a length or a precision: the quoted titles of a list of options. */
  toDtxp?(column: ColumnSchema): string;
  /** Keys of a column's body that clients of the v1 API send beside `colOptions`; `fromColOptions` gets them too. */
  readonly bodyKeys?: readonly string[];
  /**
   * Reads the options from a client's `colOptions`; they are merged into the column's `meta` and checked by the type's schema.
   * Throws a `TrellisError` with status 400 that says what is wrong.
   *
   * @param former the present options of the column; undefined for a new column
   */
  fromColOptions?(
    colOptions: unknown,
    meta: Readonly<Record<string, unknown>>,
    former?: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
}

/** A column type on the server: the pure part and the server's part. @public */
export type ServerColumnType = ColumnTypeDefinition & { readonly server?: ColumnTypeServerPart };
