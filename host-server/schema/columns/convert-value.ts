import type { CellValue, ColumnContext, StorageKind } from '@trellis/sdk/shared';
import type { ColumnSchema, ServerColumnType, TableSchema } from '@trellis/sdk/server';
import type { RegistryView } from '@trellis/core';
import type { Database } from '../../databases/database.ts';
import type { Binding } from '../../sql/session.ts';
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
  /** Whether the name of a row is the text of the one cell of its key. Not said by changes that an older version began. */
  readonly isNamedByCell?: boolean;
  /** True where the new column is like the old one and takes its values as they are stored. */
  readonly isCopy?: boolean;
  /** True where the new column has values of its own, and takes others in its empty cells alone. */
  readonly isForEmpty?: boolean;
}

/** Whether the text that names a row can be compared with the one cell of its key. */
export function isNamedByCell({ primaryKey: [key, ...others] }: TableSchema): boolean {
  const isComparable = ['integer', 'bigint', 'string', 'text'].includes(key?.storage ?? '');
  return isComparable && others.length === 0;
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

/** Between the stored values of two columns. */
export interface ValueConverter {
  /** The value for the new column, as text too; `lost` when the old one has no counterpart. */
  convert(raw: unknown): { readonly value: Binding; readonly text: string; readonly lost: boolean };
  /** What the old column holds, as people read it. */
  textOfOld(raw: unknown): string;
  /** What the new column holds, as text: equal texts are equal values, in whatever form the driver answers them. */
  textOfNew(raw: unknown): string;
}

export type ConvertValue = (conversion: Conversion, database: Database) => ValueConverter;

/**
 * Converts by text: the old type formats, the new one parses. Empty text is an empty cell and not lost. Where the type stays, it says
 * itself what its new options make of a value.
 */
export function createConvertValue(
  columnTypes: RegistryView<ServerColumnType>,
  { conversionOf }: Pick<MovedValues, 'conversionOf'>,
): ConvertValue {
  return ({ from, to, isCopy }, database) => {
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

    const moved = from.type === to.type ? conversionOf(to.type, from.options, to.options) : undefined;

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

    const empty = { value: null, text: '' };
    return {
      textOfOld: (raw) => oldText(reads.fromDatabase(raw) as CellValue),
      textOfNew: (raw) => (raw === null || raw === undefined ? '' : storedText(raw)),
      convert(raw) {
        if (raw === null || raw === undefined) return { ...empty, lost: false };
        const stored = reads.fromDatabase(raw) as CellValue;
        const kept =
          moved === undefined || stored === null ? { value: stored, lost: false } : moved.convert(stored);
        if (kept.value === null) return { ...empty, lost: kept.lost };
        const text = oldText(kept.value);
        if (text === '' || newType === undefined) return { ...empty, lost: text !== '' };
        const parsed = newType.parse(text, newContext);
        if (!parsed.ok) return { ...empty, lost: true };
        try {
          const value = writes.toDatabase(parsed.value);
          const wanted = newText(parsed.value);
          // A column with fewer digits rounds, which loses what stood there.
          const text = to.storage === 'decimal' && value !== null ? storedText(value) : wanted;
          return { value, text, lost: kept.lost || text !== wanted };
        } catch {
          // A value that the column cannot hold exactly is lost like one that cannot be read.
          return { ...empty, lost: true };
        }
      },
    };
  };
}

/** Takes values over as they are stored: their text may say less than they hold, such as a number in few digits. */
function copier(
  reads: { fromDatabase(raw: unknown): unknown },
  writes: { fromDatabase(raw: unknown): unknown; toDatabase(value: CellValue): Binding },
): ValueConverter {
  const textOf = (value: unknown): string =>
    value === null || value === undefined ? '' : JSON.stringify(value);
  return {
    textOfOld: (raw) => textOf(reads.fromDatabase(raw)),
    textOfNew: (raw) => textOf(writes.fromDatabase(raw)),
    convert(raw) {
      const value = (raw === null ? null : reads.fromDatabase(raw)) as CellValue;
      return { value: writes.toDatabase(value), text: textOf(value), lost: false };
    },
  };
}
