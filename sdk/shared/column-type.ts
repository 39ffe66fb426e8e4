import type { SettingsSchema } from '@trellis/core';
import type { Refusal } from './refusal.ts';
import type { CellValue, StorageKind } from './storage-kind.ts';

/** The facts about a column that its type gets. @public */
export interface ColumnContext<Options = Record<string, unknown>> {
  readonly id: string;
  readonly title: string;
  readonly required: boolean;
  /** The kind in which this column is stored: one of the type's `accepts`. */
  readonly storage: StorageKind;
  /** The type's own options: the defaults, overridden by the column's `meta`. */
  readonly options: Options;
  /** The type and options of a computed column's values, if known. */
  readonly result?: ComputedResult;
}

/** The column type and options by which the values of a computed column are formatted. @public */
export interface ComputedResult {
  readonly uidt: string;
  readonly storage: StorageKind;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whether a cell holds several values. */
  readonly several?: boolean;
}

/**
 * How the values of a computed column are treated in filters, figures and calendars: as values of a stored column type, with the
 * options for reading them. If a cell holds several values, a condition is met when one of them meets it.
 * @public
 */
export type AskedAs = ComputedResult;

/**
 * The result of `parse`. A refusal ends a sentence that begins with the column's title: "must be a date", "must be at most
 * {{most}}".
 * @public
 */
export type ParseResult<Value> =
  { readonly ok: true; readonly value: Value | null } | ({ readonly ok: false } & Refusal);

/** One line of the fixture that the conformance suite runs on every database. @public */
export interface ColumnTypeExample {
  readonly input: unknown;
  /** The cell as the API returns it after storing `input`. */
  readonly value: CellValue;
}

/**
 * How values of a type are placed on a calendar. Columns of the type can then give the dates of rows in calendars and timelines.
 * @public
 */
export interface CalendarValues<Value = CellValue, Options = Record<string, unknown>> {
  /** `day`: a value is a whole day. `time`: a moment, with a time of day. */
  readonly unit: 'day' | 'time';
  /**
   * The place of a value on the calendar: `2026-03-29`, or for a moment `2026-03-29T14:30:00`; undefined for a value that is
   * neither. It must not throw.
   */
  show(value: Value, column: ColumnContext<Options>): string | undefined;
  /** The value for a place on the calendar; undefined if there is none. It must not throw. */
  read(shown: string, column: ColumnContext<Options>): Value | undefined;
}

/**
 * A check that columns of the type make if their `meta.validate` is true; the API lists it as `validate`. A refused value is
 * answered by `Validation failed : <id> (<column>)`; pages show `message` instead.
 * @public
 */
export interface ColumnValidator<Value = CellValue> {
  /** The id in the API, such as `isEmail`. */
  readonly id: string;
  accepts(value: Value): boolean;
  /** The problem with a refused value, to be read after the column's title: "must be an e-mail address". */
  readonly message?: string;
  /** True if it also refuses some valid values, such as numbers of landlines: forms check it only if the column does. */
  readonly isNarrow?: boolean;
}

/** How changed options convert the values of existing rows. @public */
export interface ValueConversion<Value = CellValue> {
  /** The value after the change. If part of it is `lost`, the person who changes the column is asked first. */
  convert(value: Value): { readonly value: Value | null; readonly lost: boolean };
}

/**
 * The pure part of a column type, imported by both halves so that the rules cannot drift.
 *
 * `Value` is the cell on the wire; `Options` are edited in the column's options panel.
 * @public
 */
export interface ColumnTypeDefinition<
  Value extends CellValue = CellValue,
  Options = Record<string, unknown>,
> {
  /** Stored in the database as the column's `uidt`, so it never changes: `Rating`, `SingleLineText`. */
  readonly id: string;
  readonly label: string;
  /** A primeicons name without the `pi-` prefix. */
  readonly icon: string;
  /** One sentence for the type picker. */
  readonly description?: string;
  /** The kind of columns that this product creates. */
  readonly storage: StorageKind;
  /** The kinds that the type supports in existing databases; includes `storage`. */
  readonly accepts: readonly StorageKind[];
  /** The type that takes over its columns on uninstall or conversion; the chain ends in `columns-basic`. */
  readonly fallback: string;
  /**
   * Ids of filter operators that the filter panel offers, best first. `null` and `empty` are offered together as `blank`, which
   * finds the cells that either finds. The API accepts every operator.
   */
  readonly operators: readonly string[];
  readonly options?: { readonly schema: SettingsSchema; readonly defaults: Options };
  /** Why these options are refused, as a whole sentence, for rules that a schema cannot express; undefined when they are valid. */
  checkOptions?(options: Options): Refusal | undefined;
  /** How values change when the options change, for example when an option is renamed or removed. Undefined when every value stays. */
  convertOptions?(before: Options, after: Options): ValueConversion<Value> | undefined;
  /** Its place in the type picker; types of one family are listed together. */
  readonly order?: number;
  /** False for types that people cannot choose (keys, foreign keys). Default true. */
  readonly creatable?: boolean;
  /** False for a type whose columns have no default value. Default true, except for JSON, for which databases store no default values. */
  readonly takesDefault?: boolean;
  /**
   * True when the stored text differs from the result of `format`, as for JSON. A change of the column's type then converts the
   * values even if the database could keep them as they are.
   */
  readonly storesOwnText?: boolean;
  /**
   * True when cells only hold results of `parse`. When a column gets this type, values of the former type are then parsed even if
   * the database could keep them as they are, and refused values are reported as lost.
   */
  readonly storesParsed?: boolean;
  /**
   * The sort of values, independent of their format. Between types of the same sort, a change of the type converts values instead
   * of texts: `$12.50` becomes 12.5, and a day stays the same even if the other column writes the month first.
   *
   * `number`: `parse` reads numbers. `time`: `parse` reads days and moments in ISO form, such as `2026-03-29T14:30:00`.
   */
  readonly holds?: 'number' | 'time';
  /**
   * For types whose values are shared by many rows, so that views can stack, group or colour rows by them. A cell holds one text.
   *
   * `options`: the columns list the texts in `meta.options`, each as `{ id, title, color }` with a colour such as `#2d6fdb` or
   * none. Each has a stack, and people who may change the column add others. `values`: the texts are those in the rows, such as
   * people; `parse` reads the text of a new stack.
   */
  readonly stacks?: 'options' | 'values';
  /** False for a type by whose cells rows cannot be sorted or grouped, such as buttons. Default true. */
  readonly hasOrder?: boolean;
  /** False when people never write the cells. Default true. */
  readonly editable?: boolean;
  /**
   * The cells hold the time at which their row was created, or last changed. The server and the database set it; values sent by
   * clients are ignored. Such a type stores a `datetime` and is not `editable`.
   */
  readonly stamp?: 'created' | 'changed';
  /**
   * The cells hold the e-mail address of the account that created their row, or changed it last; empty if it was no account. The
   * server sets it; values sent by clients are ignored. Such a type stores a `string` and is not `editable`.
   */
  readonly author?: 'created' | 'changed';
  /**
   * The server numbers the rows in the cells, in the order in which they are added, and gives no number twice; values sent by
   * clients are ignored. Such a type stores an `integer` and is not `editable`. A table has at most one such column.
   */
  readonly numbersRows?: boolean;
  /**
   * True when cells name people of the project by name or address: visitors of a link see neither these cells nor anything
   * computed from them.
   */
  readonly namesPeople?: boolean;
  /** True when cells are written by calls that need an account, such as uploads: forms do not ask visitors for them. */
  readonly needsAccount?: boolean;
  /** Reads a value that a client sent or a person pasted. It may get any text, number or null, and must not throw. */
  parse(input: unknown, column: ColumnContext<Options>): ParseResult<Value>;
  /**
   * For types whose texts are ambiguous alone, but not together with others: given the pasted texts of one column, it returns a
   * function that rewrites each text for `parse`. Undefined: the texts stay as they are.
   */
  readTogether?(texts: readonly string[]): ((text: string) => string) | undefined;
  /** Why a parsed value is refused, in the form of a refusal by `parse`, or undefined. */
  validate?(value: Value, column: ColumnContext<Options>): Refusal | undefined;
  /** Checks that a column makes only if a person switched them on. */
  readonly validators?: readonly ColumnValidator<Value>[];
  /** The text that people see, copy and export. `parse(format(v))` gives `v` again. */
  format(value: Value | null, column: ColumnContext<Options>): string;
  /** For types whose cells are lists stored as one text: the separator of the items. Filters then test each item. */
  readonly separator?: string;
  /**
   * For types whose cells hold texts from a list: the list, in the order in which rows are sorted and grouped. Cells with
   * `separator` are ordered by their first item; values that are not in the list come after it. Undefined or empty: all are
   * ordered as texts. It must not throw.
   */
  valuesInOrder?(options: Options): readonly string[] | undefined;
  /**
   * The meaning of the type's numbers in formulas, if it differs from what cells show: `60 for 60 %`. In English, and translated
   * when it is shown.
   */
  readonly inFormulas?: string;
  /** How spreadsheets show the numbers of the type; undefined: unchanged. It must not throw. */
  sheetNumber?(value: Value, column: ColumnContext<Options>): SheetNumber;
  /** For types of days and moments. Only their columns are offered as dates of rows. */
  readonly calendar?: CalendarValues<Value, Options>;
  /** How well these texts of an import fit the type, from 0 (not at all) to 1. */
  guess?(samples: readonly string[]): number;
  readonly examples: readonly ColumnTypeExample[];
  /** Inputs that must be refused, for the conformance suite. */
  readonly invalid?: readonly unknown[];
  /** The width in pixels of a column in grids until somebody chooses another one. Default 180. */
  readonly width?: number;
}

/** A number of a spreadsheet. @public */
export interface SheetNumber {
  /** A number format of Office Open XML, such as `0%`. */
  readonly format: string;
  /** By how many digits the decimal point moves to the left: 2 for percentages, which the format multiplies by 100 again. Default 0. */
  readonly shift?: number;
}

/** Whether only the server and the database write the cells of a type. @public */
export function isFilled(type: Pick<ColumnTypeDefinition, 'stamp' | 'author' | 'numbersRows'>): boolean {
  return type.stamp !== undefined || type.author !== undefined || type.numbersRows === true;
}

/**
 * Whether the cells of a column may name people of the project, so that visitors of a link must not see them. True for a missing
 * type, since its cells are known only while its plugin is on.
 * @public
 */
export function mayNamePeople(type: Pick<ColumnTypeDefinition, 'namesPeople'> | undefined): boolean {
  return type === undefined || type.namesPeople === true;
}

/** The validator of a column that this value does not pass; undefined when it passes all. @public */
export function failedValidator<Value extends CellValue>(
  type: Pick<ColumnTypeDefinition<Value>, 'validators'>,
  value: Value,
  column: { readonly options: Readonly<Record<string, unknown>> },
): ColumnValidator<Value> | undefined {
  if (type.validators === undefined || column.options.validate !== true) return undefined;
  return type.validators.find((validator) => !validator.accepts(value));
}

/** Converts options to an object type. An interface has no index signature, so registries would not accept it. @public */
export type PlainOptions<Options> = { [Key in keyof Options]: Options[Key] };

/** Defines a column type, and infers its value and options. @public */
export function defineColumnType<Value extends CellValue, Options = Record<string, unknown>>(
  definition: ColumnTypeDefinition<Value, Options>,
): ColumnTypeDefinition<Value, PlainOptions<Options>> {
  return definition;
}
