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

/** Where a virtual column stands whose options are about to be kept. @public */
export interface VirtualColumnPlace {
  /** Of whoever makes or changes the column. */
  readonly scope: AccessScope;
  readonly snapshot: ProjectSnapshot;
  readonly table: TableSchema;
  /** The column as it is so far; undefined for one that is yet to be made. */
  readonly column: ColumnSchema | undefined;
  /**
   * Whether the column comes from a backup. What its options name beside tables and columns is not in the new project: the type leaves that
   * out where it can, instead of refusing the column.
   */
  readonly isRestored: boolean;
  /**
   * The kind of the values of a column, of this table or another, whether a cell has one or several; undefined where it is computed and
   * cannot be.
   */
  kindOf(column: ColumnSchema): StorageKind | undefined;
}

/** Cells that are made of the rows which a link of their table leads to. @public */
export interface LinkedCells {
  /** See `TableSchema.links`. */
  readonly linkId: string;
  /**
   * The column of the linked table whose values make the cell: a list, or one value where the link leads to one row at the most.
   * Without it a cell holds the linked rows themselves, each with its key and the column that names it.
   */
  readonly columnId?: string;
}

/** A value that is about to be written to a cell. @public */
export interface CellWrite {
  readonly value: CellValue;
  /**
   * What the cell holds so far, and in a copy of a row what that row holds; read when it is asked for. Null in another new row, where the
   * caller may not see the cell, and for a change of all rows that meet a condition.
   */
  former(): Promise<CellValue>;
}

/** What a type says of a write: the value as it is kept, or the end of a sentence that begins with the column's title. @public */
export type Admission = { readonly value: CellValue } | { readonly refused: string };

/** Who writes into which column. @public */
export interface ColumnWrite {
  readonly scope: AccessScope;
  readonly table: TableSchema;
  readonly column: ColumnContext;
}

/** Where values go that a column takes over from another type. @public */
export interface ColumnAdoption {
  readonly projectId: string;
  /** Who changes the column. */
  readonly principalId: string;
  readonly column: ColumnContext;
  /** True while the change is only looked at: it may never come. */
  readonly isTrial: boolean;
}

/** What becomes of a value that a column takes over; `lost` when it says less than before. @public */
export interface Adoption {
  readonly value: CellValue;
  readonly lost: boolean;
}

/** A file of a cell, as a backup takes it along. @public */
export interface CellFile {
  /** Names it among the files of its project: letters, digits, `_` and `-`. */
  readonly id: string;
  /** As its sender called it. */
  readonly name: string;
  /** The bytes, wherever they are kept by the time of the call; undefined where they are gone. */
  read(signal: AbortSignal): Promise<Readable | undefined>;
}

/** A file of a backup that is to become one of a cell. @public */
export interface NewCellFile {
  readonly name: string;
  readonly content: Readable;
  readonly signal: AbortSignal;
}

/** How the files of cells go into backups of their project, and come back into another one. @public */
export interface CellFiles {
  /** The ids of the files that a cell names, of whatever project. It must not throw. */
  idsOf(value: CellValue): readonly string[];
  /** Those of the files that the project has, in any order. */
  find(ids: readonly string[], projectId: string): Promise<readonly CellFile[]>;
  /** Keeps a file for cells of a table and gives its id; what comes into no row within a day is removed. */
  keep(file: NewCellFile, place: Pick<ColumnWrite, 'scope' | 'table'>): Promise<string>;
  /** The cell with other files in place of some: new ids by those that it has. Files that are not named stay as they are. */
  replaced(value: CellValue, ids: ReadonlyMap<string, string>): CellValue;
}

/** Values of a column that are others from now on, as what is computed from the column sees it. @public */
export interface MovedTexts {
  /** The column, and those whose cells show its values over a link. */
  readonly columnIds: ReadonlySet<string>;
  /** Those, and all that are computed from them, near and far. */
  readonly reachedIds: ReadonlySet<string>;
  /** What becomes of a text that somebody wrote down; undefined for one that is no value of the column, or stays one. */
  fateOf(this: void, text: string): MovedText | undefined;
}

/** What becomes of a text that names a value which is another one now. @public */
export interface MovedText {
  /** The text in its place; undefined where the value is gone. */
  readonly to: string | undefined;
  /** Whether the text is the value to the letter. One that is it to people alone, such as in capitals, was never equal to it. */
  readonly isExact: boolean;
}

/** What becomes of options that name values which are others now. @public */
export interface MovedOptions {
  /** The options that name the new values; undefined where nothing can follow. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Whether they still name a former value, in a way in which nobody but their author can tell what is meant. */
  readonly remains: boolean;
}

/** Where columns stand of whose values somebody asks. @public */
export interface AskedReach {
  readonly snapshot: ProjectSnapshot;
  readonly types: Pick<RegistryView<ServerColumnType>, 'get'>;
}

/** What a type looks into that says what the values of a column are. @public */
export interface AskedPlace extends AskedReach {
  /** The same of another column, for types that show its values; a stored one is asked as it is. */
  askedAs(this: void, column: ColumnSchema): AskedAs | undefined;
}

/** What a column type may add on the server. @public */
export interface ColumnTypeServerPart {
  /** A native type out of the dialect's closed list, when the storage kind's default does not fit. */
  nativeType?(dialect: string): string | undefined;
  /** Between the wire value and the storage kind's own value. */
  toStorage?(value: CellValue): CellValue;
  fromStorage?(value: CellValue): CellValue;
  /**
   * What the value of a filter means for whoever reads: "me" becomes the reader's own value. The operator says whether the value is a
   * list (`arity`), or words that are looked for (`takes`).
   */
  filterValue?(value: CellValue, reader: Principal, operator: FilterOperator): CellValue;
  /**
   * For types whose values name something beyond their row, such as people of the project or files: says of each write to a column what
   * is kept, or why it is refused; in the order of the writes. Asked before the transaction of each write and import with all of its
   * values but empty ones, once they are parsed and found valid, and before the hooks see them; not for what an undo brings back. It may
   * throw a `TrellisError` with status 400 as well.
   */
  admit?(writes: readonly CellWrite[], place: ColumnWrite): Promise<readonly Admission[]>;
  /**
   * The same for a column that gets this type: says of values that its cells held before, once they are parsed, what is kept of each; in
   * their order. People are told beforehand how many are lost. Asked outside of transactions on our own databases, in parts, again for
   * what is written meanwhile, and after a restart too.
   */
  adopt?(values: readonly CellValue[], place: ColumnAdoption): Promise<readonly Adoption[]>;
  /**
   * What people should know before a column of this type gets another one, beside what becomes of its values: told by a trial of the
   * change, as an error that nobody throws.
   */
  leaving?(column: ColumnSchema): TrellisError | undefined;
  /** For types whose cells name files that this server keeps: how they get into backups. */
  readonly files?: CellFiles;
  /**
   * For types whose columns are not in the database: what a cell is computed from. The tree may name other columns of the
   * table, computed ones too, and reach along its links. It must be the same for the same column and snapshot, and must not
   * throw. A column that depends on itself is refused when it is made. Undefined where what it is computed from is gone: rows are
   * then without the column.
   */
  compute?(column: ColumnSchema, snapshot: ProjectSnapshot): Expression | undefined;
  /**
   * For types whose columns are not in the database: what the values of a column are to whoever asks for them. People are then offered the
   * comparisons and the editor of that type, what they compare with is read by it, and days stand on calendars. Asked often, so it must be
   * cheap; it must not throw. Undefined where nobody knows: the column is then asked as its own type says.
   */
  askedAs?(column: ColumnSchema, place: AskedPlace): AskedAs | undefined;
  /**
   * For types whose storage is `virtual`: called before their options are kept, with the table at hand, and gives what is kept:
   * titles become ids here. Throws a `TrellisError` with status 400 that says what is wrong.
   */
  resolveOptions?(
    meta: Readonly<Record<string, unknown>>,
    place: VirtualColumnPlace,
  ): Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
  /**
   * For types whose columns are the ends of links: the link to make for a column with these options. Making it makes the columns at
   * both ends; they have this type, and name their link in `linkId`. Throws as `resolveOptions` does.
   */
  link?(meta: Readonly<Record<string, unknown>>): LinkInput;
  /**
   * For the same types: what changed options say of what the database does with linked rows; undefined where they say nothing of it.
   * `resolveOptions` is then called as well. Throws as `resolveOptions` does.
   */
  linkActions?(meta: Readonly<Record<string, unknown>>): Pick<LinkInput, 'onDelete' | 'onUpdate'> | undefined;
  /**
   * For types whose cells are made of linked rows, read once for each page: where they come from. Such a column may have a `compute`
   * beside it, by which it is filtered, sorted and grouped. Undefined where what they come from is gone, and for columns that are
   * computed alone. It must not throw.
   */
  linked?(column: ColumnSchema, snapshot: ProjectSnapshot): LinkedCells | undefined;
  /** For computed types: the options from when `deleted`, which the column is computed from, is gone. Undefined: as they are. */
  optionsWithout?(column: ColumnSchema, deleted: ColumnSchema): Readonly<Record<string, unknown>> | undefined;
  /**
   * For computed types: what becomes of the options once values of a column that the cells are computed from are others, such as an option
   * of a list that was renamed. Called to tell people beforehand, and before the change is saved; it must be quick. Undefined where they
   * name no such value.
   */
  optionsMoved?(column: ColumnSchema, moved: MovedTexts): MovedOptions | undefined;
  /**
   * The options for a column that had another type and takes its values over, where nobody chose any. It is given the different
   * texts of the values. Undefined where they make no good options.
   *
   * @param former the options that the column has, where others are to be taken over from its database: those that stay are kept
   */
  optionsOfTexts?(
    texts: readonly string[],
    former?: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | undefined;
  /**
   * The type's options as clients of the v1 API read them, under `colOptions`; they stand in `meta` as well. The table is as the
   * caller may know it: without the columns that are hidden, and so is the snapshot, for what lies in other tables.
   */
  toColOptions?(column: ColumnSchema, table: TableSchema, snapshot?: ProjectSnapshot): unknown;
  /**
   * The type's options as they travel under `meta`, where some of them name columns: told by the same table and snapshot, without what
   * tells of a hidden one. Without it, all of them travel.
   */
  toMeta?(
    column: ColumnSchema,
    table: TableSchema,
    snapshot?: ProjectSnapshot,
  ): Readonly<Record<string, unknown>> | undefined;
  /** What clients of the v1 API read under `dtxp` in place of a length or a precision: the quoted titles of a list of options. */
  toDtxp?(column: ColumnSchema): string;
  /** Keys of a column's body that clients of the v1 API send beside `colOptions`; `fromColOptions` is given them among the others. */
  readonly bodyKeys?: readonly string[];
  /**
   * The options that a client means by `colOptions`; they are merged into the column's `meta` and checked by the type's schema.
   * Throws a `TrellisError` with status 400 that says what is wrong.
   *
   * @param former the options that the column has; undefined for a new column
   */
  fromColOptions?(
    colOptions: unknown,
    meta: Readonly<Record<string, unknown>>,
    former?: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
}

/** A column type as the server knows it: the pure part and what the server adds. @public */
export type ServerColumnType = ColumnTypeDefinition & { readonly server?: ColumnTypeServerPart };
