import type { SettingsSchema } from '@trellis/core';
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
}

/** What `parse` made of an input; `message` ends a sentence that begins with the column's title: "must be a date". @public */
export type ParseResult<Value> =
  { readonly ok: true; readonly value: Value | null } | { readonly ok: false; readonly message: string };

/** One line of the fixture that the conformance suite runs on every database. @public */
export interface ColumnTypeExample {
  readonly input: unknown;
  /** The cell as the API gives it back after storing `input`. */
  readonly value: CellValue;
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
  /** Ids of filter operators that the filter panel offers, best first. The API accepts every operator. */
  readonly operators: readonly string[];
  readonly options?: { readonly schema: SettingsSchema; readonly defaults: Options };
  /** Where the type picker lists it; types of one family stand together. */
  readonly order?: number;
  /** False for types that a person cannot pick (keys, foreign keys). Default true. */
  readonly creatable?: boolean;
  /** False when cells are never written by people. Default true. */
  readonly editable?: boolean;
  /** Reads what a client sent or a person pasted. Text, numbers and null always arrive here; it must not throw. */
  parse(input: unknown, column: ColumnContext<Options>): ParseResult<Value>;
  /** The sentence that says why a parsed value is refused, or undefined. */
  validate?(value: Value, column: ColumnContext<Options>): string | undefined;
  /** The text that people see, copy and export. `parse(format(v))` gives `v` back. */
  format(value: Value | null, column: ColumnContext<Options>): string;
  /** How well these texts of an import fit, from 0 (not at all) to 1. */
  guess?(samples: readonly string[]): number;
  readonly examples: readonly ColumnTypeExample[];
  /** Inputs that the suite expects to be refused. */
  readonly invalid?: readonly unknown[];
  /** Width of a new column in pixels. Default 180. */
  readonly width?: number;
}

/** Names a column type and infers its value and options. @public */
export function defineColumnType<Value extends CellValue, Options = Record<string, unknown>>(
  definition: ColumnTypeDefinition<Value, Options>,
): ColumnTypeDefinition<Value, Options> {
  return definition;
}
