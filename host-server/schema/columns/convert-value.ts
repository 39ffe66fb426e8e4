import {
  parseDecimal,
  type CellValue,
  type ColumnContext,
  type ParseResult,
  type StorageKind,
} from '@trellis/sdk/shared';
import type { ColumnSchema, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import type { RegistryView } from '@trellis/core';
import type { Database } from '../../databases/database.ts';
import type { Binding } from '../../sql/session.ts';
import { AdoptedValues, type Adopter } from './adopted-values.ts';
import { greatestKept } from './number-rows.ts';
import type { MovedValues } from './moved-values.ts';

/** One end of a conversion: the database column, and the type that reads or writes it. */
export interface ConversionEnd {
  readonly name: string;
  readonly storage: StorageKind;
  readonly nativeType: string;
  readonly type: string;
  readonly title: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Conversion {
  readonly from: ConversionEnd;
  readonly to: ConversionEnd;
  /** The database names of the key's columns; batches are in key order. */
  readonly key: readonly string[];
  /** Whether the name of a row consists of the texts of its key's cells. Undefined in changes that an older version began. */
  readonly isNamedByCell?: boolean;
  /** True when the new column is like the old one and takes its values as they are stored. */
  readonly isCopy?: boolean;
  /** True when the new column has its own values, and only its empty cells are filled. */
  readonly isForEmpty?: boolean;
  /** The person that changes the type, for types that are asked about values. Undefined in a change that an older version began. */
  readonly by?: Adopter;
}

/** Whether the texts in the name of a row can be compared with the cells of its key. */
export function isNamedByCell({ primaryKey }: TableSchema): boolean {
  const isComparable = ({ storage }: ColumnSchema) =>
    ['integer', 'bigint', 'string', 'text'].includes(storage);
  return primaryKey.length > 0 && primaryKey.every(isComparable);
}

/** The column as the end that values are read from. */
export function endOf(column: ColumnSchema): ConversionEnd {
  return {
    name: column.columnName,
    storage: column.storage,
    nativeType: column.nativeType,
    type: column.type,
    title: column.title,
    options: column.meta ?? {},
  };
}

/** A converted value, as stored and as people read it. */
interface ConvertedValue {
  readonly value: Binding;
  readonly text: string;
  /** True when the old value could not be converted. */
  readonly lost: boolean;
}

/** Converts stored values of one column to stored values of another. */
export interface ValueConverter {
  /** Asks the new type about values of the old column, if it wants to be asked. Called before `convert`. It may write to the database. */
  prepare(raws: readonly unknown[], options: { readonly isTrial: boolean }): Promise<void>;
  /** Whether `convert` has all answers it needs for these values. */
  isPrepared(raws: readonly unknown[]): boolean;
  convert(raw: unknown): ConvertedValue;
  /** A value of the old column as people read it. */
  textOfOld(raw: unknown): string;
  /** Whether the new column already holds the converted value, in whatever form the driver returns the two. */
  isConverted(raw: unknown, made: unknown): boolean;
}

export type ConvertValue = (conversion: Conversion, database: Database) => ValueConverter;

/**
 * Converts by text: the old type formats, the new one parses. Numbers are converted to numbers, and dates to dates, by value. An
 * empty text becomes an empty cell and is not lost. If the type stays, the type itself converts values for its new options.
 */
export function createConvertValue(
  columnTypes: RegistryView<ServerColumnType>,
  { conversionOf }: Pick<MovedValues, 'conversionOf'>,
): ConvertValue {
  return ({ from, to, isCopy, by }, database) => {
    const { types } = database.dialect;
    const reads = types.codec(from.storage, from.nativeType);
    const writes = types.codec(to.storage, to.nativeType);
    if (isCopy === true) return copier(reads, writes);
    const oldType = columnTypes.get(from.type);
    const newType = columnTypes.get(to.type);
    const context = (end: ConversionEnd, type: ServerColumnType | undefined): ColumnContext => ({
      id: '',
      title: end.title,
      required: false,
      storage: end.storage,
      options: { ...type?.options?.defaults, ...end.options },
    });
    const oldContext = context(from, oldType);
    const newContext = context(to, newType);

    const adopt = by && from.type !== to.type ? newType?.server?.adopt : undefined;
    const adopted = by && adopt && new AdoptedValues(adopt, { ...by, column: newContext });
    const moved = from.type === to.type ? conversionOf(to.type, from.options, to.options) : undefined;
    const isNumbering = newType?.numbersRows === true && from.type !== to.type;
    const chosen = from.type === to.type ? undefined : chosenOf(oldType, newType, newContext);

    function oldText(value: CellValue): string {
      if (oldType) return oldType.format(value, oldContext);
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    }

    function newText(value: CellValue): string {
      return newType ? newType.format(value, newContext) : '';
    }

    /** The text of a stored value. Databases pad decimals to their scale, so the type reads those again. */
    function storedText(raw: unknown): string {
      const text = newText(writes.fromDatabase(raw) as CellValue);
      const parsed = to.storage === 'decimal' ? newType?.parse(text, newContext) : undefined;
      return parsed?.ok === true ? newText(parsed.value) : text;
    }

    const textOfMade = (made: unknown) => (made === null || made === undefined ? '' : storedText(made));

    /** Converts between types of the same sort by value; undefined if text is the only common form. */
    function readByValue(value: CellValue): ParseResult<CellValue> | undefined {
      if (from.type === to.type || oldType?.holds === undefined || oldType.holds !== newType?.holds)
        return undefined;
      if (oldType.holds === 'number') {
        const number = parseDecimal(value);
        return number.ok ? newType.parse(number.value, newContext) : undefined;
      }
      const { calendar } = newType;
      if (oldType.calendar === undefined) return undefined;
      if (oldType.calendar.unit === calendar?.unit) return newType.parse(value, newContext);
      const shown = oldType.calendar.show(value, oldContext);
      if (shown === undefined) return undefined;
      if (calendar?.unit !== 'time') return newType.parse(shown, newContext);
      // The moment at which clocks of the new column's zone show that day.
      const moment = calendar.read(shown, newContext);
      return moment === undefined ? undefined : { ok: true, value: moment };
    }

    /** The value that the new type reads; undefined when it cannot read one. */
    function parsedOf(raw: unknown): { readonly value: CellValue; readonly lost: boolean } | undefined {
      if (raw === null || raw === undefined) return undefined;
      const stored = reads.fromDatabase(raw) as CellValue;
      const kept =
        moved === undefined || stored === null ? { value: stored, lost: false } : moved.convert(stored);
      if (kept.value === null) return kept;
      const text = oldText(kept.value);
      if (text === '' || newType === undefined) return { value: null, lost: text !== '' };
      const parsed = readByValue(kept.value) ?? newType.parse(text, newContext);
      if (!parsed.ok) return { value: null, lost: true };
      if (chosen !== undefined) return chosen(parsed.value);
      // Most types read blanks as empty. But a type may also read a text that is not blank as empty, such as `null` for an e-mail
      // address; that text is lost.
      const isGone = parsed.value === null && text.trim() !== '';
      return { value: parsed.value, lost: kept.lost || isGone };
    }

    function convert(raw: unknown): ConvertedValue {
      const parsed = parsedOf(raw);
      const kept = (parsed && adopted?.of(parsed.value)) ?? { value: parsed?.value ?? null, lost: false };
      const lost = parsed?.lost === true || kept.lost;
      if (kept.value === null) return { ...empty, lost };
      if (isNumbering && Number(kept.value) > greatestKept) return { ...empty, lost: true };
      try {
        const value = writes.toDatabase(kept.value);
        const wanted = newText(kept.value);
        // A column with fewer digits rounds, which loses digits.
        const rounds = to.storage === 'decimal' || to.storage === 'float';
        const text = rounds && value !== null ? storedText(value) : wanted;
        return { value, text, lost: lost || text !== wanted };
      } catch {
        // A value that the column cannot hold exactly is lost, like an unreadable one.
        return { ...empty, lost: true };
      }
    }

    const readValues = (raws: readonly unknown[]) => raws.map((raw) => parsedOf(raw)?.value ?? null);
    return {
      async prepare(raws, options) {
        if (adopted) await adopted.ask(readValues(raws), options);
      },
      isPrepared: (raws) => adopted?.knows(readValues(raws)) ?? true,
      textOfOld: (raw) => oldText(reads.fromDatabase(raw) as CellValue),
      convert,
      isConverted(raw, made) {
        const wanted = convert(raw);
        // A row without a number has been given one.
        if (isNumbering && wanted.value === null) return true;
        // An adopted value is compared as stored, since its text may leave out part of it.
        if (adopted) return storedAs(wanted.value, writes) === storedAs(made, writes);
        return wanted.text === textOfMade(made);
      },
    };
  };
}

const empty = { value: null, text: '' };

/** Keeps the texts that are options of the type; if the type has a single choice, only the first of several. */
function chosenOf(
  oldType: ServerColumnType | undefined,
  newType: ServerColumnType | undefined,
  { options }: ColumnContext,
): ((value: CellValue) => { readonly value: CellValue; readonly lost: boolean }) | undefined {
  const list = newType?.valuesInOrder?.(options);
  if (list === undefined) return undefined;
  const known = new Set(list);
  const separator = newType?.separator;
  const between = separator ?? oldType?.separator;
  return (value) => {
    if (value === null) return { value, lost: false };
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const items = between === undefined ? [text] : text.split(between);
    // Without a list of options, cells may hold any text.
    const listed = list.length === 0 ? items : items.filter((item) => known.has(item));
    const kept = separator === undefined ? listed.slice(0, 1) : listed;
    const chosen = kept.join(separator ?? '');
    return { value: chosen === '' ? null : chosen, lost: kept.length < items.length };
  };
}

/** A stored value in one form, whether it is to be bound or was returned by the driver. */
function storedAs(raw: unknown, { fromDatabase }: { fromDatabase(raw: unknown): unknown }): string {
  return raw === null || raw === undefined ? '' : JSON.stringify(fromDatabase(raw));
}

/** Copies values as they are stored: their text may say less, for example a number with few digits. */
function copier(
  reads: { fromDatabase(raw: unknown): unknown },
  writes: { fromDatabase(raw: unknown): unknown; toDatabase(value: CellValue): Binding },
): ValueConverter {
  const textOf = (value: unknown): string =>
    value === null || value === undefined ? '' : JSON.stringify(value);
  const valueOf = (raw: unknown) => (raw === null ? null : reads.fromDatabase(raw)) as CellValue;
  return {
    prepare: () => Promise.resolve(),
    isPrepared: () => true,
    textOfOld: (raw) => textOf(reads.fromDatabase(raw)),
    convert(raw) {
      const value = valueOf(raw);
      return { value: writes.toDatabase(value), text: textOf(value), lost: false };
    },
    isConverted: (raw, made) => textOf(valueOf(raw)) === textOf(writes.fromDatabase(made)),
  };
}
