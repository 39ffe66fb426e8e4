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

/** One end of a conversion: the physical column and the type that reads or writes it. */
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
  /** Physical names of the key's columns: batches follow the key. */
  readonly key: readonly string[];
  /** Whether the name of a row is made of the texts of the cells of its key. Not said by changes that an older version began. */
  readonly isNamedByCell?: boolean;
  /** True where the new column is like the old one and takes its values as they are stored. */
  readonly isCopy?: boolean;
  /** True where the new column has values of its own, and takes others in its empty cells alone. */
  readonly isForEmpty?: boolean;
  /** The person that gives the column another type, for types that are asked about values. Absent in a change that an older version began. */
  readonly by?: Adopter;
}

/** Whether the texts in the name of a row can be compared with the cells of its key. */
export function isNamedByCell({ primaryKey }: TableSchema): boolean {
  const isComparable = ({ storage }: ColumnSchema) =>
    ['integer', 'bigint', 'string', 'text'].includes(storage);
  return primaryKey.length > 0 && primaryKey.every(isComparable);
}

/** The column as it is, as the end that values come from. */
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

/** What becomes of a value, as it is stored and as people read it. */
interface ConvertedValue {
  readonly value: Binding;
  readonly text: string;
  /** True when the old value has no counterpart. */
  readonly lost: boolean;
}

/** Between the stored values of two columns. */
export interface ValueConverter {
  /** Asks the new type about values of the old column, where it wants to be asked: before each `convert` of them. It may write. */
  prepare(raws: readonly unknown[], options: { readonly isTrial: boolean }): Promise<void>;
  /** Whether `convert` knows all that it needs. */
  isPrepared(raws: readonly unknown[]): boolean;
  convert(raw: unknown): ConvertedValue;
  /** What the old column holds, as people read it. */
  textOfOld(raw: unknown): string;
  /** Whether the new column holds what the old one is converted into, in whatever form the driver answers either. */
  isConverted(raw: unknown, made: unknown): boolean;
}

export type ConvertValue = (conversion: Conversion, database: Database) => ValueConverter;

/**
 * Converts by text: the old type formats, the new one parses. Numbers, and days and moments, are converted by their values among
 * themselves. Empty text is an empty cell and not lost. Where the type stays, it says itself what its new options make of a value.
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

    /** The text of what is stored. Databases pad decimals to their scale, so those are read by their type once more. */
    function storedText(raw: unknown): string {
      const text = newText(writes.fromDatabase(raw) as CellValue);
      const parsed = to.storage === 'decimal' ? newType?.parse(text, newContext) : undefined;
      return parsed?.ok === true ? newText(parsed.value) : text;
    }

    const textOfMade = (made: unknown) => (made === null || made === undefined ? '' : storedText(made));

    /** What the new type reads of a value of its own sort; undefined where texts are what both have in common. */
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
      // Clocks of the new column's zone show the day that stood there.
      const moment = calendar.read(shown, newContext);
      return moment === undefined ? undefined : { ok: true, value: moment };
    }

    /** What the new type reads of a value; undefined where it reads nothing. */
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
      // Blanks are nothing to most types, but the text `null` of an e-mail address was something.
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
        // A column with fewer digits rounds, which loses what stood there.
        const rounds = to.storage === 'decimal' || to.storage === 'float';
        const text = rounds && value !== null ? storedText(value) : wanted;
        return { value, text, lost: lost || text !== wanted };
      } catch {
        // A value that the column cannot hold exactly is lost like one that cannot be read.
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
        // A row without a number was given one.
        if (isNumbering && wanted.value === null) return true;
        // The text of a value may leave out what the type says of it.
        if (adopted) return storedAs(wanted.value, writes) === storedAs(made, writes);
        return wanted.text === textOfMade(made);
      },
    };
  };
}

const empty = { value: null, text: '' };

/** What a type of options keeps of texts of another type: those of its list, and of several the first where it has one alone. */
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
    // Without any list, cells hold what they like.
    const listed = list.length === 0 ? items : items.filter((item) => known.has(item));
    const kept = separator === undefined ? listed.slice(0, 1) : listed;
    const chosen = kept.join(separator ?? '');
    return { value: chosen === '' ? null : chosen, lost: kept.length < items.length };
  };
}

/** A stored value in one form, whether it is about to be bound or was answered by the driver. */
function storedAs(raw: unknown, { fromDatabase }: { fromDatabase(raw: unknown): unknown }): string {
  return raw === null || raw === undefined ? '' : JSON.stringify(fromDatabase(raw));
}

/** Takes values over as they are stored: their text may say less than they hold, such as a number in few digits. */
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
