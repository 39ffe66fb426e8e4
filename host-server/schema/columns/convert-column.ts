import type { CellValue, ColumnContext, StorageKind } from '@trellis/sdk/shared';
import type { ServerColumnType } from '@trellis/sdk/server';
import type { RegistryView } from '@trellis/core';
import type { Knex } from 'knex';
import type { Database } from '../../databases/database.ts';
import type { Query, RowSet, Unit } from '../../sql/unit.ts';
import type { Binding } from '../../sql/session.ts';
import { updateEach, type WrittenColumn } from '../../query/update-each.ts';

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
}

/** Between the stored values of two columns. */
export interface ValueConverter {
  /** The value for the new column, as text too; `lost` when the old one has no counterpart. */
  convert(raw: unknown): { readonly value: Binding; readonly text: string; readonly lost: boolean };
  /** What the new column holds, as text: equal texts are equal values, in whatever form the driver answers them. */
  textOfNew(raw: unknown): string;
}

export type ConvertValue = (conversion: Conversion, database: Database) => ValueConverter;

/** Converts by text: the old type formats, the new one parses. Empty text is an empty cell and not lost. */
export function createConvertValue(columnTypes: RegistryView<ServerColumnType>): ConvertValue {
  return ({ from, to }, database) => {
    const { types } = database.dialect;
    const reads = types.codec(from.storage, from.nativeType);
    const writes = types.codec(to.storage, to.nativeType);
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
      textOfNew: (raw) => (raw === null || raw === undefined ? '' : storedText(raw)),
      convert(raw) {
        if (raw === null || raw === undefined) return { ...empty, lost: false };
        const text = oldText(reads.fromDatabase(raw) as CellValue);
        if (text === '' || newType === undefined) return { ...empty, lost: text !== '' };
        const parsed = newType.parse(text, newContext);
        if (!parsed.ok) return { ...empty, lost: true };
        try {
          const value = writes.toDatabase(parsed.value);
          const wanted = newText(parsed.value);
          // A column with fewer digits rounds, which loses what stood there.
          const text = to.storage === 'decimal' && value !== null ? storedText(value) : wanted;
          return { value, text, lost: text !== wanted };
        } catch {
          // A value that the column cannot hold exactly is lost like one that cannot be read.
          return { ...empty, lost: true };
        }
      },
    };
  };
}

export interface LossReport {
  readonly total: number;
  readonly lost: number;
  readonly samples: readonly string[];
}

const batch = 1000;
const sampleLimit = 5;

/** Counts what a conversion would lose, without writing. Empty cells are not counted. */
export async function reportLoss(
  database: Database,
  tableName: string,
  conversion: Conversion,
  convert: ConvertValue,
): Promise<LossReport> {
  const converter = convert(conversion, database);
  const { identifiers } = database.dialect;
  const column = identifiers.knexName(conversion.from.name);
  const query = database.builder(identifiers.knexName(tableName)).whereNotNull(column).select(column);
  let total = 0;
  let lost = 0;
  const samples: string[] = [];
  for await (const { rows } of database.stream(query, { batchSize: batch, job: true })) {
    for (const [raw] of rows) {
      total += 1;
      if (!converter.convert(raw).lost) continue;
      lost += 1;
      if (samples.length < sampleLimit) samples.push(String(raw as string | number).slice(0, 100));
    }
  }
  return { total, lost, samples };
}

/** The column of a table that is filled from another one. */
export interface FilledColumn {
  readonly database: Database;
  readonly tableName: string;
  readonly conversion: Conversion;
  readonly convert: ConvertValue;
}

type Rows = RowSet['rows'];

/** More in one statement make it slower again: each row is looked for in all of its cases. */
const rowsPerUpdate = 50;

/** Rows that people write while one pass runs are caught by the next. */
const maximumPasses = 5;

/**
 * Fills the new column from the old one, in short transactions, until a pass over the table finds few rows to fill: those are
 * left to `convertLast`. May be run again at any point.
 */
export async function convertColumn(column: FilledColumn, signal: AbortSignal): Promise<void> {
  const { database } = column;
  const { fill, query } = createFilling(column);
  for (let pass = 0; pass < maximumPasses; pass += 1) {
    let filled = 0;
    for await (const { rows } of database.stream(query(), { batchSize: batch, signal, job: true }))
      filled += await fill(rows, (updates) => database.write((unit) => unit.batch(updates)));
    if (filled <= batch) return;
  }
}

/** Fills what is not filled yet in one transaction, while nobody else writes to the table. */
export async function convertLast(unit: Unit, column: FilledColumn, signal: AbortSignal): Promise<void> {
  const { fill, query, key } = createFilling(column);
  let last: readonly unknown[] | undefined;
  for (;;) {
    signal.throwIfAborted();
    // In pages of its own: a stream might have to wait for somebody's slow download, and everybody who writes with it.
    const page = query()
      .orderBy([...key])
      .limit(batch);
    for (const name of key) void page.whereNotNull(name);
    if (last) void page.where(after(key, last));
    const { rows } = await unit.rows(page);
    await fill(rows, (updates) => unit.batch(updates));
    last = rows.at(-1);
    if (rows.length < batch) return;
  }
}

/** Rows whose key comes after that of `last`. */
function after(key: readonly string[], last: readonly unknown[]) {
  return (builder: Knex.QueryBuilder): void => {
    for (const [index, name] of key.entries()) {
      const same = Object.fromEntries(key.slice(0, index).map((other, at) => [other, last[at] as Binding]));
      void builder.orWhere((also) => void also.where(same).where(name, '>', last[index] as string));
    }
  };
}

/** How the rows of a table are read and filled: the cells of a row are its key, the old value and the new one. */
function createFilling({ database, tableName, conversion, convert }: FilledColumn) {
  const converter = convert(conversion, database);
  const { identifiers } = database.dialect;
  const table = identifiers.knexName(tableName);
  const key = conversion.key.map((name) => identifiers.knexName(name));
  const from = identifiers.knexName(conversion.from.name);
  const to = identifiers.knexName(conversion.to.name);

  const written: WrittenColumn = {
    table: tableName,
    column: conversion.to.name,
    type: { kind: conversion.to.storage, native: conversion.to.nativeType },
    key: conversion.key,
  };

  function updates(rows: Rows): readonly Query[] {
    const values = rows.map((row) => ({
      key: row.slice(0, key.length) as readonly Binding[],
      value: converter.convert(row[key.length]).value,
    }));
    const chunks: Query[] = [];
    for (let start = 0; start < values.length; start += rowsPerUpdate)
      chunks.push(updateEach(database.dialect, written, values.slice(start, start + rowsPerUpdate)));
    return chunks;
  }

  return {
    key,
    query: () => database.builder(table).select([...key, from, to]),
    /** Fills those rows whose new value is not the converted old one; gives their number. */
    async fill(rows: Rows, write: (updates: readonly Query[]) => Promise<unknown>): Promise<number> {
      const wrong = rows.filter(
        (row) => converter.convert(row[key.length]).text !== converter.textOfNew(row[key.length + 1]),
      );
      if (wrong.length > 0) await write(updates(wrong));
      return wrong.length;
    },
  };
}
