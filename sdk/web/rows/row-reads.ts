import type { CellValue, GroupKey } from '../../shared/index.ts';
import type { ApiClient } from '../api.ts';
import type { RowCodec } from './row-codec.ts';
import { groupParameter, type RowFigures } from './row-figures.ts';
import type { GroupAnswer } from './row-groups.ts';
import type { RowData } from './row-source.ts';
import type { RowRule, RowsOptions, SortOf } from './rows-options.ts';
import type { RowsReader } from './rows-place.ts';

interface ReadsOf {
  readonly api: ApiClient;
  readonly reader: RowsReader;
  readonly figures: () => RowFigures;
  /** The current ones, like the next one. */
  readonly options: () => RowsOptions;
  readonly codec: () => RowCodec;
}

/** Reads and counts the rows of a place: all of them, or those of one stack. */
export class RowReads {
  readonly #of: ReadsOf;

  constructor(of: ReadsOf) {
    this.#of = of;
  }

  readonly rows = (start: number, limit: number, signal: AbortSignal): Promise<readonly RowData[]> =>
    this.#read(
      start,
      { limit, ...this.filtering(), ...this.#sorting(), ...this.#of.figures().query() },
      signal,
    );

  readonly stack = (
    value: CellValue,
    start: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly RowData[]> => {
    const isEmpty = value === null;
    const rule: RowRule = {
      fk_column_id: this.#of.figures().stackedBy ?? '',
      comparison_op: isEmpty ? 'null' : 'eq',
      value: isEmpty ? '' : value,
    };
    return this.#read(start, { limit, ...this.filtering([rule]), ...this.#sorting() }, signal);
  };

  /** The first row in a given order that meets the filters of the place and the given rules, in place of those of the options. */
  readonly first = async (rules: readonly RowRule[], sort: SortOf): Promise<RowData | undefined> => {
    const query = { limit: 1, filterArrJson: JSON.stringify(rules), ...sortedBy([sort]) };
    const [row] = await this.#read(0, { ...this.#skipping(), ...query }, new AbortController().signal);
    return row;
  };

  /** The groups of the rows by given columns, in place of those of the options. */
  readonly groups = async (
    keys: readonly GroupKey[],
    signal: AbortSignal,
  ): Promise<readonly GroupAnswer[]> => {
    const { api, reader } = this.#of;
    const query = { ...this.filtering(), groupArrJson: groupParameter(keys) };
    const answer = await api.request({ ...reader.figures.groups(query), signal, outlasts: true });
    return reader.figures.levelsIn(answer).at(-1) ?? [];
  };

  readonly count = async (signal: AbortSignal): Promise<number> => {
    const { api, reader } = this.#of;
    const figures = this.#of.figures();
    figures.soon();
    if (figures.isGrouped)
      try {
        return await figures.countGrouped(signal);
      } catch (error) {
        // Meanwhile the rows are shown without groups; the aggregations show why.
        if (signal.aborted) throw error;
      }
    return reader.numberIn(await api.request({ ...reader.count(this.filtering()), signal, outlasts: true }));
  };

  /** The parameters that determine the rows, with further rules. */
  filtering(further: readonly RowRule[] = []): Readonly<Record<string, string>> {
    const { rules: own = [] } = this.#of.options();
    const rules = [...own, ...further];
    return {
      ...this.#skipping(),
      ...(rules.length > 0 && { filterArrJson: JSON.stringify(rules) }),
    };
  }

  #sorting(): Readonly<Record<string, string>> {
    const { sorts = [] } = this.#of.options();
    return sorts.length > 0 ? sortedBy(sorts) : {};
  }

  #skipping(): Readonly<Record<string, string>> {
    return this.#of.options().skipsDisabledFilters === true ? { skipDisabledFilters: 'true' } : {};
  }

  async #read(
    start: number,
    query: Readonly<Record<string, string | number>>,
    signal: AbortSignal,
  ): Promise<readonly RowData[]> {
    const { api, reader, codec } = this.#of;
    const { also = [] } = this.#of.options();
    const asked = { offset: start, ...query, ...(also.length > 0 && { also: also.join(',') }) };
    const answer = await api.request({ ...reader.list(asked), signal, outlasts: true });
    return reader.rowsIn(answer).map((row, at) => codec().decode(row, start + at));
  }
}

/** An order as query parameters. */
function sortedBy(sorts: readonly SortOf[]): Readonly<Record<string, string>> {
  return {
    sortArrJson: JSON.stringify(
      sorts.map(({ columnId, direction }) => ({ fk_column_id: columnId, direction })),
    ),
  };
}
