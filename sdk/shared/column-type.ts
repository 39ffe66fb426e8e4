import type { SettingsSchema } from '@trellis/core';
import type { Refusal } from './refusal.ts';
import type { CellValue, StorageKind } from './storage-kind.ts';

/** What a column type is told about the column it serves. @public */
export interface ColumnContext<Options = Record<string, unknown>> {
  readonly id: string;
  readonly title: string;
  readonly required: boolean;
  /** The kind that this column really sits on: one of the type's `accepts`. */
  readonly storage: StorageKind;
  /** The type's own options: the defaults overlaid with what the column's `meta` holds. */
  readonly options: Options;
  /** What the values of a computed column are, where it says so. */
  readonly result?: ComputedResult;
}

/** A column whose values a computed column takes over: they are written by its type and options. @public */
export interface ComputedResult {
  readonly uidt: string;
  readonly storage: StorageKind;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whether a cell holds several of them. */
  readonly several?: boolean;
}

/**
 * What the values of a computed column are to whoever asks for them, in filters, figures and on calendars: values of a type whose cells
 * are stored, with the options by which these are read. Where a cell holds several, a condition asks whether one of them meets it.
 * @public
 */
export type AskedAs = ComputedResult;

/**
 * What `parse` made of an input. A refusal ends a sentence that begins with the column's title: "must be a date", "must be at most {{most}}".
 * @public
 */
export type ParseResult<Value> =
  { readonly ok: true; readonly value: Value | null } | ({ readonly ok: false } & Refusal);

/** One line of the fixture that the conformance suite runs on every database. @public */
export interface ColumnTypeExample {
  readonly input: unknown;
  /** The cell as the API gives it back after storing `input`. */
  readonly value: CellValue;
}

/**
 * How the values of a type stand on a calendar: its columns can then say when rows are, in calendars and timelines.
 * @public
 */
export interface CalendarValues<Value = CellValue, Options = Record<string, unknown>> {
  /** `day`: a value is a whole day. `time`: a moment, with a time of day. */
  readonly unit: 'day' | 'time';
  /** What stands on the calendar at a value: `2026-03-29`, or of a moment `2026-03-29T14:30:00`; undefined for what is neither. It must not throw. */
  show(value: Value, column: ColumnContext<Options>): string | undefined;
  /** The value at which that stands there; undefined where there is none. It must not throw. */
  read(shown: string, column: ColumnContext<Options>): Value | undefined;
}

/**
 * A check that a column of the type makes where its `meta.validate` is true; the API tells it as `validate`. What it refuses is
 * answered by `Validation failed : <id> (<column>)`; pages say `message` in its place.
 * @public
 */
export interface ColumnValidator<Value = CellValue> {
  /** `isEmail`. */
  readonly id: string;
  accepts(value: Value): boolean;
  /** What is wrong with what it refuses, behind the column's title: "must be an e-mail address". */
  readonly message?: string;
  /** True where it refuses good values as well, such as the numbers of landlines: forms ask it only where the column does. */
  readonly isNarrow?: boolean;
}

/** What changed options make of the values that stand in the rows. @public */
export interface ValueConversion<Value = CellValue> {
  /** The value as it is from now on; where something of it is lost, whoever changes the column is asked first. */
  convert(value: Value): { readonly value: Value | null; readonly lost: boolean };
}

/**
 * The pure part of a column type, imported by both halves so that the rules cannot drift.
 *
 * `Value` is the cell on the wire; `Options` what the column's options panel edits.
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
  /** The kind of columns that we create. */
  readonly storage: StorageKind;
  /** The kinds that the type may sit on in a database that already exists; includes `storage`. */
  readonly accepts: readonly StorageKind[];
  /** The type that takes the column over on uninstall or conversion; the chain ends in `columns-basic`. */
  readonly fallback: string;
  /**
   * Ids of filter operators that the filter panel offers, best first; `null` and `empty` are offered as `blank`, which finds what either of
   * them does. The API accepts every operator.
   */
  readonly operators: readonly string[];
  readonly options?: { readonly schema: SettingsSchema; readonly defaults: Options };
  /** Why these options are refused, as a whole sentence, where a schema cannot say it; undefined when they are good. */
  checkOptions?(options: Options): Refusal | undefined;
  /**
   * What becomes of values when the options change: one renamed, one taken away. Undefined when every value stays.
   */
  convertOptions?(before: Options, after: Options): ValueConversion<Value> | undefined;
  /** Where the type picker lists it; types of one family stand together. */
  readonly order?: number;
  /** False for types that a person cannot pick (keys, foreign keys). Default true. */
  readonly creatable?: boolean;
  /** False for a type whose columns have no default value. Default true, but for JSON, which databases keep no default values of. */
  readonly takesDefault?: boolean;
  /**
   * True when the stored text is another one than `format` gives, such as JSON: a change of the column's type then converts the values even
   * where the database could keep them as they are.
   */
  readonly storesOwnText?: boolean;
  /**
   * True when cells hold nothing but what `parse` makes of a text: values of another type are then parsed when a column becomes one of
   * this type, even where the database could keep them as they are, and those that are refused are told as lost.
   */
  readonly storesParsed?: boolean;
  /**
   * What the values are, however a column writes them. A change of the type converts values of the same sort, and not their texts: `$12.50`
   * becomes 12.5, and a day stays the same one where the other column writes the month first.
   *
   * `number`: `parse` reads numbers. `time`: `parse` reads days and moments in ISO form, such as `2026-03-29T14:30:00`.
   */
  readonly holds?: 'number' | 'time';
  /**
   * For types of whose values many rows share each, so that views stack rows by them, let rows stand together by them, or colour them. A
   * cell holds one text.
   *
   * `options`: the columns list the texts in `meta.options`, each as `{ id, title, color }` with a colour such as `#2d6fdb` or none; there
   * is a stack for each of them, and whoever may change the column adds others. `values`: the texts are those that rows have, such as
   * people; `parse` reads the one of a new stack.
   */
  readonly stacks?: 'options' | 'values';
  /** False for a type whose cells say nothing to sort or group rows by, such as buttons. Default true. */
  readonly hasOrder?: boolean;
  /** False when cells are never written by people. Default true. */
  readonly editable?: boolean;
  /**
   * The cells hold the moment at which their row was made, or at which it was last changed. The server and the database set it;
   * what clients send is passed over. Such a type stores a `datetime` and is not `editable`.
   */
  readonly stamp?: 'created' | 'changed';
  /**
   * The cells hold the e-mail address of whoever made their row, or changed it last, and nothing where that was nobody with an account.
   * The server sets it; what clients send is passed over. Such a type stores a `string` and is not `editable`.
   */
  readonly author?: 'created' | 'changed';
  /**
   * The server numbers the rows in the cells, in the order in which they are added, and gives no number twice; what clients send is
   * passed over. Such a type stores an `integer` and is not `editable`. A table has one column that numbers its rows.
   */
  readonly numbersRows?: boolean;
  /**
   * True when cells name people of the project, by their names or addresses: whoever came by a link sees nothing of them, nor of what is
   * computed from them.
   */
  readonly namesPeople?: boolean;
  /** True when cells are written by calls that take an account, such as uploads: strangers who fill in rows are not asked for them. */
  readonly needsAccount?: boolean;
  /** Reads what a client sent or a person pasted. Text, numbers and null always arrive here; it must not throw. */
  parse(input: unknown, column: ColumnContext<Options>): ParseResult<Value>;
  /**
   * For types whose texts may mean two things alone, and one beside others: given the texts of one column of what is pasted, it gives how
   * each is written for `parse`. Undefined: as they are.
   */
  readTogether?(texts: readonly string[]): ((text: string) => string) | undefined;
  /** Why a parsed value is refused, as `parse` says it, or undefined. */
  validate?(value: Value, column: ColumnContext<Options>): Refusal | undefined;
  /** Checks that a column makes only where a person asked for them. */
  readonly validators?: readonly ColumnValidator<Value>[];
  /** The text that people see, copy and export. `parse(format(v))` gives `v` back. */
  format(value: Value | null, column: ColumnContext<Options>): string;
  /** For types whose cells are lists, kept as one text: what stands between the items. Filters then ask of each item. */
  readonly separator?: string;
  /**
   * For types whose cells hold texts of a list: the list, in the order in which rows are sorted and grouped. Cells with `separator` go by
   * their first item; what is not in the list comes behind it. Undefined or empty: all go by their letters. It must not throw.
   */
  valuesInOrder?(options: Options): readonly string[] | undefined;
  /** What a number of the type is in formulas, where that is not what cells show: `60 for 60 %`. English; whoever shows it translates it. */
  readonly inFormulas?: string;
  /** How spreadsheets show the numbers of the type; undefined: as they are. It must not throw. */
  sheetNumber?(value: Value, column: ColumnContext<Options>): SheetNumber;
  /** For types of days and moments. Only their columns are offered where rows stand on days. */
  readonly calendar?: CalendarValues<Value, Options>;
  /** How well these texts of an import fit, from 0 (not at all) to 1. */
  guess?(samples: readonly string[]): number;
  readonly examples: readonly ColumnTypeExample[];
  /** Inputs that the suite expects to be refused. */
  readonly invalid?: readonly unknown[];
  /** How many pixels wide a grid shows a column of the type until somebody chooses another width for it. Default 180. */
  readonly width?: number;
}

/** A number of a spreadsheet. @public */
export interface SheetNumber {
  /** As Office Open XML writes formats of numbers, such as `0%`. */
  readonly format: string;
  /** By how many digits the decimal point stands further left there: 2 for hundredths that the format multiplies again. Default 0. */
  readonly shift?: number;
}

/** Whether nobody writes the cells of a type but the server and the database. @public */
export function isFilled(type: Pick<ColumnTypeDefinition, 'stamp' | 'author' | 'numbersRows'>): boolean {
  return type.stamp !== undefined || type.author !== undefined || type.numbersRows === true;
}

/**
 * Whether the cells of a column name people of the project, and so are nothing for whoever came by a link. Those of a type that is not there may:
 * what its cells are is known only while its plugin is on.
 * @public
 */
export function mayNamePeople(type: Pick<ColumnTypeDefinition, 'namesPeople'> | undefined): boolean {
  return type === undefined || type.namesPeople === true;
}

/** The validator that a column asks for and that this value does not pass; undefined when it passes all. @public */
export function failedValidator<Value extends CellValue>(
  type: Pick<ColumnTypeDefinition<Value>, 'validators'>,
  value: Value,
  column: { readonly options: Readonly<Record<string, unknown>> },
): ColumnValidator<Value> | undefined {
  if (type.validators === undefined || column.options.validate !== true) return undefined;
  return type.validators.find((validator) => !validator.accepts(value));
}

/** The same options as an object type: an interface has no index signature, so that registries would not take it. @public */
export type PlainOptions<Options> = { [Key in keyof Options]: Options[Key] };

/** Names a column type and infers its value and options. @public */
export function defineColumnType<Value extends CellValue, Options = Record<string, unknown>>(
  definition: ColumnTypeDefinition<Value, Options>,
): ColumnTypeDefinition<Value, PlainOptions<Options>> {
  return definition;
}
