import { mayRead, type AccessScope } from '@trellis/sdk/server';
import type { CellValue, ColumnTrialSample } from '@trellis/sdk/shared';
import type { Database } from '../../databases/database.ts';
import { selectScan } from '../../query/samples.ts';
import type { Binding } from '../../sql/session.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import type { FoundColumn } from './column-tools.ts';
import type { Conversion } from './convert-value.ts';

/** A column whose conversion is tried, and the caller who sees the samples. */
export interface ScannedColumn extends FoundColumn {
  readonly scope: AccessScope;
  readonly target: Database;
  readonly conversion: Conversion;
}

export interface ScanOptions {
  /** The key of the row after which the scan begins. */
  readonly after?: readonly CellValue[] | undefined;
  /** Milliseconds after which the scan stops at the next page; without it the scan goes through the whole table. */
  readonly forMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of a conversion for the rows that were read. */
export interface ValueScan {
  readonly seen: number;
  /** The number of rows with a value; empty cells stay empty. */
  readonly values: number;
  readonly lost: number;
  /** Only of rows and columns that the caller may read. */
  readonly samples: readonly ColumnTrialSample[];
  /** The key of the last row read, if more may follow. */
  readonly next: readonly CellValue[] | undefined;
}

const rowsAtOnce = 1000;
const mostLost = 5;
const mostChanged = 3;
const longestSample = 100;
/** The most numbers remembered to find repeated ones. Repeated numbers beyond that are changed too, but not announced. */
const mostRemembered = 1_000_000;

/** Tries a conversion on values in short reads of neighbouring rows, and writes nothing. */
export function createScanValues({
  columnTypes,
  functions,
  convert,
}: Pick<SchemaStoreParts, 'columnTypes' | 'functions' | 'convert'>) {
  return async function scanValues(
    { scope, snapshot, table, column, target, conversion }: ScannedColumn,
    { after, forMs = Number.POSITIVE_INFINITY, signal }: ScanOptions = {},
  ): Promise<ValueScan> {
    const context = { table, dialect: target.dialect, reach: { snapshot, columnTypes, functions } };
    const converter = convert(conversion, target);
    const codecs = table.primaryKey.map(({ storage, nativeType }) =>
      target.dialect.types.codec(storage, nativeType),
    );
    const at = table.primaryKey.length;
    const isReadable = mayRead(scope, column);
    const rule = scope.rowPredicate(table.id);
    const options = { work: 'page', share: table.projectId, signal } as const;
    const until = performance.now() + forMs;
    const lostSamples: ColumnTrialSample[] = [];
    const changedSamples: ColumnTrialSample[] = [];
    const isTaken = columnTypes.get(conversion.to.type)?.numbersRows === true ? repeats() : () => false;
    let [seen, values, lost] = [0, 0, 0];
    let last: readonly Binding[] | undefined = after?.map(
      (value, index) => codecs[index]?.toDatabase(value) ?? null,
    );

    function look(row: readonly unknown[]): void {
      const [raw, isShown] = [row[at], row[at + 1]];
      if (raw === null || raw === undefined) return;
      values += 1;
      const converted = converter.convert(raw);
      const made = isTaken(converted.value) ? { value: null, text: '', lost: true } : converted;
      if (made.lost) lost += 1;
      const samples = made.lost ? lostSamples : changedSamples;
      const isFull = samples.length === (made.lost ? mostLost : mostChanged);
      if (isFull || !isReadable || Number(isShown) !== 1) return;
      const from = shortened(converter.textOfOld(raw));
      const to = made.lost && made.value === null ? null : shortened(made.text);
      if (made.lost || from !== to) samples.push({ from, to, lost: made.lost });
    }

    for (;;) {
      signal?.throwIfAborted();
      const page = selectScan(context, { column, after: last, rule, limit: rowsAtOnce });
      const { rows } = await target.read((unit) => unit.rows(page), options);
      await converter.prepare(
        rows.map((row) => row[at]),
        { isTrial: true },
      );
      for (const row of rows) look(row);
      seen += rows.length;
      const end = rows.at(-1)?.slice(0, at);
      if (end !== undefined) last = end as readonly Binding[];
      const isDone = rows.length < rowsAtOnce;
      if (!isDone && performance.now() < until) continue;
      const key = last?.map((cell, index) => (codecs[index]?.fromDatabase(cell) ?? null) as CellValue);
      const samples = [...lostSamples, ...changedSamples];
      return { seen, values, lost, samples, next: isDone ? undefined : key };
    }
  };
}

/** Finds repeated numbers, which are replaced so that each row has its own. */
function repeats(): (value: Binding) => boolean {
  const taken = new Set<string>();
  return (value) => {
    if (value === null) return false;
    const number = String(value);
    if (taken.has(number)) return true;
    if (taken.size < mostRemembered) taken.add(number);
    return false;
  };
}

function shortened(text: string): string {
  return text.length > longestSample ? `${text.slice(0, longestSample)}…` : text;
}
